import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { checkFolder } from '../../../src/manifest/check';
import { caseReader } from '../../support/caseFolder';
import { CASE_FOLDER, differenceOf, judgedCases } from '../../support/cases';

const LIMIT_MS = 60_000;

/** A bundle that marks every text that is looked up. */
const MARKED = new Proxy<Record<string, string>>({}, { get: (_, text) => `«${String(text)}»` });

/** What is left of a message without its marked texts, innermost first. */
function unmarked(message: string): string {
  const rest = message.replaceAll(/«[^«»]*»/g, '');
  return rest === message ? rest : unmarked(rest);
}

describe('manifest check of the cases', () => {
  it('agrees with Chromium on verdict, text and warnings of every case', async function () {
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

  it('gives every finding a message that can be translated, a file and a range in it', async function () {
    this.timeout(LIMIT_MS);
    l10n.config({ contents: MARKED });
    try {
      for (const { id, files } of await judgedCases()) {
        const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(files), storeHints: true });
        for (const { message, rule, range } of findings) {
          assert.match(message, /^.{12,}$/s, `${id} ${rule}`);
          assert.equal(unmarked(message).trim(), '', `${id} ${rule}: ${message}`);
          assert.match(rule, /^R-[A-Z0-9-]+$/, id);
          assert.ok(range.start.offset <= range.end.offset, `${id} ${rule}`);
        }
      }
    } finally {
      l10n.config({ contents: {} });
    }
  });
});
