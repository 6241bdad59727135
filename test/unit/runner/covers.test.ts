import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencies } from '../../runner/changedParts';
import { isCovered } from '../../runner/covers';
import { FILE_SUITES, testFilesOf } from '../../runner/testFiles';
import { sourceFiles } from '../../support/importGraph';
import { ROOT } from '../../support/paths';

describe('what test files cover', () => {
  const { imports, covers } = dependencies();
  const ofWindow = [...testFilesOf('ui'), ...testFilesOf('editor')];

  it('is named by each test of the window, which imports nothing of what it tests', () => {
    assert.deepEqual(
      ofWindow.filter((file) => covers.get(file)?.length === 0),
      [],
    );
  });

  const isImported = (from: string, to: string): boolean => imports.some((one) => one.from === from && one.to === to);

  it('exists', () => {
    const top = readdirSync(ROOT);
    const isThere = (name: string): boolean =>
      existsSync(join(ROOT, name)) || top.some((entry) => name.includes('*') && isCovered(entry, name));
    const wrong = [...covers].flatMap(([file, names]) =>
      names.filter((name) => !isThere(name)).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('is what it reads at run time by a path that it writes out', () => {
    // Whoever reads all of src/ is named by the tests that ask for that.
    const isElsewhere = (path: string): boolean => /^(?:src$|dist\b|node_modules\b|\.vscode-test\b)/.test(path);
    const read = [...covers].flatMap(([file, names]) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      if (file.startsWith('test/bench/') || !/\b(?:readFile|readdir)/.test(text)) return [];
      const paths = [...text.matchAll(/\bjoin\(ROOT, ('[^']+'(?:, '[^']+')*)\)/g)]
        .map(([, parts = '']) => parts.slice(1, -1).split("', '").join('/'))
        .filter((path) => !isElsewhere(path) && existsSync(join(ROOT, path)));
      const isNamed = (path: string): boolean =>
        isImported(file, path) || names.some((name) => isCovered(path, name) || isCovered(name, path));
      return paths.filter((path) => !isNamed(path)).map((path) => `${file}: ${path}`);
    });
    assert.deepEqual(read, []);
  });

  it('is every folder of src/: by a name, or by a test that imports from it', () => {
    // The rules about all of src/ prove nothing of what a folder does.
    const named = [...covers.values()].flat().filter((name) => name !== 'src');
    const tests = new Set(FILE_SUITES.flatMap(testFilesOf));
    const imported = new Set(imports.filter(({ from }) => tests.has(from)).map(({ to }) => dirname(to)));
    const folders = new Set(sourceFiles('src').map((file) => dirname(file)));
    const uncovered = [...folders].filter(
      (folder) => !imported.has(folder) && !named.some((name) => isCovered(folder, name)),
    );
    assert.deepEqual(uncovered, []);
  });
});

describe('a name of something covered', () => {
  it('means a file, a folder with all below it, or the names that fit its stars', () => {
    assert.ok(isCovered('src/push/place/place.ts', 'src/push'));
    assert.ok(isCovered('src/push/place/place.ts', 'src/push/place/place.ts'));
    assert.ok(isCovered('package.nls.de.json', 'package.nls*.json'));
    assert.ok(!isCovered('src/pushed/place.ts', 'src/push'));
    assert.ok(!isCovered('src/push/place/place.ts', 'src/push/pla'));
    assert.ok(!isCovered('package/nls.json', 'package.nls.json'));
  });
});
