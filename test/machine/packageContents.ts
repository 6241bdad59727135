import { readFile, stat } from 'node:fs/promises';
import { runChild } from '../support/child';
import { unzip } from '../support/unzip';

/** Largest package of the extension, in bytes. */
const MAX_VSIX_BYTES = 2 * 1024 * 1024;

/** The files of the package for npm, without the shared ones. */
const NPM_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/check.js',
  'dist/code.js',
  'dist/cli.js',
  'dist/compress.js',
  'dist/local.js',
  'dist/mcp.js',
  'dist/sources.js',
  'package.json',
];

/** The files of the extension, without the shared ones and those of media/: vsce writes the names of three without capital letters. */
const VSIX_FILES = [
  ...NPM_FILES.filter((name) => !/^[A-Z]/.test(name)),
  'LICENSE.txt',
  'changelog.md',
  'dist/extension.js',
  'dist/scroll.js',
  'dist/uninstall.js',
  'package.nls.de.json',
  'package.nls.json',
  'package.nls.zh-cn.json',
  'readme.md',
];

const SHARED = /^dist\/chunk-\w+\.js$/;

/** What is wrong with the files of a package of the extension, a sentence each. */
export async function vsixFaults(file: string): Promise<string[]> {
  const names = [...(await unzip(await readFile(file))).keys()].flatMap(
    (name) => /^extension\/(.*)$/.exec(name)?.[1] ?? [],
  );
  const { size } = await stat(file);
  return [
    ...differences(
      names.filter((name) => !name.startsWith('media/')),
      VSIX_FILES,
    ),
    ...(size > MAX_VSIX_BYTES ? [`It has ${size} bytes, more than ${MAX_VSIX_BYTES}.`] : []),
  ];
}

/** What is wrong with the files of a package for npm, a sentence each. */
export async function npmFaults(file: string): Promise<string[]> {
  const lines: string[] = [];
  const { code } = await runChild('tar', ['-tzf', file], {
    limitMs: 30_000,
    output: { line: (text) => lines.push(text) },
  });
  if (code !== 0) return [`tar cannot read it: ${lines.join(' / ')}`];
  return differences(
    lines.map((name) => name.replace(/^package\//, '')),
    NPM_FILES,
  );
}

/** What a package has beside the expected and the shared files, and what it lacks. */
function differences(names: readonly string[], expected: readonly string[]): string[] {
  const shared = names.filter((name) => SHARED.test(name));
  const found = new Set(names.filter((name) => !SHARED.test(name)));
  return [
    ...[...found].filter((name) => !expected.includes(name)).map((name) => `${name} should not be in it.`),
    ...expected.filter((name) => !found.has(name)).map((name) => `${name} is missing.`),
    ...(shared.length === 0 ? ['The shared files are missing.'] : []),
  ];
}
