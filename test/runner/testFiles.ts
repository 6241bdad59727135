import { sourceFiles } from '../support/importGraph';

/** The suites that are made of files, each with the folder of its tests below `test/`. */
export const FILE_SUITES = ['unit', 'contract', 'security', 'editor', 'ui'] as const;
export type FileSuite = (typeof FILE_SUITES)[number];

/** The test files of a suite, from the root of the repository, sorted. */
export function testFilesOf(suite: FileSuite): string[] {
  return sourceFiles(`test/${suite}`).filter((file) => suiteOf(file) === suite);
}

/** The suite of a test file by its path; undefined for another file. */
export function suiteOf(file: string): FileSuite | undefined {
  const suite = FILE_SUITES.find((name) => file.startsWith(`test/${name}/`));
  // The tests of the extension host are bundles, with a program of their own that runs them.
  const isTest = suite === 'editor' ? file.endsWith('.ts') && !file.endsWith('/index.ts') : file.endsWith('.test.ts');
  return isTest ? suite : undefined;
}
