import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { startChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { freePort } from '../support/freePort';
import { BuildWatch } from './buildWatch';
import type { Bench } from './context';
import { PeerTabs, startForPeer } from './peerBrowser';
import { PeerInstall } from '../machine/peerInstall';
import { CRXJS_IDIOM, EXTENSION_JS_IDIOM, VITE_BUILD_IDIOM, WXT_IDIOM } from './peerIdioms';
import { PLAIN, PeerProject } from './peerProject';
import { PushWindow } from './pushWindow';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';
import { Subject, type Script } from './subject';
import { fetchWebExt, WebExt } from './webExt';

/** How long a tool may take until its first build is there, in milliseconds. */
const BUILD_LIMIT_MS = 60_000;

const VITE = ['vite@8.3.8', '@crxjs/vite-plugin@3.0.0'];
/** It needs a newer Node.js than the one that runs the bench, which comes from npm, too. */
const NODE_22 = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const WXT = ['wxt@0.21.4', `${NODE_22}@22.23.3`];

const EXTENSION_JS = ['extension@4.1.26', `${NODE_22}@22.23.3`];

/** Longest time to fetch a tool, where it is not here yet, and to start it, in milliseconds. */
const FETCH_LIMIT_MS = 15 * 60_000;

/** How often a file is written for a tool that has missed the write. */
const WRITES = 3;

/** A tool in use: what happens when a script is saved. */
interface Peer {
  name: string;
  scripts: readonly Script[];
  /** Milliseconds from the write of the source file to the first statement of the new code. */
  save: (script: Script) => Promise<number>;
}

const ALL: readonly Script[] = ['worker', 'content', 'page'];

/** What is set against each other, and what the ratio may be at most, if that was agreed on. */
const RATIOS: readonly [name: string, script: Script, ours: string, theirs: string, limit?: number][] = [
  ['worker/crxjs', 'worker', 'sideload', 'crxjs', 0.95],
  ['worker/wxt', 'worker', 'sideload', 'wxt', 0.8],
  ['worker/extensionJs', 'worker', 'sideload', 'extension-js'],
  ['worker/webExtRun', 'worker', 'sideload', 'web-ext', 0.22],
  ['content/wxt', 'content', 'sideload', 'wxt', 1],
  ['content/crxjs', 'content', 'sideload', 'crxjs'],
  ['page/wxt', 'page', 'sideload', 'wxt', 0.8],
  ['pageWithScripting/wxt', 'page', 'sideload with scripting', 'wxt', 0.8],
  ['page/crxjs', 'page', 'sideload', 'crxjs'],
  ['buildWorker/crxjs', 'worker', 'sideload with vite build', 'crxjs', 1.5],
  ['buildContent/crxjs', 'content', 'sideload with vite build', 'crxjs'],
  ['buildPage/crxjs', 'page', 'sideload with vite build', 'crxjs'],
];

/** The tools, measured in turns, without those that cannot be fetched or started here. */
export async function peerMeasures(bench: Bench, isChosen: (name: string) => boolean): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const start of [sideload, sideloadWithScripting, sideloadWithVite, crxjs, wxt, extensionJs, webExt]) {
    const begin = async (): Promise<Measure[]> => {
      const { name, scripts, save } = await start(bench);
      return scripts.filter(isChosen).map((script) => ({ name: nameOf(script, name), run: () => save(script) }));
    };
    measures.push(...(await bench.prepare(`peers, ${start.name}`, begin, FETCH_LIMIT_MS)));
  }
  return measures;
}

export function peerRatios(summaries: readonly Summary[]): Ratio[] {
  const ratios = RATIOS.map(([ratio, script, ours, theirs, limit]) => ({
    ratio,
    value: medianOf(summaries, nameOf(script, ours)) / medianOf(summaries, nameOf(script, theirs)),
    limit,
  }));
  return ratios.filter(({ value }) => !Number.isNaN(value));
}

function nameOf(script: Script, tool: string): string {
  return `write to first statement: ${script}, ${tool}`;
}

async function sideload(bench: Bench): Promise<Peer> {
  return await sideloadOf(bench, 'sideload', ALL);
}

/** A page of an extension that may register content scripts, which a changed file may be one of. */
async function sideloadWithScripting(bench: Bench): Promise<Peer> {
  return await sideloadOf(bench, 'sideload with scripting', ['page'], ['scripting']);
}

async function sideloadOf(
  bench: Bench,
  name: string,
  scripts: readonly Script[],
  permissions: readonly string[] = [],
): Promise<Peer> {
  const { client } = await bench.service();
  const beacon = await bench.beacon();
  const id = name.replaceAll(' ', '-');
  const project = await PeerProject.create(join(bench.root, `peer-${id}`), id, PLAIN, beacon, permissions);
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const window = new PushWindow(client, true);
  await window.push(browser, project.folder, 'load');
  const tabs = new PeerTabs(browser.devToolsUrl, project, beacon);
  return {
    name,
    scripts,
    save: async (script) => {
      await tabs.show(script);
      const started = performance.now();
      const build = await project.save(script);
      const pushing = window.pushSaved(browser, project.folder, reloadOf(script));
      const [called] = await Promise.all([beacon.called(build), pushing]);
      return called - started;
    },
  };
}

async function sideloadWithVite(bench: Bench): Promise<Peer> {
  const { client } = await bench.service();
  const beacon = await bench.beacon();
  const install = await PeerInstall.of(VITE, bench.report);
  const project = await PeerProject.create(await install.project(), 'vite-build', VITE_BUILD_IDIOM, beacon);
  const dist = join(project.folder, 'dist');
  await startTool(bench, process.execPath, [install.file('vite', 'bin', 'vite.js'), 'build', '--watch'], project);
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const window = new PushWindow(client, true);
  await eventually('Vite has built', () => window.isComplete(dist), BUILD_LIMIT_MS);
  await window.push(browser, dist, 'load');
  const tabs = new PeerTabs(browser.devToolsUrl, project, beacon);
  let built: () => void = () => undefined;
  const watch = new BuildWatch(
    dist,
    () => window.isComplete(dist),
    () => built(),
  );
  atEnd('the watcher of a build', () => Promise.resolve(watch.close()));
  return {
    name: 'sideload with vite build',
    scripts: ALL,
    save: async (script) => {
      await tabs.show(script);
      const building = new Promise<void>((resolve) => (built = resolve));
      const started = performance.now();
      const build = await project.save(script);
      const pushing = building.then(() => window.pushBuilt(browser, dist, reloadOf(script)));
      const [called] = await Promise.all([beacon.called(build), pushing]);
      return called - started;
    },
  };
}

async function crxjs(bench: Bench): Promise<Peer> {
  const install = await PeerInstall.of(VITE, bench.report);
  const beacon = await bench.beacon();
  const project = await PeerProject.create(await install.project(), 'crxjs', CRXJS_IDIOM, beacon);
  const port = String(await freePort());
  const vite = install.file('vite', 'bin', 'vite.js');
  await startTool(bench, process.execPath, [vite, '--port', port, '--strictPort'], project);
  return peerOf('crxjs', bench, project, join(project.folder, 'dist'));
}

async function wxt(bench: Bench): Promise<Peer> {
  const install = await PeerInstall.of(WXT, bench.report);
  const beacon = await bench.beacon();
  const project = await PeerProject.create(await install.project(), 'wxt', WXT_IDIOM, beacon);
  const port = String(await freePort());
  await startTool(bench, node22(install), [install.file('wxt', 'bin', 'wxt.mjs'), '--port', port], project);
  const output = join(project.folder, '.output');
  let built: string | undefined;
  const isBuilt = async (): Promise<boolean> => {
    const [name] = existsSync(output) ? await readdir(output) : [];
    built = name === undefined ? undefined : join(output, name);
    return built !== undefined && existsSync(join(built, 'manifest.json'));
  };
  await eventually('WXT has built', isBuilt, BUILD_LIMIT_MS);
  return peerOf('wxt', bench, project, built ?? '');
}

/** It starts a browser itself, as a part of its own process group. */
async function extensionJs(bench: Bench): Promise<Peer> {
  const install = await PeerInstall.of(EXTENSION_JS, bench.report);
  const beacon = await bench.beacon();
  const project = await PeerProject.create(await install.project(), 'extension-js', EXTENSION_JS_IDIOM, beacon);
  const program = install.file('extension', 'bin', 'extension.cjs');
  const browser = ['--browser=chromium', '--chromium-binary', bench.executable];
  const args = [
    program,
    'dev',
    '.',
    ...browser,
    '--port',
    String(await freePort()),
    '--no-telemetry',
    '--install',
    'false',
  ];
  const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])].join(' ');
  await startTool(bench, node22(install), args, project, { EXTENSION_BROWSER_FLAGS: flags });
  await beacon.called(project.last('worker'));
  // It does not report its browser's DevTools port, so no tabs can be put in front.
  return reloading('extension-js', bench, project);
}

async function webExt(bench: Bench): Promise<Peer> {
  const program = await fetchWebExt(bench.report);
  const beacon = await bench.beacon();
  const subject = await Subject.create(join(bench.root, 'peer-web-ext'), 'peer-web-ext', beacon);
  const running = await WebExt.start(program, bench.executable, join(bench.root, 'peer-files'), subject, beacon);
  // It closes extension pages, and open tabs keep their content scripts: there is nothing else to measure.
  return { name: 'web-ext', scripts: ['worker'], save: () => running.worker() };
}

/** A tool that reloads the extension in `folder` by itself, in a browser of its own. */
async function peerOf(name: string, bench: Bench, project: PeerProject, folder: string): Promise<Peer> {
  const beacon = await bench.beacon();
  await eventually(
    `${name} has built`,
    () => Promise.resolve(existsSync(join(folder, 'manifest.json'))),
    BUILD_LIMIT_MS,
  );
  const profile = join(bench.root, `peer-${name}-profile`);
  await mkdir(profile, { recursive: true });
  const address = await startForPeer(bench.executable, profile, folder);
  await beacon.called(project.last('worker'));
  return reloading(name, bench, project, address);
}

/** A tool that reloads the extension by itself in the browser with that DevTools address; without one, only the worker is measured. */
async function reloading(name: string, bench: Bench, project: PeerProject, address?: string): Promise<Peer> {
  const beacon = await bench.beacon();
  const tabs = address === undefined ? undefined : new PeerTabs(address, project, beacon);
  return {
    name,
    scripts: tabs ? ALL : ['worker'],
    save: async (script) => {
      for (let write = 1; ; write++) {
        await tabs?.show(script);
        const started = performance.now();
        const build = await project.save(script);
        try {
          return (await beacon.called(build)) - started;
        } catch (error) {
          bench.report(`${name}: ${error instanceof Error ? error.message : String(error)}`);
          if (write === WRITES) throw error;
        }
      }
    },
  };
}

/** The Node.js that is installed with a tool. */
function node22(install: PeerInstall): string {
  return install.file(NODE_22, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Starts a tool, which ends with the bench; when it ends before, the error repeats what it has printed. */
async function startTool(
  bench: Bench,
  program: string,
  args: readonly string[],
  { folder }: { readonly folder: string },
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lines: string[] = [];
  const child = await startChild(program, args, {
    cwd: folder,
    env: { ...process.env, CI: '1', NO_COLOR: '1', ...env },
    output: { line: (line) => void lines.push(line) },
  });
  let isEnding = false;
  // What is registered later is closed earlier.
  atEnd('the wait for a tool', () => Promise.resolve(void (isEnding = true)));
  void child.exited.then(() => {
    if (!isEnding) bench.report(`${args.join(' ')} ended: ${lines.join('\n')}`);
  });
}

function reloadOf(script: Script): string {
  return script === 'page' ? 'pages' : 'reload';
}
