// The tools of an MCP server, asked over its standard input and output.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Far above what a server needs to start on a busy machine.
const PATIENCE_MS = 120_000;

/** The { name, schema } of each tool of the server that this command line starts. */
export async function tools(program, args, env = {}) {
  // A home and a directory of its own: some write there when they start.
  const home = await mkdtemp(join(tmpdir(), 'loom-tools-schemas-'));
  const server = spawn(program, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, CI: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  let told = '';
  server.stderr.on('data', (data) => (told = (told + data).slice(-2_000)));
  // A server that has ended is noticed by its missing answer.
  server.stdin.on('error', () => {});
  const ended = new Promise((resolve) => {
    server.on('error', resolve);
    server.on('close', resolve);
  });
  const end = () => {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // It never started, or nothing of it is left.
    }
  };
  const timer = setTimeout(end, PATIENCE_MS);
  try {
    return await ask(server);
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${told}`);
  } finally {
    end();
    await ended;
    clearTimeout(timer);
    await rm(home, { recursive: true, force: true });
  }
}

async function ask(server) {
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const answer = async (id) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('it ended without an answer');
      const message = JSON.parse(value);
      if (message.id !== id || message.method) continue;
      if (message.error) throw new Error(JSON.stringify(message.error));
      return message.result;
    }
  };
  send({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'loom-tools-schemas', version: '1' },
    },
  });
  await answer(1);
  send({ method: 'notifications/initialized' });
  const found = [];
  let cursor;
  for (let id = 2; ; id += 1) {
    send({ id, method: 'tools/list', params: cursor ? { cursor } : {} });
    const result = await answer(id);
    found.push(...result.tools.map((tool) => ({ name: tool.name, schema: tool.inputSchema })));
    cursor = result.nextCursor;
    if (!cursor) return found;
  }
}
