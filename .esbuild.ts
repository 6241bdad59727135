// Builds the bundles that ship (and, with --tests, the test bundles that run inside an extension host).
import { build, context, type BuildOptions } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

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
  logLevel: 'warning',
  // Optional accelerators of ws; absent, it uses its own code.
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
};

/** The bundles that ship, by the name of their file in dist/. */
export const BUNDLES = {
  extension: { ...NODE_BUNDLE, entryPoints: ['src/extension.ts'], define: { SIDELOAD_BUNDLES: 'true' } },
  local: { ...NODE_BUNDLE, entryPoints: ['src/local/main.ts'] },
  compress: { ...NODE_BUNDLE, entryPoints: ['src/archive/compressWorker.ts'] },
  check: { ...NODE_BUNDLE, entryPoints: ['src/push/checkWorker.ts'] },
  sources: { ...NODE_BUNDLE, entryPoints: ['src/sources/sourceWorker.ts'] },
  scroll: {
    ...NODE_BUNDLE,
    platform: 'browser',
    target: 'chrome138',
    format: 'iife',
    external: [],
    entryPoints: ['src/webview/scroll.ts'],
  },
} satisfies Record<string, BuildOptions>;

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
  const [watch, tests, production] = ['--watch', '--tests', '--production'].map((flag) => process.argv.includes(flag));
  const all: BuildOptions[] = Object.entries(BUNDLES).map(([name, options]) => ({
    ...options,
    outfile: `dist/${name}.js`,
    sourcemap: production ? false : 'linked',
    minify: production === true,
    legalComments: production ? 'eof' : 'inline',
  }));
  if (tests) all.push(editorTests());
  if (watch) {
    for (const options of all) await (await context(options)).watch();
  } else {
    if (production) rmSync('dist', { recursive: true, force: true });
    await Promise.all(all.map((options) => build(options)));
  }
}

if (require.main === module) {
  main().catch(() => {
    // esbuild has printed what is wrong.
    process.exitCode = 1;
  });
}
