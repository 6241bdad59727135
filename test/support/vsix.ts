import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from './child';
import { CACHE, ROOT } from './paths';

/** The environment variable with the path of a package that is already made in this run. */
const VSIX_ENV = 'SIDELOAD_TEST_VSIX';

/** Longest time to build and pack the extension, in milliseconds. */
const PACKAGE_LIMIT_MS = 120_000;

/**
 * The extension as people install it: built for production and packed by vsce, once in a run. Rejects with what vsce
 * said when it cannot be packed.
 */
export async function ensureVsix(): Promise<string> {
  const made = process.env[VSIX_ENV];
  if (made !== undefined) return made;
  const folder = join(CACHE, 'build');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'sideload.vsix');
  const lines: string[] = [];
  const { code } = await runChild(
    process.execPath,
    [join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package', '--no-dependencies', '--out', file],
    { cwd: ROOT, limitMs: PACKAGE_LIMIT_MS, output: { line: (text) => lines.push(text) } },
  );
  if (code !== 0) {
    const complaints = lines.filter((line) => /error/i.test(line)).slice(0, 4);
    throw new Error(`The extension could not be packaged: ${(complaints.length > 0 ? complaints : lines).join(' / ')}`);
  }
  process.env[VSIX_ENV] = file;
  return file;
}
