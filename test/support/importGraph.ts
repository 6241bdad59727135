import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { ROOT } from './paths';

/** One import of a file of this repository. */
export interface Import {
  /** Path of the importing file from the root of the repository, with `/`. */
  readonly from: string;
  /** Path of the imported file from the root, with its extension; for a package what the import names, such as `undici/lib/x.js`. */
  readonly to: string;
  /** Whether it is an `import type` or `export type`, of which nothing is left when the code runs. */
  readonly isType: boolean;
}

/** Whether an import leads to a file of this repository, and not to a package. */
export function isInRepository({ to }: Import): boolean {
  return /^(?:src\/|test\/|\.esbuild|package\.json$)/.test(to);
}

/** Paths of the TypeScript files and modules in a folder of the repository and below it, from the root, sorted. */
export function sourceFiles(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(?:ts|mjs)$/.test(name))
    .map((name) => posix.join(folder, name.split(sep).join(posix.sep)))
    .filter((name) => !name.startsWith('test/fixtures/'))
    .sort();
}

/** The imports of all kinds in a file: static ones, dynamic ones with a literal, and `require`. */
export function importsOf(file: string): Import[] {
  const path = join(ROOT, file);
  const text = readFileSync(path, 'utf8');
  let before = 0;
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos, end }) => {
    const statement = text.slice(before, pos);
    before = end;
    const keyword = Math.max(statement.lastIndexOf('import '), statement.lastIndexOf('export '));
    const isType = keyword >= 0 && /^(?:import|export) type\b/.test(statement.slice(keyword));
    return { from: file, to: resolveImport(path, fileName), isType };
  });
}

function resolveImport(importer: string, name: string): string {
  if (!name.startsWith('.')) return name;
  const path = relative(ROOT, join(dirname(importer), name))
    .split(sep)
    .join(posix.sep);
  return /\.(?:json|ts|mjs)$/.test(path) ? path : `${path}.ts`;
}
