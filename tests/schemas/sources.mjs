// Where the schemas come from. A source gives a list of { name, schema }.

import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { operations } from './openapi.mjs';
import { tools } from './mcp.mjs';

// Servers that list their tools without the service they speak to. Whatever they want to be told
// before they start, none of it is real.
const NPM_SERVERS = [
  { package: '@modelcontextprotocol/server-filesystem', bin: 'dist/index.js', args: ['.'] },
  { package: '@modelcontextprotocol/server-memory', bin: 'dist/index.js' },
  { package: '@modelcontextprotocol/server-everything', bin: 'dist/index.js' },
  { package: '@modelcontextprotocol/server-sequential-thinking', bin: 'dist/index.js' },
  { package: '@modelcontextprotocol/server-github', bin: 'dist/index.js' },
  {
    package: '@modelcontextprotocol/server-gitlab',
    bin: 'dist/index.js',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  {
    package: '@modelcontextprotocol/server-slack',
    bin: 'dist/index.js',
    env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' },
  },
  { package: '@playwright/mcp', bin: 'cli.js' },
  { package: '@upstash/context7-mcp', bin: 'dist/index.js' },
  { package: '@notionhq/notion-mcp-server', bin: 'bin/cli.mjs', env: { NOTION_TOKEN: 'none' } },
  {
    package: 'chrome-devtools-mcp',
    bin: 'build/src/bin/chrome-devtools-mcp.js',
    args: ['--no-usage-statistics'],
    // A process of its own would look for a newer version, and outlive the server.
    env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
  },
];

const PYTHON_SERVERS = ['mcp-server-time', 'mcp-server-git', 'mcp-server-fetch'];

const DOCUMENTS = [
  { package: '@octokit/openapi', path: 'generated/api.github.com.json' },
  { package: '@figma/rest-api-spec', path: 'openapi/openapi.yaml' },
  { package: '@notionhq/notion-mcp-server', path: 'scripts/notion-openapi.json' },
  // Whole directories of documents that others test their own tools with.
  { package: '@readme/oas-examples', path: '2.0/json/' },
  { package: '@readme/oas-examples', path: '3.0/json/' },
  { package: '@readme/oas-examples', path: '3.1/json/' },
];

/** Every source: { label, list }, where list() gives the { name, schema } of each tool. */
export async function sources(cache) {
  const modules = join(cache, 'npm', 'node_modules');
  const { parse } = createRequire(join(modules, 'index.js'))('yaml');
  const version = async (name) => JSON.parse(await readFile(join(modules, name, 'package.json'))).version;
  const found = [];
  for (const server of NPM_SERVERS) {
    found.push({
      label: `${server.package} ${await version(server.package)}`,
      list: () =>
        tools(
          process.execPath,
          [join(modules, server.package, server.bin), ...(server.args ?? [])],
          server.env,
        ),
    });
  }
  for (const name of PYTHON_SERVERS) {
    const module = name.replaceAll('-', '_');
    const installed = (await readdir(join(cache, 'python'))).find(
      (entry) => entry.startsWith(`${module}-`) && entry.endsWith('.dist-info'),
    );
    found.push({
      label: `${name} ${installed?.slice(module.length + 1, -'.dist-info'.length)}`,
      list: () => tools('python3', ['-m', module], { PYTHONPATH: join(cache, 'python') }),
    });
  }
  for (const { package: name, path } of DOCUMENTS) {
    found.push({
      label: `${name} ${await version(name)} ${path}`,
      list: async () => {
        const place = join(modules, name, path);
        const files = path.endsWith('/')
          ? (await readdir(place)).filter((file) => file.endsWith('.json')).map((file) => join(place, file))
          : [place];
        const documents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
        // JSON is YAML too, but its own parser is a hundred times faster on megabytes.
        const read = (text, file) => (file.endsWith('.json') ? JSON.parse(text) : parse(text));
        return documents.flatMap((text, at) => operations(read(text, files[at])));
      },
    });
  }
  return found;
}
