import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runChild } from '../support/child';
import { CACHE } from '../support/paths';
import { copyToPackage } from './packageCopy';

/** Environment variable with the path of the package that was already made in this run. */
export const VSIX_ENV = 'SIDELOAD_TEST_VSIX';

/** Where the package is made. */
export const VSIX = join(CACHE, 'build', 'sideload.vsix');

/** The copy of the repository that is packaged. */
const COPY = join(CACHE, 'build', 'copy');

/** Longest time to build and pack the extension, in milliseconds. */
const PACKAGE_LIMIT_MS = 120_000;

/** The packaged extension, made once in a run. Rejects with the output of vsce when that fails. */
export async function ensureVsix(): Promise<string> {
  const file = process.env[VSIX_ENV] ?? (await packageExtension());
  process.env[VSIX_ENV] = file;
  return file;
}

/** Builds the extension for production and packages it, in a copy of the repository. Rejects with the output of vsce when it fails. */
export async function packageExtension(): Promise<string> {
  await copyToPackage(COPY);
  await packVsix(COPY, VSIX);
  return VSIX;
}

/** Environment variable with the package of an earlier version. */
const EARLIER_ENV = 'SIDELOAD_TEST_EARLIER';

/** The version of the package that stands in for an earlier one. */
const EARLIER_VERSION = '0.0.1';

/** A package of an earlier version: the one that the environment names, else today's state with a lower version. */
export async function ensureEarlierVsix(): Promise<string> {
  const named = process.env[EARLIER_ENV];
  if (named !== undefined) return named;
  const folder = join(CACHE, 'build', 'earlier');
  await copyToPackage(folder);
  const file = join(folder, 'package.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"version": "[^"]*"/, `"version": "${EARLIER_VERSION}"`));
  await packVsix(folder, `${folder}.vsix`);
  return `${folder}.vsix`;
}

/** How a package is made, besides what is in its folder. */
export interface VsixOptions {
  readonly isPreRelease?: boolean;
  /** The environment of vsce, whose `SOURCE_DATE_EPOCH` dates the files of the package; the one of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Builds the extension in a folder for production, and packages it. Rejects with the output of vsce when it fails. */
export async function packVsix(root: string, file: string, { isPreRelease, env }: VsixOptions = {}): Promise<void> {
  await rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  const lines: string[] = [];
  const program = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { code } = await runChild(
    process.execPath,
    [program, 'package', '--no-dependencies', ...(isPreRelease ? ['--pre-release'] : []), '--out', file],
    { cwd: root, limitMs: PACKAGE_LIMIT_MS, ...(env && { env }), output: { line: (text) => lines.push(text) } },
  );
  if (code !== 0) {
    const complaints = lines.filter((line) => /error/i.test(line)).slice(0, 4);
    throw new Error(`The extension could not be packaged: ${(complaints.length > 0 ? complaints : lines).join(' / ')}`);
  }
}
