// Builds the bundles that ship (and, with --tests, the test bundles that run inside an extension host; with --terminal, those of the npm package alone).
import { build, context, transform, type BuildOptions, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

/**
 * The functions of `src/devtools/inPage/` run in pages, to which their text is sent: in the bundles each of them is that text alone, in which the
 * names of its variables are kept and no helper of a bundler is used. Fails for a file of which something else is left than functions.
 */
const PAGE_TEXTS: Plugin = {
  name: 'page-texts',
  setup: (building) => {
    building.onLoad({ filter: /[\\/]src[\\/]devtools[\\/]inPage[\\/]\w+\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), {
        loader: 'ts',
        format: 'cjs',
        target: 'es2023',
        minifyWhitespace: true,
      });
      // There is no `require`, so that an import fails.
      const loaded: { exports: object } = { exports: {} };
      runInContext(code, createContext({ module: loaded }));
      const texts = Object.entries(loaded.exports).map(([name, value]: [string, unknown]) => {
        if (typeof value !== 'function') throw new Error(`${name} of ${path} is not a function.`);
        return `export const ${name} = /* @__PURE__ */ inPage(${JSON.stringify(String(value))});`;
      });
      const inPage = `const inPage = (text) => Object.assign(() => { throw new Error('It runs in pages alone.'); }, { toString: () => text });`;
      return { contents: [inPage, ...texts].join('\n'), loader: 'js', watchFiles: [path] };
    });
  },
};

/** The options of every bundle that runs in Node.js: in the extension host, or as a process or a thread of its own. */
export const NODE_BUNDLE: BuildOptions = {
  absWorkingDir: __dirname,
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  // jsonc-parser's `main` is a form that bundlers cannot follow.
  mainFields: ['module', 'main'],
  keepNames: true,
  // Names of shared files come from paths, which are the same wherever the folder of the packages is.
  preserveSymlinks: true,
  logLevel: 'warning',
  // Optional accelerators of ws; absent, it uses its own code.
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
  plugins: [PAGE_TEXTS],
};

/** The programs that ship, by the name of their file in dist/, each as a bundle of its own. */
export const BUNDLES = {
  extension: { ...NODE_BUNDLE, entryPoints: ['src/extension.ts'], define: { SIDELOAD_BUNDLES: 'true' } },
  cli: { ...NODE_BUNDLE, entryPoints: ['src/programs/cli.ts'], define: { SIDELOAD_BUNDLES: 'true' } },
  mcp: { ...NODE_BUNDLE, entryPoints: ['src/programs/mcp.ts'], define: { SIDELOAD_BUNDLES: 'true' } },
  local: { ...NODE_BUNDLE, entryPoints: ['src/local/main.ts'] },
  compress: { ...NODE_BUNDLE, entryPoints: ['src/archive/compressWorker.ts'] },
  check: { ...NODE_BUNDLE, entryPoints: ['src/push/prepare/checkWorker.ts'] },
  code: { ...NODE_BUNDLE, entryPoints: ['src/manifest/use/codeWorker.ts'] },
  uninstall: { ...NODE_BUNDLE, entryPoints: ['src/programs/uninstall.ts'] },
  sources: { ...NODE_BUNDLE, entryPoints: ['src/sources/sourceWorker.ts'] },
} satisfies Record<string, BuildOptions>;

/** The programs of the package for npm: all that a terminal, a pipeline or an agent needs, without an editor. */
export const TERMINAL_BUNDLES = Object.fromEntries(
  Object.entries(BUNDLES).filter(([name]) => name !== 'extension' && name !== 'uninstall'),
);

/** The script of the screen's page. */
export const PAGE_BUNDLE: BuildOptions = {
  ...NODE_BUNDLE,
  platform: 'browser',
  target: 'chrome138',
  format: 'iife',
  external: [],
  entryPoints: ['src/screen/page/scroll.ts'],
  outfile: 'dist/scroll.js',
};

/**
 * All programs with what several of them contain in shared files, which halves the package: `dist/NAME.js` for each, and `dist/chunk-*.js`.
 * What a program imports dynamically is a file of its own, too, and is loaded when it is first needed.
 */
export function shippedPrograms(
  outdir: string,
  production: boolean,
  bundles: Readonly<Record<string, { entryPoints: string[] }>> = BUNDLES,
): BuildOptions {
  return {
    ...NODE_BUNDLE,
    entryPoints: Object.entries(bundles).flatMap(([out, { entryPoints }]) =>
      entryPoints.map((path) => ({ in: path, out })),
    ),
    define: { SIDELOAD_BUNDLES: 'true' },
    outdir,
    chunkNames: 'chunk-[hash]',
    // esbuild shares code between ES modules only; `commonJs` converts them.
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    minify: production,
    sourcemap: production ? false : 'inline',
    legalComments: production ? 'eof' : 'inline',
    plugins: [PAGE_TEXTS, commonJs(production)],
  };
}

/** Converts the built modules to CommonJS, as VS Code and worker threads load them, and writes them. Files of earlier builds are removed. */
function commonJs(production: boolean): Plugin {
  return {
    name: 'commonjs',
    setup: (building) => {
      const { outdir = 'dist' } = building.initialOptions;
      building.onEnd(async ({ outputFiles, errors }) => {
        if (errors.length > 0) return;
        mkdirSync(outdir, { recursive: true });
        const written = (outputFiles ?? []).map(async (file) => writeConverted(file, production));
        const names = new Set((await Promise.all(written)).flat());
        for (const name of readdirSync(outdir)) {
          if (name.startsWith('chunk-') && !names.has(name)) rmSync(join(outdir, name));
        }
      });
    },
  };
}

/** Writes a module as CommonJS, and its source map unless for `production`; resolves to the names of the files. */
async function writeConverted({ path, text }: OutputFile, production: boolean): Promise<string[]> {
  const name = basename(path);
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    // `require` is all that VS Code patches to find its API.
    supported: { 'dynamic-import': false },
    minify: production,
    sourcemap: production ? false : 'external',
    sourcefile: path,
    legalComments: production ? 'eof' : 'inline',
  });
  writeFileSync(path, production ? code : `${code}//# sourceMappingURL=${name}.map\n`);
  if (!production) writeFileSync(join(dirname(path), `${name}.map`), map);
  return [name, `${name}.map`];
}

/** The file of the package with the licences of what the bundles contain of others. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** The folders of the packages of others that the bundles contain, relative to the root, sorted. */
export function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** The names under which packages have their licences, and what these ask to be passed on. */
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party-?notices?)(?:[.-]|$)/i;

/** The licences of packages, each with its name and version. Throws for a package without any word about its licence. */
export function noticesOf(folders: readonly string[]): string {
  const intro = 'Sideload contains the following software of others, under the licences below.';
  return `${[intro, ...folders.map(noticeOf)].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

function noticeOf(folder: string): string {
  const root = join(__dirname, folder);
  const about: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const field = (name: string): string => {
    const value: unknown = typeof about === 'object' && about !== null ? Reflect.get(about, name) : undefined;
    return typeof value === 'string' ? value : JSON.stringify(value ?? '');
  };
  const files = readdirSync(root)
    .filter((name) => LICENCE_FILE.test(name))
    .sort();
  const texts = files.map((name) => readFileSync(join(root, name), 'utf8').trim());
  const licence = field('license');
  if (texts.length === 0) texts.push(standardText(folder, licence, field('author')));
  return [`${field('name')} ${field('version')} (${licence})`, ...texts].join('\n\n');
}

/** The text of the licence of a package that names it and has no file of it. */
function standardText(folder: string, licence: string, author: string): string {
  const copyright = `Copyright (c) ${/"name":"([^"]*)"/.exec(author)?.[1] ?? author}`;
  if (licence === 'MIT') return `${copyright}\n\n${MIT_TEXT}`;
  if (licence !== 'Apache-2.0') throw new Error(`${folder} has no file of its licence (${licence}).`);
  return `${copyright}\n\n${readFileSync(join(__dirname, 'node_modules', 'typescript', 'LICENSE.txt'), 'utf8').trim()}`;
}

/** The MIT licence (source: https://spdx.org/licenses/MIT.html). */
const MIT_TEXT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The test files that run inside an extension host: those of a folder in one host, which starts with the `index.js` beside them.
 */
function editorTests(): BuildOptions {
  const folders = ['.', 'restricted', 'virtual'];
  const entryPoints = folders.flatMap((folder) => [
    { in: 'test/editor/index.ts', out: join(folder, 'index') },
    ...readdirSync(join('test', 'editor', folder))
      .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
      .map((name) => ({ in: join('test', 'editor', folder, name), out: join(folder, name.slice(0, -'.ts'.length)) })),
  ]);
  return {
    ...NODE_BUNDLE,
    entryPoints,
    outdir: '.vscode-test/build/editor',
    external: [...(NODE_BUNDLE.external ?? []), 'mocha', 'esbuild'],
    sourcemap: 'inline',
  };
}

async function main(): Promise<void> {
  const [watch, tests, production, terminal] = ['--watch', '--tests', '--production', '--terminal'].map((flag) =>
    process.argv.includes(flag),
  );
  const page: BuildOptions = {
    ...PAGE_BUNDLE,
    sourcemap: production ? false : 'linked',
    minify: production === true,
    legalComments: production ? 'eof' : 'inline',
  };
  const all: BuildOptions[] = terminal
    ? [shippedPrograms('dist', production === true, TERMINAL_BUNDLES)]
    : [shippedPrograms('dist', production === true), page];
  if (tests) all.push(editorTests());
  if (watch) {
    for (const options of all) await (await context(options)).watch();
  } else {
    if (production) rmSync('dist', { recursive: true, force: true });
    const built = await Promise.all(all.map((options) => build({ ...options, metafile: true })));
    // The tests are not shipped, and are the last.
    const shipped = (tests ? built.slice(0, -1) : built).map(({ metafile }) => metafile);
    writeFileSync(join('dist', NOTICES), noticesOf(bundledPackages(shipped)));
  }
}

if (require.main === module) {
  main().catch(() => {
    // esbuild has printed what is wrong.
    process.exitCode = 1;
  });
}
