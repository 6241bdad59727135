// Covers: src/programs, .esbuild.ts, .npmignore, package.json
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { version } from '../../package.json';
import { TOOL_NAMES } from '../../src/agents/toolNames';
import { npmFaults } from '../machine/packageContents';
import { npmCommand, ensurePrograms } from '../machine/npmPackage';
import { SAMPLE } from '../support/paths';
import { endProcessesNaming } from '../support/processes';

/** The local service of the programs ends this long after the last of them, in milliseconds. */
const SERVICE_END_MS = 20_000;

/** The variables of this process without which a program is not found or a browser does not start; all others are absent. */
const KEPT = ['PATH', 'SIDELOAD_BROWSER', 'SystemRoot', 'ComSpec', 'PATHEXT'];

describe('the package for npm', function () {
  this.timeout(120_000);
  /** A project that has installed it, with an extension in dist/. */
  let project = '';
  let file = '';
  let env: Record<string, string> = {};

  function run(...command: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const [program = '', ...args] = command;
    return new Promise((resolve) => {
      execFile(program, args, { cwd: project, env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
        resolve({ code: error ? error.code : 0, stdout, stderr });
      });
    });
  }
  const npm = (...args: string[]) => run(...npmCommand(...args));
  /** The program of the installed package, as npx starts it. */
  const sideload = (...args: string[]) => npm('exec', '--offline', '--', 'sideload', ...args);

  before(async () => {
    file = await ensurePrograms();
    project = await mkdtemp(join(tmpdir(), 'sideload-npm-'));
    const home = join(project, 'home');
    env = Object.fromEntries(
      KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    Object.assign(env, { HOME: home, USERPROFILE: home, LOCALAPPDATA: home });
    await mkdir(home);
    await cp(SAMPLE, join(project, 'dist'), { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    // Nothing is fetched: the package has no dependencies.
    const { code, stderr } = await npm('install', '--offline', '--no-audit', '--no-fund', file);
    assert.equal(code, 0, stderr);
  });

  after(async () => {
    await endProcessesNaming(project, SERVICE_END_MS);
    await rm(project, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it('has the programs and what they load, and brings no other package', async () => {
    assert.deepEqual(await npmFaults(file), []);
    const installed = await readdir(join(project, 'node_modules'));
    assert.deepEqual(
      installed.filter((name) => !name.startsWith('.')),
      ['sideload'],
    );
  });

  it('is described by a sentence, and has no names of translations in its place', async () => {
    const about = JSON.parse(await readFile(join(project, 'node_modules', 'sideload', 'package.json'), 'utf8')) as {
      description: string;
    };
    assert.match(about.description, /^Push the browser extension .*\.$/);
  });

  it('checks a folder with npx, and says its version and its commands', async () => {
    const checked = await sideload('check', 'dist');
    assert.deepEqual([checked.code, checked.stdout], [0, 'dist/manifest.json: loads, and there is nothing to say\n']);
    assert.equal((await sideload('--version')).stdout, `${version}\n`);
    assert.match((await sideload('--help')).stdout, /^Usage: sideload COMMAND FOLDER/);
    await writeFile(join(project, 'dist', 'manifest.json'), '{}');
    assert.equal((await sideload('check', 'dist')).code, 1);
    await cp(SAMPLE, join(project, 'dist'), { recursive: true });
  });

  it('runs a folder in a browser of its own local service', async () => {
    const { code, stdout, stderr } = await sideload('run', 'dist', '--headless', '--once');
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^RUNNING: «Sideload Sample» 1\.0\.0 is running in /);
  });

  it('serves the tools for agents with npx', async () => {
    const [command, ...args] = npmCommand('exec', '--offline', '--', 'sideload', 'mcp', '--root', '.', '--headless');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, cwd: project, env, stderr: 'ignore' }));
    try {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOL_NAMES,
      );
      const { content } = await client.callTool({ name: 'get_extension_findings', arguments: { folder: 'dist' } });
      assert.match(JSON.stringify(content), /loads/i);
    } finally {
      await client.close();
    }
  });
});
