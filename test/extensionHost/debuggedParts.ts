/** For tests in the extension host: an extension that has all parts which can be debugged. */
import assert from 'node:assert/strict';
import { build as bundle, type BuildOptions } from 'esbuild';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebuggedFolder } from './debuggedFolder';
import { isJsonObject, jsonOf } from '../support/json';

/** The folder of the build, relative to that of the project. */
const DIST = 'dist';

/** The path of pages of the site in which the content script shows a frame of the extension. */
export const FRAMED_PATH = 'framed';

/** The path of pages of the site in which a script of the main world evaluates a module, as webpack's `eval-source-map` does. */
export const EVALED_PATH = 'evaled';

const MANIFEST = {
  manifest_version: 3,
  name: 'Parts',
  version: '1.0',
  permissions: ['sidePanel', 'offscreen'],
  background: { service_worker: 'worker.js' },
  options_page: 'page.html',
  side_panel: { default_path: 'panel.html' },
  web_accessible_resources: [{ resources: ['frame.html'], matches: ['<all_urls>'] }],
  content_scripts: [
    { matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' },
    { matches: ['http://127.0.0.1/*'], js: ['main.js'], run_at: 'document_start', world: 'MAIN' },
    { matches: [`http://127.0.0.1/${EVALED_PATH}`], js: ['evaled.js'], run_at: 'document_start', world: 'MAIN' },
  ],
};

const WORKER = `globalThis.started = 1;
chrome.runtime.onMessage.addListener((message) => {
  const doubled = message.a * 2;
  globalThis.doubled = doubled;
});
globalThis.add = (a) => {
  const sum = a + 1;
  return sum;
};
globalThis.fail = (why) => {
  const text = 'no ' + why;
  throw new Error(text);
};
globalThis.spin = () => {
  let turns = 0;
  console.log('spinning');
  while (globalThis.isSpinning !== false) turns += 1;
  return turns;
};
`;

/** The pages, and in each of them a constant at line 1 that is used at line 2. */
const PAGES = { panel: 11, frame: 12, offscreen: 13 };

/** Scripts with a source map. Types take lines of their own, which the build has not. */
const SOURCES = {
  'src/twice.ts': `export interface Numbered {
  value: number;
}

export function twice({ value }: Numbered): number {
  const doubled = value * 2;
  return doubled;
}
`,
  'src/content.ts': `import { twice } from './twice';

document.title = String(twice({ value: 21 }));
if (location.pathname === '/${FRAMED_PATH}') {
  const frame = document.createElement('iframe');
  frame.src = chrome.runtime.getURL('frame.html');
  document.documentElement.append(frame);
}
`,
  'src/packed.ts': `interface Wanted {
  value: number;
}

const wanted: Wanted = { value: 4 };
document.title = String(wanted.value);
`,
  'src/evaled.ts': `interface Evaluated {
  value: number;
}

const evaluated: Evaluated = { value: 6 };
document.title = String(evaluated.value);
`,
  'src/alone.ts': `interface Kept {
  value: number;
}

const kept: Kept = { value: 5 };
document.title = String(kept.value);
`,
};

/** Writes the sources, and builds the extension. */
export async function writeParts(folder: DebuggedFolder): Promise<void> {
  const dist = (name: string, text: string): Promise<void> => folder.write(`${DIST}/${name}`, text);
  await folder.write('package.json', '{ "name": "parts" }');
  await dist('manifest.json', JSON.stringify(MANIFEST));
  await dist('worker.js', WORKER);
  await dist('main.js', 'const own = 5;\nglobalThis.mainWorld = own;\n');
  await writePage(folder, 1);
  for (const [name, value] of Object.entries(PAGES)) {
    await dist(`${name}.html`, pageOf(name));
    await dist(`${name}.js`, `const shown = ${value};\nglobalThis.shown = shown;\n`);
  }
  for (const [name, text] of Object.entries(SOURCES)) await folder.write(name, text);
  await bundleOf(folder, 'content', { sourcemap: 'inline' });
  await writeEvaluated(folder);
  await bundleOf(folder, 'alone', { sourcemap: 'linked' });
  await bundleOf(folder, 'packed', { sourcemap: 'linked', sourcesContent: false });
  for (const name of ['alone', 'packed']) await dist(`${name}.html`, pageOf(name));
  // As webpack names them.
  const map = jsonOf(await readFile(join(folder.path, DIST, 'packed.js.map'), 'utf8'));
  assert(map !== undefined && isJsonObject(map));
  await dist('packed.js.map', JSON.stringify({ ...map, sources: ['webpack://parts/./src/packed.ts'] }));
}

/** Writes the options page of a build. */
export async function writePage(folder: DebuggedFolder, build: number): Promise<void> {
  await folder.write(`${DIST}/page.html`, pageOf('page'));
  await folder.write(`${DIST}/page.js`, `const build = ${build};\nglobalThis.build = build;\n`);
}

/** Writes a script that evaluates its module, whose source map and name are in what it evaluates. */
async function writeEvaluated(folder: DebuggedFolder): Promise<void> {
  await bundleOf(folder, 'evaled', { sourcemap: 'linked' });
  const read = (name: string): Promise<string> => readFile(join(folder.path, DIST, name), 'utf8');
  const map = jsonOf(await read('evaled.js.map'));
  assert(map !== undefined && isJsonObject(map));
  const named = JSON.stringify({ ...map, sources: ['webpack://parts/./src/evaled.ts'] });
  const code = (await read('evaled.js')).replace(/\/\/# sourceMappingURL=.*\s*$/, '');
  const address = `data:application/json;base64,${Buffer.from(named).toString('base64')}`;
  const module = `${code}//# sourceMappingURL=${address}\n//# sourceURL=webpack-internal:///./src/evaled.ts\n`;
  await folder.write(`${DIST}/evaled.js`, `eval(${JSON.stringify(module)});\n`);
  await rm(join(folder.path, DIST, 'evaled.js.map'));
}

function pageOf(name: string): string {
  return `<!doctype html><title>${name}</title><script src="${name}.js"></script>`;
}

async function bundleOf({ path }: DebuggedFolder, name: string, options: BuildOptions): Promise<void> {
  await bundle({
    entryPoints: [join(path, 'src', `${name}.ts`)],
    outfile: join(path, DIST, `${name}.js`),
    bundle: true,
    ...options,
  });
}
