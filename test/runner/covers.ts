import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths';

/** Begins a line, among the first comments of a file, that names what the file depends on without importing it. */
const COVERS = /^\/\/ Covers: (.*)$/;

/**
 * The folders and files that a test file, or a file that tests import, names as what it covers without importing it: the rooms of `src/`
 * that a test of the window goes through, the texts and fixtures that are read at run time. From the root of the repository; a folder
 * means everything below it, and a `*` stands for any part of a name.
 *
 * They stand in comments at the beginning of the file: `// Covers: src/editor/push, package.nls*.json`.
 */
export function coversOf(file: string): string[] {
  const covers: string[] = [];
  for (const line of readFileSync(join(ROOT, file), 'utf8').split('\n')) {
    const [, names] = COVERS.exec(line) ?? [];
    if (names !== undefined) covers.push(...names.split(',').map((name) => name.trim()));
    else if (!/^(?:\/\/|\/\*| \*|$)/.test(line)) break;
  }
  return covers;
}

/** Whether a file is what `cover` names, or below it. */
export function isCovered(file: string, cover: string): boolean {
  const pattern = cover.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return new RegExp(`^${pattern}(?:/|$)`).test(file);
}
