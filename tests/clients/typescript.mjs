// The official TypeScript SDK's client, of its first or second major version, against the server.
//
//   node typescript.mjs CACHE 1|2 check|hang SERVER [ARGUMENT...]
//
// `check` prints a line for each thing that works or does not; `hang` waits in a sleeping command.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const [cache, major, mode, command, ...args] = process.argv.slice(2);
const require = createRequire(`${cache}/package.json`);
const sdk =
  major === '1'
    ? {
        ...require('@modelcontextprotocol/sdk/client/index.js'),
        ...require('@modelcontextprotocol/sdk/client/stdio.js'),
      }
    : { ...require('@modelcontextprotocol/client'), ...require('@modelcontextprotocol/client/stdio') };
const revision = major === '1' ? '2025-11-25' : '2026-07-28';
const options = major === '1' ? {} : { versionNegotiation: { mode: { pin: revision } } };

const transport = new sdk.StdioClientTransport({ command, args, stderr: 'inherit' });
let initialized;
// Kept by the client, which calls it before its own.
transport.onmessage = message => {
  initialized ??= message.result?.protocolVersion;
};
const client = new sdk.Client({ name: 'loom-tools-tests', version: '1.0.0' }, options);
await client.connect(transport);
const server = transport.pid;

// The options came third in the first major version, after a schema for the result.
const call = (name, input, options) =>
  major === '1'
    ? client.callTool({ name, arguments: input }, undefined, options)
    : client.callTool({ name, arguments: input }, options);

function state(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ');
    return { state: fields[0], parent: Number(fields[1]) };
  } catch {
    return { state: 'gone' };
  }
}
const runs = pid => !['gone', 'Z', 'X'].includes(state(pid).state);
const sleeping = () =>
  readdirSync('/proc')
    .filter(name => /^[0-9]+$/.test(name) && state(name).parent === server && runs(name))
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('diag.sleep');
      } catch {
        return false;
      }
    });

async function until(what, there) {
  for (let tries = 0; tries < 100; tries++) {
    if (there()) return;
    await pause(100);
  }
  throw new Error(`in vain: ${what}`);
}

const sleep = { command: 'diag.sleep', args: { ms: 60_000 } };
if (mode === 'hang') {
  await call('run_read_command', sleep, { timeout: 60_000 });
  process.exit(1);
}

let failed = 0;
async function check(name, work) {
  try {
    await work();
    console.log(`ok - ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`not ok - ${name}`);
    console.log(String(error.stack));
  }
}

function same(result) {
  assert.equal(result.content.length, 1);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

await check(`speaks ${revision}`, async () => {
  const spoken = major === '1' ? initialized : client.getNegotiatedProtocolVersion();
  assert.equal(spoken, revision);
  assert.equal(client.getServerVersion().name, 'loom-tools');
});

await check('lists', async () => {
  const { tools } = await client.listTools();
  assert.equal(tools.length, 12);
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.outputSchema.type, 'object');
    assert.equal(tool.annotations.readOnlyHint, tool.name !== 'run_command');
    assert.equal(tool.annotations.destructiveHint, tool.name === 'run_command');
  }
});

// The client checks every result against the tool's output schema, now that it has listed.
await check('reads', async () => {
  const result = await call('loom_search', { query: 'ferry' });
  assert.equal(result.isError, false);
  const shown = same(result);
  assert.equal(shown.status, 'ok');
  assert.ok(shown.admitted > 0);
  const token = shown.entries[0].handle;
  const described = same(await call('describe_handle', { token }));
  assert.equal(described.known, true);
  for (const [tool, input] of [
    ['loom_page_discover', {}],
    ['loom_calendar_list', { all: true }],
    ['loom_context', { read: 'where' }],
    ['loom_profile', {}],
    ['list_commands', { detail: ['diag.echo'] }],
  ]) {
    assert.equal(same(await call(tool, input)).status, 'ok', tool);
  }
});

await check('runs a batch, and hears of its progress', async () => {
  const heard = [];
  const calls = [
    { command: 'diag.echo', args: { n: 1.5 } },
    { command: 'diag.sleep', args: { ms: 500 } },
    { command: 'no.such', args: {} },
  ];
  const result = await call('run_read_command', { calls }, { onprogress: step => heard.push(step.progress) });
  const statuses = same(result).results.map(one => one.status);
  assert.deepEqual(statuses, ['executed', 'executed', 'unknown_command']);
  assert.equal(result.isError, false);
  // It forgets the token as soon as the reply is read, so the last step is heard or not.
  assert.equal(heard[0], 1);
});

await check('reads errors and denials', async () => {
  const error = await call('loom_people', { query: 'nobody@nowhere.invalid' });
  assert.equal(error.isError, true);
  assert.equal(same(error).code, 'not_found');
  const denied = await call('run_command', { command: 'diag.echo', args: {} });
  assert.equal(denied.isError, true);
  assert.equal(same(denied).status, 'denied');
});

await check('runs five calls together', async () => {
  const queries = ['ferry', 'mira', 'studio', 'cello', 'train'];
  const results = await Promise.all(queries.map(query => call('loom_search', { query })));
  for (const result of results) assert.equal(same(result).status, 'ok');
});

await check('cancels a sleeping command', async () => {
  const abort = new AbortController();
  const sleeper = call('run_read_command', sleep, { signal: abort.signal });
  const refused = assert.rejects(sleeper);
  await until('the command sleeps', () => sleeping().length === 1);
  abort.abort('enough');
  await refused;
  await until('the command is gone', () => sleeping().length === 0);
  assert.equal(same(await call('loom_profile', {})).status, 'ok');
});

await check('closes, and the server exits', async () => {
  await client.close();
  await until('the server is gone', () => !runs(server));
});

process.exit(failed === 0 ? 0 : 1);
