import assert from 'node:assert/strict';
import { checkFolder } from '../../../src/manifest/check';
import { caseReader } from '../../support/caseFolder';
import { CASE_FOLDER, differenceOf, judgedCases } from '../../support/cases';

const LIMIT_MS = 60_000;

describe('manifest check of the cases', () => {
  it('agrees with Chromium on verdict, text and warnings in every one', async function () {
    this.timeout(LIMIT_MS);
    const differences: string[] = [];
    const cases = await judgedCases();
    for (const { id, files, verdict } of cases) {
      const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(files), loadedBy: 'flag' });
      const difference = differenceOf(findings, verdict);
      if (difference !== undefined) differences.push(`${id}: ${difference}`);
    }
    assert.ok(cases.length > 4000, 'the fixtures are not complete');
    assert.deepEqual(differences, []);
  });

  it('gives every finding a sentence, a file and a range in it', async function () {
    this.timeout(LIMIT_MS);
    for (const { id, files } of await judgedCases()) {
      const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(files) });
      for (const { message, rule, range } of findings) {
        assert.match(message, /^.{12,}$/s, `${id} ${rule}`);
        assert.match(rule, /^R-[A-Z0-9-]+$/, id);
        assert.ok(range.start.offset <= range.end.offset, `${id} ${rule}`);
      }
    }
  });
});
