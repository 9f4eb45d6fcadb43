// `run-loom` for Node: the import of wit/world.wit, bound to an operator's loom CLI. The component
// has checked what it asks for; a host checks again, because the component might be another one.

import { spawnSync } from 'node:child_process';

class Refused extends Error {}

// A value under its rule, or the refusal of its whole request.
const rule = (broken, holds) => (value) => {
  if (!holds(value)) throw new Refused(broken);
  return value;
};
const isText = (t) => t.length > 0 && t.length <= 500 && !/\p{Cc}/u.test(t) && !t.startsWith('-');
const text = rule('no text of 1 to 500 characters that is no flag', isText);
// The same positional carries verbs that write.
const LOOKUPS = [/^(handle|person|group):[^]/, /^[^@\s]+@[^@\s]+$/, /^\+?[0-9][0-9\s().-]{4,}$/,
  /^People\/(?!\.{1,2}\/)[^/]+\/about\.md$/];
const lookup = rule('no lookup', (t) => isText(t) && LOOKUPS.some((shape) => shape.test(t)));
const upTo = (most) => rule('a limit out of range', (n) => n >= 1 && n <= most);
const date = rule('no day', (t) => /^(?!0000)\d{4}-\d\d-\d\d$/.test(t)
  && !Number.isNaN(Date.parse(t)) && new Date(t).toISOString().startsWith(t));
const commandId = rule('no command id', (t) => t.length <= 128
  && /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*$/.test(t));
const loomId = rule('no loom id', (t) => /^loom-[a-f0-9]{16}$/.test(t));
const version = rule('a version out of range', (n) => n >= 0 && n <= Number.MAX_SAFE_INTEGER);
const args = rule('no arguments', (json) => {
  if (Buffer.byteLength(json) > 16384 || !json.startsWith('{')) return false;
  let depth = 0;
  for (const bracket of json.replace(/"[^"\\]*(\\.[^"\\]*)*"/gs, '').match(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth > 64) return false;
  }
  try { JSON.parse(json); return true; } catch { return false; }
});
const asIs = (value) => value;
const flag = (name, value, holds = asIs) => (value === undefined ? [] : [name, `${holds(value)}`]);

// The only place that spells a flag: what follows the program's name, for each operation.
const ARGUMENTS = {
  'search': (s) => {
    if (s.query === undefined && s.person === undefined) throw new Refused('nothing to search');
    return ['search', ...(s.query === undefined ? [] : [text(s.query)]), '--json',
      ...flag('--sources', s.sources, text), ...flag('--since', s.since, text),
      ...flag('--until', s.until, text), ...flag('--tz', s.tz, text),
      ...flag('--person', s.person, text), ...flag('--limit', s.limit, upTo(200)),
      ...flag('--rank', s.rank)];
  },
  'page-discover': (d) => ['page', 'discover', '--json', '--concise', ...flag('--kind', d.kind),
    ...flag('--limit', d.limit, upTo(500))],
  'page-inspect': (target) => ['page', 'inspect', text(target), '--json', '--concise'],
  'page-read': (target) => ['page', 'read', text(target), '--json'],
  'people': (p) => ['people', lookup(p.query), '--json', ...flag('--shape', p.shape)],
  'calendar-list': ({ tag, val }) => ['calendar', 'list', '--json',
    ...(tag === 'every-event' ? ['--all'] : []),
    ...flag('--from', val?.fromDate, date), ...flag('--to', val?.toDate, date)],
  'context': (c) => {
    const where = c.state === 'location';
    if (where && (c.since ?? c.until) !== undefined) throw new Refused('a location has no span');
    return ['context', where ? 'where' : 'activity', '--json', ...flag('--at', c.at, text),
      ...flag('--since', c.since, text), ...flag('--until', c.until, text)];
  },
  'profile': (fresh) => ['profile', '--json', ...(fresh ? ['--fresh'] : [])],
  'command-list': () => ['command', 'list', '--json'],
  'command-run': (c) => ['command', 'run', commandId(c.id), '--args-json', '-', '--json',
    ...flag('--loom', c.loomId, loomId), ...flag('--expect', c.expectedVersion, version),
    ...(c.readOnly ? ['--read-only'] : [])],
};

// `retrieval` and `commands` are the operator's two files, or undefined; `writes` is whether the run
// may write. The answer's `turn` takes the number of calls of the turn that comes.
export function bind({ retrieval, commands, writes, jobId, deadline = 60_000, output = 32 << 20 }) {
  let calls = 0;
  const path = { PATH: process.env.PATH };
  const route = (config, ...names) => ({ cli: config.cliPath,
    env: { ...path, ...Object.fromEntries(names.map((n) => [n, config.transport.queuePath])) } });
  const reads = retrieval && route(retrieval, 'LOOM_PAGE_RPC_QUEUE', 'LOOM_SEARCH_BROKER_QUEUE');
  const runs = commands && route(commands, 'LOOM_PAGE_RPC_QUEUE');
  if (commands?.jobIdEnvVar && jobId) runs.env[commands.jobIdEnvVar] = jobId;

  const answer = ({ call, operation: { tag, val } }) => {
    const isCommand = tag.startsWith('command-');
    const family = isCommand ? runs : reads;
    if (call >= calls || !family) throw new Refused('not granted');
    if (tag === 'command-run' && !val.readOnly && !writes) throw new Refused('no writes');
    const argv = ARGUMENTS[tag](val);
    const input = tag === 'command-run' ? args(val.argsJson) : undefined;
    return start(family, argv, input);
  };
  const start = ({ cli, env }, argv, input) => {
    // `detached` gives it a process group of its own; past a bound only the process itself is
    // killed and the pipe is closed, so that what it left behind is ended below.
    const ended = spawnSync(cli, argv, { cwd: '/', env, input, shell: false, detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
      timeout: deadline, maxBuffer: output, killSignal: 'SIGKILL' });
    if (!ended.pid) return { tag: 'err', val: 'not-started' };
    try { process.kill(-ended.pid, 'SIGKILL'); } catch { /* Nothing was left. */ }
    const bound = ['ETIMEDOUT', 'ENOBUFS'].includes(ended.error?.code);
    if (bound || ended.status === null) return { tag: 'err', val: 'lost' };
    return { tag: 'ok', val: { exitCode: ended.status, stdout: ended.stdout } };
  };
  return {
    turn: (count) => { calls = count; },
    runLoom: (requests) => requests.map((request) => {
      try { return answer(request); } catch (error) {
        if (error instanceof Refused) return { tag: 'err', val: 'not-granted' };
        throw error;
      }
    }),
  };
}
