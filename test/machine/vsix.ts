import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runChild } from '../support/child';
import { CACHE, ROOT } from '../support/paths';

/** Environment variable with the path of the package that was already made in this run. */
export const VSIX_ENV = 'SIDELOAD_TEST_VSIX';

/** Where the package is made. */
export const VSIX = join(CACHE, 'build', 'sideload.vsix');

/** The copy of the repository that is packaged. */
const COPY = join(CACHE, 'build', 'copy');

/** What has no part in the package, or is made for it. */
const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', '.git', basename(CACHE), 'dist', 'test']);

/** Longest time to build and pack the extension, in milliseconds. */
const PACKAGE_LIMIT_MS = 120_000;

/** The packaged extension, made once in a run. Rejects with the output of vsce when that fails. */
export async function ensureVsix(): Promise<string> {
  const file = process.env[VSIX_ENV] ?? (await packageExtension());
  process.env[VSIX_ENV] = file;
  return file;
}

/**
 * Builds the extension for production and packages it, in a copy of the repository without the caches: vsce looks at every file, which
 * takes 15 s with the VS Code that lies there. Rejects with the output of vsce when it fails.
 */
export async function packageExtension(): Promise<string> {
  await Promise.all([VSIX, COPY].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(COPY, { recursive: true });
  const entries = (await readdir(ROOT)).filter((name) => !NOT_COPIED.has(name));
  await Promise.all(entries.map((name) => cp(join(ROOT, name), join(COPY, name), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(COPY, 'node_modules'), 'junction');
  const lines: string[] = [];
  const { code } = await runChild(
    process.execPath,
    [join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package', '--no-dependencies', '--out', VSIX],
    { cwd: COPY, limitMs: PACKAGE_LIMIT_MS, output: { line: (text) => lines.push(text) } },
  );
  if (code !== 0) {
    const complaints = lines.filter((line) => /error/i.test(line)).slice(0, 4);
    throw new Error(`The extension could not be packaged: ${(complaints.length > 0 ? complaints : lines).join(' / ')}`);
  }
  return VSIX;
}
