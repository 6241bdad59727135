// Covers: test/fixtures/bundles
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isFullRun } from '../runner/seed';

/** The folders of the sources and of the recorded builds, in the repository. */
const SOURCES = join('test', 'fixtures', 'bundles', 'stops');
const RECORDED = join('test', 'fixtures', 'bundles', 'debugged');

/** Of the repository as well. Plasmo builds nothing without one. */
const ICON = join('test', 'fixtures', 'sample', 'icons', '128.png');

/** The parts of the extension that is debugged. */
export const PARTS = ['worker', 'own', 'main', 'popup', 'options', 'panel', 'offscreen'] as const;
export type Part = (typeof PARTS)[number];

/** The parts that are pages. */
const PAGES = ['popup', 'options', 'panel', 'offscreen'] as const;

/** The sites that the content scripts run in. */
const MATCHES = ['http://127.0.0.1/*'];

const ESBUILD_LOADER = ['webpack@5.112.2', 'webpack-cli@6', 'esbuild-loader@4'];

/** How an extension is built. */
export interface Build {
  /** The npm packages; none without a bundler. */
  readonly packages: readonly string[];
  /** The commands, each with its arguments, which `npx` runs. */
  readonly commands: readonly (readonly string[])[];
  /** The folder of the extension, in that of the project. */
  readonly output: string;
  /** The files of the project, which come from the repository. */
  readonly files: (repository: string) => Promise<Record<string, string | Uint8Array>>;
  /** The source of a part, in the folder of the project. */
  readonly sourceOf: (part: Part | 'twice') => string;
  /** Whether its names are those of the source. */
  readonly isPlain: boolean;
}

/** The builds whose stops are tested. */
export const BUILDS = {
  unbundled: {
    packages: [],
    commands: [],
    output: 'dist',
    isPlain: true,
    sourceOf: (part) => `dist/${part}.js`,
    files: async (repository) => {
      const files: Record<string, string> = { 'dist/manifest.json': manifest((part) => `${part}.js`) };
      const twice = untyped(await sourceOf(repository, 'twice')).replace('export ', '');
      for (const part of PARTS) {
        // Its lines are those of the source; a function is there before its first line.
        files[`dist/${part}.js`] = `${untyped(await sourceOf(repository, part))}${twice}`;
      }
      for (const name of PAGES) files[`dist/${name}.html`] = page(name, `${name}.js`);
      return files;
    },
  },
  'webpack source-map': webpack('production', 'source-map'),
  'webpack inline-source-map': webpack('development', 'inline-source-map'),
  'webpack eval-source-map': webpack('development', 'eval-source-map'),
  'Vite and CRXJS': {
    packages: ['vite@6.4.6', '@crxjs/vite-plugin@3.0.0'],
    commands: [['vite', 'build']],
    output: 'dist',
    isPlain: false,
    sourceOf: (part) => `src/${part}.ts`,
    files: async (repository) => ({
      ...(await sources(repository, 'src')),
      ...Object.fromEntries(PAGES.map((name) => [`${name}.html`, page(name, `/src/${name}.ts`)])),
      'manifest.json': manifest((part) => `src/${part}.ts`),
      'vite.config.mjs': `import { crx } from '@crxjs/vite-plugin';
import manifest from './manifest.json' with { type: 'json' };
export default { plugins: [crx({ manifest })], build: { sourcemap: true, rollupOptions: { input: ${JSON.stringify(PAGES.map((name) => `${name}.html`))} } } };
`,
    }),
  },
  WXT: wxt(false),
  'WXT, minified': wxt(true),
  Parcel: {
    packages: ['parcel@2.16.4', '@parcel/config-webextension@2.16.4'],
    // The source maps of what it minifies have no place in any source: its optimizer loses them (2.16.4).
    commands: [['parcel', 'build', 'manifest.json', '--no-cache', '--no-optimize']],
    output: 'dist',
    isPlain: false,
    sourceOf: (part) => `src/${part}.ts`,
    files: async (repository) => ({
      ...(await sources(repository, 'src')),
      ...Object.fromEntries(PAGES.map((name) => [`${name}.html`, page(name, `src/${name}.ts`)])),
      'manifest.json': manifest((part) => `src/${part}.ts`)
        .replace('"background": {', '"background": {\n    "type": "module",')
        // Its pages are those that the manifest names.
        .replace(
          '"name": "Stops",',
          `"name": "Stops",\n  "web_accessible_resources": [{ "resources": ["offscreen.html"], "matches": ${JSON.stringify(MATCHES)} }],`,
        ),
      '.parcelrc': JSON.stringify({ extends: '@parcel/config-webextension' }),
    }),
  },
  Plasmo: {
    packages: ['plasmo@0.90.5', 'typescript@5.9.3'],
    commands: [['plasmo', 'build', '--source-maps']],
    output: 'build/chrome-mv3-prod',
    isPlain: false,
    sourceOf: (part) => PLASMO[part],
    files: async (repository) => {
      const files: Record<string, string | Uint8Array> = { 'assets/icon.png': await readFile(join(repository, ICON)) };
      for (const part of [...PARTS, 'twice'] as const) {
        const text = await sourceOf(repository, part);
        const world = part === 'main' ? `, world: 'MAIN'` : '';
        const config = `export const config = { matches: ${JSON.stringify(MATCHES)}, run_at: 'document_start'${world} };\n`;
        files[PLASMO[part]] =
          part === 'own' || part === 'main' ? inFolder(text) + config : part === 'offscreen' ? inFolder(text) : text;
      }
      const { version, permissions } = JSON.parse(manifest(String)) as Record<string, unknown>;
      const dependencies = { plasmo: '0.90.5' };
      files['package.json'] = JSON.stringify({
        name: 'stops',
        displayName: 'Stops',
        version,
        private: true,
        dependencies,
        manifest: { permissions, host_permissions: MATCHES },
      });
      files['tsconfig.json'] = JSON.stringify({
        extends: 'plasmo/templates/tsconfig.base',
        include: ['.plasmo/index.d.ts', './**/*.ts', './**/*.tsx'],
        compilerOptions: { paths: { '~*': ['./*'] }, baseUrl: '.' },
      });
      return files;
    },
  },
} as const satisfies Record<string, Build>;

export type BuildName = keyof typeof BUILDS;

/** The source of a part, or of the module that all of them use. */
async function sourceOf(repository: string, part: Part | 'twice'): Promise<string> {
  if (part === 'twice') return readFile(join(repository, SOURCES, 'twice.ts'), 'utf8');
  const text = await readFile(join(repository, SOURCES, part === 'worker' ? 'worker.ts' : 'part.ts'), 'utf8');
  return text.replaceAll('PART', part);
}

async function sources(repository: string, folder: string): Promise<Record<string, string>> {
  const all = [...PARTS, 'twice'] as const;
  return Object.fromEntries(
    await Promise.all(all.map(async (part) => [`${folder}/${part}.ts`, await sourceOf(repository, part)] as const)),
  );
}

/** TypeScript without its types, each line at its place. */
function untyped(text: string): string {
  return text
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export interface [^]*?^}$/gm, (all) => all.replaceAll(/.+/g, '//'))
    .replaceAll(/(?<=[\w)]): (?:Told|number)\b/g, '');
}

function webpack(mode: string, devtool: string): Build {
  return {
    packages: ESBUILD_LOADER,
    commands: [['webpack']],
    output: 'dist',
    isPlain: mode === 'development',
    sourceOf: (part) => `src/${part}.ts`,
    files: async (repository) => ({
      ...(await sources(repository, 'src')),
      ...Object.fromEntries(PAGES.map((name) => [`public/${name}.html`, page(name, `${name}.js`)])),
      'public/manifest.json': manifest((part) => `${part}.js`),
      // What is evaluated runs only where the page's own policy allows it: in the main world.
      'webpack.config.cjs': `const entries = ${JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, `./src/${part}.ts`])))};
const build = (devtool, wanted) => ({
  mode: '${mode}',
  devtool,
  name: devtool,
  entry: Object.fromEntries(Object.entries(entries).filter(([part]) => wanted(part))),
  resolve: { extensions: ['.ts', '.js'] },
  module: { rules: [{ test: /\\.ts$/, loader: 'esbuild-loader', options: { target: 'es2022' } }] },
});
module.exports = ${
        devtool.startsWith('eval')
          ? `[build('${devtool}', (part) => part === 'main'), build('source-map', (part) => part !== 'main')]`
          : `build('${devtool}', () => true)`
      };
`,
    }),
  };
}

function wxt(isMinified: boolean): Build {
  return {
    packages: ['wxt@0.21.0', 'vite@6.4.6'],
    commands: [['wxt', 'build']],
    output: '.output/chrome-mv3',
    isPlain: !isMinified,
    sourceOf: (part) => WXT[part],
    files: async (repository) => {
      const files: Record<string, string> = { [WXT.twice]: await sourceOf(repository, 'twice') };
      for (const part of PARTS) {
        const text = (await sourceOf(repository, part)).replace(
          './twice',
          part === 'worker' || part === 'own' || part === 'main' ? '../src/twice' : '../../src/twice',
        );
        const [imports = '', ...code] = text.split(/(?<=\n)(?=const )/);
        const called = (how: string): string => `${imports}${how}\n${code.join('')}} });\n`;
        files[WXT[part]] =
          part === 'worker'
            ? called('export default defineBackground({ main() {')
            : part === 'own'
              ? called(
                  `export default defineContentScript({ matches: ${JSON.stringify(MATCHES)}, runAt: 'document_start', main() {`,
                )
              : part === 'main'
                ? called(
                    `export default defineContentScript({ matches: ${JSON.stringify(MATCHES)}, runAt: 'document_start', world: 'MAIN', main() {`,
                  )
                : text;
        if ((PAGES as readonly Part[]).includes(part))
          files[join(dirname(WXT[part]), 'index.html')] = page(part, `./${part}.ts`);
      }
      const { name, version, permissions } = JSON.parse(manifest(String)) as Record<string, unknown>;
      files['wxt.config.mjs'] =
        `export default { manifest: ${JSON.stringify({ name, version, permissions })}, vite: () => ({ build: { sourcemap: true, minify: ${isMinified} } }) };\n`;
      return files;
    },
  };
}

/** The entry points, which WXT finds by their names. */
const WXT: Readonly<Record<Part | 'twice', string>> = {
  worker: 'entrypoints/background.ts',
  own: 'entrypoints/own.content.ts',
  main: 'entrypoints/main.content.ts',
  popup: 'entrypoints/popup/popup.ts',
  options: 'entrypoints/options/options.ts',
  panel: 'entrypoints/sidepanel/panel.ts',
  offscreen: 'entrypoints/offscreen/offscreen.ts',
  twice: 'src/twice.ts',
};

/** The entry points, which Plasmo finds by their names. */
const PLASMO: Readonly<Record<Part | 'twice', string>> = {
  worker: 'background.ts',
  own: 'contents/own.ts',
  main: 'contents/main.ts',
  popup: 'popup.tsx',
  options: 'options.tsx',
  panel: 'sidepanel.tsx',
  offscreen: 'tabs/offscreen.tsx',
  twice: 'twice.ts',
};

/** A source in a folder beside the module that all of them use. */
function inFolder(text: string): string {
  return text.replace('./twice', '../twice');
}

/** Writes a project, with its recorded build; with the full doses it is built again, with the bundler from npm. */
export async function writeBuild(root: string, name: BuildName, repository: string): Promise<void> {
  const build: Build = BUILDS[name];
  const files = { ...(await build.files(repository)) };
  if (build.packages.length > 0) {
    files['package.json'] ??= JSON.stringify({ name: 'stops', version: '1.0.0', private: true, type: 'module' });
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  if (build.packages.length === 0) return;
  if (isFullRun()) await runBuild(root, build);
  else await cp(join(repository, RECORDED, recordedName(name)), join(root, build.output), { recursive: true });
}

/** The folder of a recorded build, among the others. */
export function recordedName(name: BuildName): string {
  return name.replaceAll(/\W+/g, '-').toLowerCase();
}

/** How long npm and a bundler may take, in milliseconds. */
const BUILD_LIMIT_MS = 600_000;

/** Builds a project as it was recorded. Rejects with what npm or the bundler has written. */
export async function runBuild(root: string, { packages, commands, output }: Build): Promise<void> {
  const run = async (command: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)(command, args, {
      cwd: root,
      timeout: BUILD_LIMIT_MS,
      shell: process.platform === 'win32',
    });
  };
  await rm(join(root, output), { recursive: true, force: true });
  await run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...packages);
  for (const args of commands) await run('npx', ...args);
  const copied = await readdir(join(root, 'public')).catch(() => []);
  for (const name of copied) await cp(join(root, 'public', name), join(root, output, name));
}

function page(name: string, script: string): string {
  return `<!doctype html><title>${name}</title><script type="module" src="${script}"></script>\n`;
}

function manifest(scriptOf: (part: Part) => string): string {
  const run = { matches: MATCHES, run_at: 'document_start' };
  const value = {
    manifest_version: 3,
    name: 'Stops',
    version: '1.0.0',
    permissions: ['sidePanel', 'offscreen'],
    background: { service_worker: scriptOf('worker') },
    content_scripts: [
      { ...run, js: [scriptOf('own')] },
      { ...run, js: [scriptOf('main')], world: 'MAIN' },
    ],
    action: { default_popup: 'popup.html' },
    options_ui: { page: 'options.html', open_in_tab: true },
    side_panel: { default_path: 'panel.html' },
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
