// `node check.mjs RETRIEVAL COMMANDS < requests.jsonl`: what `run-loom` answers to each request of a
// component that has checked nothing, in a run that may not write.

import { readFileSync } from 'node:fs';
import { bind } from './loom.mjs';

const [retrieval, commands] = process.argv.slice(2)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')));
const loom = bind({ retrieval, commands, writes: false, deadline: 1000, output: 1 << 20 });
loom.turn(1);

for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [{ tag, val }] = loom.runLoom([JSON.parse(line).request]);
  console.log(tag === 'ok' ? `exit ${val.exitCode}` : val);
}
