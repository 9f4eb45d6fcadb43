// A harness in Node: `node host.mjs TRANSPILED RETRIEVAL COMMANDS < conversation.jsonl`, TRANSPILED
// being the folder that `jco transpile COMPONENT -o TRANSPILED --instantiation sync` wrote.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bind } from './loom.mjs';

const [folder, ...files] = process.argv.slice(2);
const [retrieval, commands] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
const loom = bind({ retrieval, commands, writes: true, jobId: 'job-7' });

const { instantiate } = await import(resolve(folder, 'loom-tools.js'));
const compile = (name) => new WebAssembly.Module(readFileSync(join(folder, name)));
const { tools } = instantiate(compile, { 'loom:tools/process': { runLoom: loom.runLoom } });
const run = tools.Run.start({
  runId: 'embed',
  retrieval: { facets: retrieval.facets, ceilingRecord: retrieval.readCeilingFile !== undefined },
  commands: true,
  ceilings: ['["loom:facet:work",{"anyOf":["loom:group:studio"]}]'],
  enforcement: 'enforce-explicit',
  slot: 'direct-command',
});

// The record of this turn. One that cannot be read is an error, never no ceiling.
function ceilingRecord() {
  if (retrieval.readCeilingFile === undefined) return undefined;
  try {
    const bytes = readFileSync(retrieval.readCeilingFile);
    return { tag: 'ok', val: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch { return { tag: 'err', val: undefined }; }
}

// An object's names and values, or a list's items, each as the text it was written in: JSON.parse
// would lose the digits of a large number.
function parts(json) {
  const found = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g)) {
    const opens = token === '{' || token === '[';
    const closes = token === '}' || token === ']';
    if (opens) depth += 1;
    if (depth === 1 && !token.startsWith('"')) {
      if (!opens) found.push(json.slice(from, index).trim());
      from = index + 1;
    }
    if (closes) depth -= 1;
  }
  return found.filter((part) => part !== '');
}
const fields = (json) => Object.fromEntries(parts(json).flatMap((name, at, all) => (
  at % 2 ? [] : [[JSON.parse(name), all[at + 1]]])));

const reply = (r) => `{"callId":${JSON.stringify(r.callId)},"outputId":${JSON.stringify(r.outputId)}`
  + `,"shown":${r.shown},"artifact":${r.artifact},"observation":${r.observation ?? 'null'}`
  + `,"decision":${r.decision}}`;

for (const line of readFileSync(0, 'utf8').split('\n').filter((text) => text.trim())) {
  const turn = fields(line);
  if (turn.calls === undefined) {
    let answer;
    try { answer = `{"resolved":${run.resolveResult(turn.resolveResult)}}`; } catch (error) {
      if (typeof error.payload !== 'string') throw error;
      answer = `{"error":${error.payload}}`;
    }
    console.log(answer);
  } else {
    const calls = parts(turn.calls).map(fields).map(({ id, tool, input = '', inputLabel }) => (
      { id: JSON.parse(id), tool: JSON.parse(tool), input, inputLabel }));
    loom.turn(calls.length);
    const replies = run.invoke({ calls, ceilingRecord: ceilingRecord() }).map(reply);
    console.log(`{"replies":[${replies.join()}],"label":${run.label()}}`);
  }
}
