// Covers: test/fixtures/bundles, test/fixtures/sample/icons
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isFullRun } from '../runner/seed';

const FIXTURE = join(__dirname, '..', 'fixtures', 'bundles');
const PROJECT = join(FIXTURE, 'project');
const ICON = join(__dirname, '..', 'fixtures', 'sample', 'icons', '128.png');

/** The parts of the extension; all but the first run in pages. The last one is a page that nobody sees, which the worker opens. */
export const PARTS = ['worker', 'content', 'main', 'popup', 'options', 'panel', 'offscreen'] as const;
export type Part = (typeof PARTS)[number];

/** How each part fails, in the words of its errors. */
export const WAYS = ['throw', 'reject', 'catch', 'import', 'handler', 'console', 'stack'] as const;
export type Way = (typeof WAYS)[number];

/** How the content script fails besides, at its start, which a bundler's loader reports. */
export const AT_START = 'content: start';

/** What the extension is built with; `plain` has no bundler. */
export const BUNDLERS = ['plain', 'webpack', 'crxjs', 'wxt', 'parcel', 'plasmo'] as const;
export type Bundler = (typeof BUNDLERS)[number];

/** Where each bundler writes the extension, in the folder of the project. */
export const OUTPUT: Readonly<Record<Bundler, string>> = {
  plain: 'dist',
  webpack: 'dist',
  crxjs: 'dist',
  wxt: '.output/chrome-mv3',
  parcel: 'dist',
  plasmo: 'build/chrome-mv3-prod',
};

/** The npm packages of each bundler, at the versions of the recorded builds. */
export const PACKAGES: Readonly<Record<Exclude<Bundler, 'plain'>, readonly string[]>> = {
  webpack: ['webpack@5.112.2', 'webpack-cli@6'],
  crxjs: ['vite@6.4.6', '@crxjs/vite-plugin@3.0.0'],
  wxt: ['wxt@0.21.0', 'vite@6.4.6'],
  parcel: ['parcel@2.16.4', '@parcel/config-webextension@2.16.4'],
  plasmo: ['plasmo@0.90.5'],
};

/** What shares a module, so that a bundler makes a chunk of it and needs a loader for the content script. */
const SHARING: readonly Part[] = ['content', 'popup'];

const START = `throw new Error('${AT_START}');\n`;

/** The command of each bundler. */
const BUILD: Readonly<Record<Exclude<Bundler, 'plain'>, readonly string[]>> = {
  webpack: ['webpack'],
  crxjs: ['vite', 'build'],
  wxt: ['wxt', 'build'],
  // The source maps of what it minifies have no place in any source: its optimizer loses them (2.16.4).
  parcel: ['parcel', 'build', 'manifest.json', '--no-cache', '--no-optimize'],
  plasmo: ['plasmo', 'build', '--source-maps'],
};

/** The sites that the content scripts run in. */
const MATCHES = ['http://127.0.0.1/*'];

/** What a part loads at run time: a module of the extension where it may, as workers may not. */
const LOAD: Readonly<Record<Part, string>> = {
  worker: "async () => {\n  await null;\n  throw new Error('worker: import');\n}",
  content: "() => import(/* @vite-ignore */ /* webpackIgnore: true */ chrome.runtime.getURL('late.js?part=content'))",
  main: '() => import(/* @vite-ignore */ /* webpackIgnore: true */ `${/chrome-extension:..[a-p]+/.exec(String(new Error().stack))}/late.js?part=main`)',
  popup: "() => import(/* @vite-ignore */ /* webpackIgnore: true */ chrome.runtime.getURL('late.js?part=popup'))",
  options: "() => import(/* @vite-ignore */ /* webpackIgnore: true */ chrome.runtime.getURL('late.js?part=options'))",
  panel: "() => import(/* @vite-ignore */ /* webpackIgnore: true */ chrome.runtime.getURL('late.js?part=panel'))",
  offscreen:
    "() => import(/* @vite-ignore */ /* webpackIgnore: true */ chrome.runtime.getURL('late.js?part=offscreen'))",
};

const PAGES = ['popup', 'options', 'panel', 'offscreen'] as const;

/** The source of a part, which each bundler gets. */
export async function sourceOf(part: Part): Promise<string> {
  return (await readFile(join(PROJECT, 'part.js'), 'utf8')).replaceAll('PART', part);
}

/** The line of a way of failing in the source of a part, from 1; what a part loads is in another file. */
export async function lineOf(part: Part, way: Way): Promise<number> {
  return (await sourceOf(part)).split('\n').findIndex((line) => line.includes(`${part}: ${way}'`)) + 1;
}

/** Writes the project of a bundler. */
export async function writeProject(root: string, bundler: Bundler): Promise<void> {
  const files = new Map<string, string>();
  for (const part of PARTS) files.set(`src/${part}.js`, await sourceOf(part));
  const late = await readFile(join(PROJECT, 'late.js'), 'utf8');
  files.set('src/shared.js', "export const shared = () => {\n  document.documentElement.dataset.shared = '1';\n};\n");
  const entry = (part: Part, from = '../src', load = LOAD[part]): string =>
    `import { fault } from '${from}/${part}.js';\n${
      SHARING.includes(part) ? `import { shared } from '${from}/shared.js';\nshared();\n` : ''
    }fault(${load});\n${part === 'content' ? START : ''}`;
  const page = (name: string, script: string): string =>
    `<!doctype html><title>${name}</title><script type="module" src="${script}"></script>\n`;
  switch (bundler) {
    case 'plain':
      for (const part of PARTS) {
        const text = (await sourceOf(part)).replace('export function', 'function');
        files.set(`dist/${part}.js`, `${text}fault(${LOAD[part]});\n${part === 'content' ? START : ''}`);
      }
      for (const name of PAGES) files.set(`dist/${name}.html`, page(name, `${name}.js`));
      files.set('dist/late.js', late);
      files.set(
        'dist/manifest.json',
        manifest((part) => `${part}.js`),
      );
      break;
    case 'webpack':
      for (const part of PARTS) files.set(`entries/${part}.js`, entry(part));
      for (const name of PAGES) files.set(`public/${name}.html`, page(name, `${name}.js`));
      files.set('public/late.js', late);
      files.set(
        'public/manifest.json',
        manifest((part) => `${part}.js`),
      );
      files.set(
        'webpack.config.cjs',
        `module.exports = {
  mode: 'production',
  devtool: 'source-map',
  entry: ${JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, `./entries/${part}.js`])))},
};
`,
      );
      break;
    case 'crxjs':
      for (const part of PARTS) files.set(`entries/${part}.js`, entry(part));
      for (const name of PAGES) files.set(`${name}.html`, page(name, `/entries/${name}.js`));
      files.set('public/late.js', late);
      files.set(
        'manifest.json',
        manifest((part) => `entries/${part}.js`),
      );
      files.set(
        'vite.config.mjs',
        `import { crx } from '@crxjs/vite-plugin';
import manifest from './manifest.json' with { type: 'json' };
export default { plugins: [crx({ manifest })], build: { sourcemap: true, rollupOptions: { input: ['panel.html', 'popup.html', 'options.html', 'offscreen.html'] } } };
`,
      );
      break;
    case 'wxt': {
      const call = (part: Part): string => `import { fault } from '../src/${part}.js';\n`;
      const content = (part: Part, more: string): string =>
        `${call(part)}export default defineContentScript({ matches: ${JSON.stringify(MATCHES)}, ${more}main() {\nfault(${LOAD[part]});\n${part === 'content' ? START : ''}} });\n`;
      files.set(
        'entrypoints/background.js',
        `${call('worker')}export default defineBackground(() => { fault(${LOAD.worker}); });\n`,
      );
      files.set('entrypoints/content.content.js', content('content', ''));
      files.set('entrypoints/main.content.js', content('main', "world: 'MAIN', "));
      for (const [name, folder] of [
        ['popup', 'popup'],
        ['options', 'options'],
        ['panel', 'sidepanel'],
        ['offscreen', 'offscreen'],
      ] as const) {
        files.set(`entrypoints/${folder}/index.html`, page(name, `./main.js`));
        files.set(`entrypoints/${folder}/main.js`, entry(name, '../../src'));
      }
      files.set('public/late.js', late);
      const { name, version, permissions, web_accessible_resources } = JSON.parse(manifest(String)) as Record<
        string,
        unknown
      >;
      files.set(
        'wxt.config.mjs',
        `export default { manifest: ${JSON.stringify({ name, version, permissions, web_accessible_resources })}, vite: () => ({ build: { sourcemap: true } }) };\n`,
      );
      break;
    }
    case 'parcel':
      for (const part of PARTS) files.set(`entries/${part}.js`, entry(part));
      for (const name of PAGES) files.set(`${name}.html`, page(name, `entries/${name}.js`));
      files.set('late.js', late);
      files.set(
        'manifest.json',
        manifest((part) => `entries/${part}.js`)
          .replace('"background": {', '"background": {\n    "type": "module",')
          // Its pages are those that the manifest names.
          .replace('"late.js"', '"late.js", "offscreen.html"'),
      );
      files.set('.parcelrc', JSON.stringify({ extends: '@parcel/config-webextension' }));
      break;
    case 'plasmo': {
      // It takes a folder src for its own.
      for (const name of [...PARTS, 'shared']) {
        files.set(`faults/${name}.js`, files.get(`src/${name}.js`) ?? '');
        files.delete(`src/${name}.js`);
      }
      // It imports by its own loader alone, which needs a script of a page: content scripts have none.
      const loadOf = (part: Part, from: string): string =>
        part === 'content' || part === 'main'
          ? LOAD.worker.replace('worker', part)
          : `() => import('${from}/${part}.late.js')`;
      for (const part of PARTS) files.set(`faults/${part}.late.js`, `throw new Error('${part}: import');\n`);
      const entryOf = (part: Part, from = '../faults'): string => entry(part, from, loadOf(part, from));
      const script = (part: Part, more: string): string =>
        `export const config = { matches: ${JSON.stringify(MATCHES)}${more} };\n${entryOf(part)}`;
      files.set('background.js', entryOf('worker', './faults'));
      files.set('contents/content.js', script('content', ''));
      files.set('contents/main.js', script('main', ", world: 'MAIN'"));
      for (const [name, path, up] of [
        ['popup', 'popup', '.'],
        ['options', 'options', '.'],
        ['panel', 'sidepanel', '.'],
        ['offscreen', 'tabs/offscreen', '..'],
      ] as const) {
        files.set(`${path}.jsx`, `${entryOf(name, `${up}/faults`)}export default () => null;\n`);
      }
      files.set('tsconfig.json', JSON.stringify({ extends: 'plasmo/templates/tsconfig.base' }));
      const { permissions } = JSON.parse(manifest(String)) as Record<string, unknown>;
      await mkdir(join(root, 'assets'), { recursive: true });
      await cp(ICON, join(root, 'assets', 'icon.png'));
      files.set(
        'package.json',
        packageJson({ displayName: 'Faults', manifest: { permissions, host_permissions: MATCHES } }),
      );
    }
  }
  if (bundler !== 'plain' && !files.has('package.json')) files.set('package.json', packageJson({ type: 'module' }));
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** How long npm and a bundler may take, in milliseconds. */
const BUILD_LIMIT_MS = 600_000;

/** Puts the recorded build of a bundler into its project; with the full doses it is built again, with the bundler from npm. `plain` is its own build. */
export async function useBuild(root: string, bundler: Bundler): Promise<void> {
  if (bundler === 'plain') return;
  if (isFullRun()) await build(root, bundler);
  else await cp(join(FIXTURE, 'recorded', bundler), join(root, OUTPUT[bundler]), { recursive: true });
}

/** Builds a project as its `dist` was recorded. Rejects with what npm or the bundler has written. */
async function build(root: string, bundler: Exclude<Bundler, 'plain'>): Promise<void> {
  const run = async (command: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)(command, args, {
      cwd: root,
      timeout: BUILD_LIMIT_MS,
      shell: process.platform === 'win32',
    });
  };
  await run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES[bundler]);
  await run('npx', ...BUILD[bundler]);
  const output = join(root, OUTPUT[bundler]);
  if (bundler === 'webpack') await cp(join(root, 'public'), output, { recursive: true });
  // It would put the address of the source in place of that of the module.
  if (bundler === 'parcel') await cp(join(root, 'late.js'), join(output, 'late.js'));
}

function packageJson(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name: 'faults', version: '1.0.0', private: true, ...more });
}

function manifest(scriptOf: (part: Part) => string): string {
  const value = {
    manifest_version: 3,
    name: 'Faults',
    version: '1.0.0',
    permissions: ['sidePanel', 'offscreen'],
    background: { service_worker: scriptOf('worker') },
    content_scripts: [
      { matches: MATCHES, js: [scriptOf('content')] },
      { matches: MATCHES, js: [scriptOf('main')], world: 'MAIN' },
    ],
    action: { default_popup: 'popup.html' },
    options_ui: { page: 'options.html' },
    side_panel: { default_path: 'panel.html' },
    web_accessible_resources: [{ resources: ['late.js'], matches: MATCHES }],
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
