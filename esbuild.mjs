// Builds the three bundles that ship (and, with --tests, the test bundles that run inside an extension host).
import { build, context } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const tests = process.argv.includes('--tests');
const production = process.argv.includes('--production');

/** @type {import('esbuild').BuildOptions} */
const node = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  // jsonc-parser's `main` is a form that bundlers cannot follow.
  mainFields: ['module', 'main'],
  sourcemap: production ? false : 'linked',
  minify: production,
  legalComments: production ? 'eof' : 'inline',
  keepNames: true,
  logLevel: 'warning',
  // Optional accelerators of ws; absent, it uses its own code.
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
  { ...node, entryPoints: ['src/local/main.ts'], outfile: 'dist/local.js' },
  {
    ...node,
    platform: 'browser',
    target: 'chrome138',
    format: 'iife',
    external: [],
    entryPoints: ['src/webview/scroll.ts'],
    outfile: 'dist/scroll.js',
  },
];

if (tests) {
  const suites = readdirSync('test/editor').filter((name) => name.endsWith('.ts'));
  bundles.push({
    ...node,
    entryPoints: suites.map((name) => `test/editor/${name}`),
    outdir: '.vscode-test/build/editor',
    external: [...(node.external ?? []), 'mocha', 'esbuild'],
    sourcemap: 'inline',
  });
}

if (watch) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  if (production) rmSync('dist', { recursive: true, force: true });
  await Promise.all(bundles.map((options) => build(options)));
}
