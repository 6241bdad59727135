import type { Build } from './build';
import type { Scenario } from './scenario';

const WORKER = 'worker.js';

/** The smallest build with a worker. */
export function build(number: number, files: Record<string, string> = {}, manifest: object = {}): Build {
  return {
    manifest: {
      manifest_version: 3,
      name: 'Scenario',
      version: '1.0',
      background: { service_worker: WORKER },
      ...manifest,
    },
    files: { [WORKER]: `globalThis.BUILD = ${number};\n`, ...files },
  };
}

/** A build with a content script for the scenario's site, which its worker may inject. */
function withContentScript(number: number): Build {
  return build(
    1,
    { 'content.js': `document.title = 'build ${number}';\n` },
    {
      permissions: ['scripting', 'tabs'],
      host_permissions: ['http://127.0.0.1/*'],
      content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
    },
  );
}

const PAGE = '<!doctype html><title>Page</title><script src="page.js"></script>';

/** A build with a page that can be opened in a tab. */
function withPage(worker: number, page: number): Build {
  return build(worker, { 'page.html': PAGE, 'page.js': `globalThis.PAGE = ${page};\n` });
}

function withPanel(number: number): Build {
  return build(
    number,
    { 'panel.html': PAGE.replace('page.js', 'panel.js'), 'panel.js': `globalThis.PANEL = ${number};\n` },
    { permissions: ['sidePanel'], side_panel: { default_path: 'panel.html' } },
  );
}

/** A build that is large enough for a spare; of its files, `number` changes one. */
export function large(number: number): Build {
  const filler = (at: number): string => `/* ${'x'.repeat(24_000)} */ globalThis.PART_${at} = ${at};\n`;
  return build(number, { 'lib/one.js': filler(1), 'lib/two.js': filler(2), 'lib/three.js': filler(3) });
}

const FIRST = 'running 1.0 by load, worker running';
const RELOADED = 'running 1.0 by reload, worker running';

/** What Chromium does with two tabs of the site, one in front, when a content script changes. */
function contentScripts(tabs: 'visible' | 'all' | 'inject' | 'none'): Scenario {
  return {
    name: `content-scripts-${tabs}`,
    title: `a changed content script, with the tabs ${tabs}`,
    run: async (on) => {
      await on.push(withContentScript(1));
      await on.act({ act: 'open site' });
      await on.act({ act: 'open site', isBehind: true });
      await on.push(withContentScript(2), { tabs });
    },
    outcomes: [FIRST, RELOADED],
  };
}

/** What is recorded of Chromium. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'worker',
    title: 'a first push without a restart, and two changes of the worker',
    run: async (on) => {
      for (const number of [1, 2, 3]) await on.push(build(number));
    },
    outcomes: [FIRST, RELOADED, RELOADED],
  },
  {
    name: 'manifest',
    title: 'a change of the manifest',
    run: async (on) => {
      await on.push(build(1));
      await on.push(build(1, {}, { version: '2.0' }));
    },
    outcomes: [FIRST, 'running 2.0 by load, worker running'],
  },
  {
    name: 'upload',
    title: 'a first push by the upload, which restarts the browser, and a change of the worker',
    run: async (on) => {
      await on.push(build(1), { confirmRestart: () => Promise.resolve('restart') });
      await on.push(build(2));
    },
    outcomes: [FIRST, RELOADED],
  },
  {
    name: 'page',
    title: 'a change of a page that is open in a tab, and of nothing else',
    run: async (on) => {
      await on.push(withPage(1, 1));
      await on.act({ act: 'open page', path: 'page.html' });
      await on.push(withPage(1, 2));
    },
    outcomes: [FIRST, 'running 1.0 by pages, worker kept'],
  },
  {
    name: 'kept-tab',
    title: 'a change of the worker, with a page of the extension open in a tab',
    run: async (on) => {
      await on.push(withPage(1, 1));
      await on.act({ act: 'open page', path: 'page.html' });
      await on.push(withPage(2, 1));
    },
    outcomes: [FIRST, RELOADED],
  },
  {
    name: 'side-panel',
    title: 'a change of the worker, with a side panel open',
    run: async (on) => {
      await on.push(withPanel(1));
      await on.act({ act: 'open side panel' });
      await on.push(withPanel(2));
    },
    outcomes: [FIRST, RELOADED],
  },
  ...(['visible', 'all', 'inject', 'none'] as const).map(contentScripts),
  {
    name: 'refused-manifest',
    title: 'a manifest that Chromium refuses, with a page of the extension open',
    run: async (on) => {
      await on.push(withPage(1, 1));
      await on.act({ act: 'open page', path: 'page.html' });
      const { manifest, files } = withPage(2, 1);
      await on.push({ manifest: { ...manifest, default_locale: 'en' }, files });
    },
    outcomes: [FIRST, 'refused: Default locale was specified, but _locales subtree is missing.'],
  },
  {
    name: 'refused-reload',
    title: 'a file that Chromium refuses at a fast reload',
    run: async (on) => {
      await on.push(withContentScript(1));
      const { manifest, files } = withContentScript(2);
      await on.push({ manifest, files: { [WORKER]: files[WORKER] ?? '' } });
    },
    outcomes: [FIRST, "refused: Could not load javascript 'content.js' for script."],
  },
  {
    name: 'syntax-error',
    title: 'a worker with a syntax error, and the next build without',
    run: async (on) => {
      await on.push(build(1));
      await on.push(build(2, { [WORKER]: 'globalThis.BUILD = ;\n' }));
      await on.push(build(3));
    },
    outcomes: [FIRST, "worker failed: SyntaxError: Unexpected token ';' at 0:19", FIRST],
  },
  {
    name: 'throws',
    title: 'a worker that throws at its start',
    run: async (on) => {
      await on.push(build(1, { [WORKER]: 'globalThis.missing.part();\n' }));
    },
    outcomes: ["worker failed: TypeError: Cannot read properties of undefined (reading 'part') at 0:19"],
  },
  {
    name: 'unchanged',
    title: 'an unchanged build, pushed by hand and with skipUnchanged',
    run: async (on) => {
      await on.push(build(1));
      await on.push(build(1));
      await on.push(build(1), { skipUnchanged: true });
    },
    outcomes: [FIRST, 'running 1.0 by none, worker kept', 'unchanged'],
  },
  {
    name: 'doubled',
    title: 'a push beside a copy of the extension that somebody else has uploaded',
    run: async (on) => {
      await on.uploadByHand('by-hand', build(1));
      await on.push(build(2));
    },
    outcomes: ['doubled by 1'],
  },
  {
    name: 'spare',
    title: 'two changes of a large extension, the second over a spare',
    run: async (on) => {
      for (const number of [1, 2, 3]) await on.push(large(number));
    },
    outcomes: [FIRST, RELOADED, RELOADED],
  },
  {
    name: 'no-worker',
    title: 'an extension without a worker',
    run: async (on) => {
      const { manifest, files } = build(1, { 'content.js': '0;\n' });
      const { background: _, ...rest } = manifest;
      const content_scripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }];
      const first: Build = { manifest: { ...rest, name: 'Scenario', version: '1.0', content_scripts }, files };
      await on.push(first);
      await on.push({ ...first, files: { ...files, 'content.js': '1;\n' } });
    },
    outcomes: ['running 1.0 by load, worker none', 'running 1.0 by reload, worker none'],
  },
];

/** The scenario of this name. */
export function scenarioOf(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`There is no scenario "${name}".`);
  return found;
}
