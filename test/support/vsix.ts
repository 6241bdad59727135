import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from './child';
import { CACHE, ROOT } from './paths';

/** Environment variable with the path of the package that was already made in this run. */
export const VSIX_ENV = 'SIDELOAD_TEST_VSIX';

/** Where the package is made. */
export const VSIX = join(CACHE, 'build', 'sideload.vsix');

/** Longest time to build and pack the extension, in milliseconds. */
const PACKAGE_LIMIT_MS = 120_000;

/** The packaged extension, made once in a run. Rejects with the output of vsce when that fails. */
export async function ensureVsix(): Promise<string> {
  const file = process.env[VSIX_ENV] ?? (await packageExtension());
  process.env[VSIX_ENV] = file;
  return file;
}

/** Builds the extension for production into `dist` and packages it. Rejects with the output of vsce when that fails. */
export async function packageExtension(): Promise<string> {
  await mkdir(join(CACHE, 'build'), { recursive: true });
  await rm(VSIX, { force: true });
  const lines: string[] = [];
  const { code } = await runChild(
    process.execPath,
    [join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package', '--no-dependencies', '--out', VSIX],
    { cwd: ROOT, limitMs: PACKAGE_LIMIT_MS, output: { line: (text) => lines.push(text) } },
  );
  if (code !== 0) {
    const complaints = lines.filter((line) => /error/i.test(line)).slice(0, 4);
    throw new Error(`The extension could not be packaged: ${(complaints.length > 0 ? complaints : lines).join(' / ')}`);
  }
  return VSIX;
}
