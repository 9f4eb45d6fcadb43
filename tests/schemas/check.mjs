// Renders every schema of every source through the product, twice, and judges each line.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { faults } from './judge.mjs';
import { CASES } from './judge_cases.mjs';
import { sources } from './sources.mjs';

// What a catalog keeps of one listing.
const ROWS = 256;
const [cache, program] = process.argv.slice(2);

const dir = mkdtempSync(join(tmpdir(), 'loom-tools-schemas-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
const loom = join(dir, 'loom');
const config = join(dir, 'commands.json');
mkdirSync(join(dir, 'queue'));
// A `loom` whose every answer is the manifest beside it.
writeFileSync(loom, '#!/bin/sh\nexec cat "${0%/*}/manifest.json"\n');
chmodSync(loom, 0o755);
writeFileSync(
  config,
  JSON.stringify({ cliPath: loom, transport: { kind: 'broker', queuePath: join(dir, 'queue') } }),
);

/** The signature of each row's id, as `list_commands` shows it. */
function signatures(rows) {
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ commands: rows }));
  const args = ['call', 'list_commands', '--loom-commands-config', config, '--cache-dir', join(dir, 'cache')];
  const ran = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (ran.status !== 0) throw new Error(`${args.join(' ')}: ${ran.error ?? ran.stderr}`);
  const listing = JSON.parse(ran.stdout);
  if (listing.status !== 'ok' || listing.omitted || listing.hidden) {
    throw new Error(`the listing is not whole: ${ran.stdout.slice(0, 500)}`);
  }
  return new Map(listing.entries.map((entry) => [entry.name, entry.signature]));
}

/** A command id of the tool's name; the number keeps it the only one. */
function idOf(name, number) {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return `t${number}.${words.slice(0, 60) || 'x'}`;
}

// A judge that finds nothing wrong anywhere would let everything pass.
for (const [schema, line, sound] of CASES) {
  const wrong = faults('f', schema, line);
  if ((wrong.length === 0) !== sound) {
    throw new Error(`the judge is wrong about ${line}: ${wrong.join('; ') || 'nothing found'}`);
  }
}

let passed = 0;
let failed = 0;
console.log('schemas  faulty  open  source');
for (const source of await sources(cache)) {
  const list = await source.list();
  let faulty = 0;
  let open = 0;
  for (let from = 0; from < list.length; from += ROWS) {
    const part = list.slice(from, from + ROWS);
    const rows = part.map(({ name, schema }, at) => ({ id: idOf(name, from + at), inputs: schema, outputs: [] }));
    const first = signatures(rows);
    // In the other order too: a line depends on its own row alone.
    const second = signatures(rows.toReversed());
    for (const { id, inputs } of rows) {
      const line = first.get(id);
      const wrong = faults(id, inputs, line);
      if (second.get(id) !== line) wrong.push('another line the second time');
      open += line?.startsWith(`${id}(...)`) ? 1 : 0;
      if (wrong.length === 0) continue;
      faulty += 1;
      console.log(`  ${line}\n    ${wrong.join('\n    ')}\n    ${JSON.stringify(inputs).slice(0, 2_000)}`);
    }
  }
  // A source that lists nothing would pass for one that is flawless.
  if (list.length === 0) {
    faulty += 1;
    console.log(`  ${source.label} lists no schema`);
  }
  passed += list.length - (list.length === 0 ? 0 : faulty);
  failed += faulty;
  console.log([list.length, faulty, open].map((n, at) => String(n).padStart([7, 8, 6][at])).join('') + `  ${source.label}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
