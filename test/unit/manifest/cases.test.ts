// Covers: src/manifest
import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { checkFolder } from '../../../src/manifest/check';
import type { Finding } from '../../../src/manifest/finding';
import { caseReader } from '../../oracle/caseFolder';
import { CASE_FOLDER, differenceOf, judgedCases, type JudgedCase } from '../../oracle/cases';

const LIMIT_MS = 60_000;

/** A bundle that marks every text that is looked up. */
const MARKED = new Proxy<Record<string, string>>({}, { get: (_, text) => `«${String(text)}»` });

/** What is left of a message without its marked texts, innermost first. */
function unmarked(message: string): string {
  const rest = message.replaceAll(/«[^«»]*»/g, '');
  return rest === message ? rest : unmarked(rest);
}

describe('manifest check of the cases', () => {
  let results: (JudgedCase & { findings: Finding[] })[];

  before(async function () {
    this.timeout(LIMIT_MS);
    results = [];
    l10n.config({ contents: MARKED });
    try {
      for (const judged of await judgedCases()) {
        const options = { reader: caseReader(judged.files), loadedBy: 'flag', storeHints: true } as const;
        const { findings } = await checkFolder(CASE_FOLDER, options);
        results.push({ ...judged, findings });
      }
    } finally {
      l10n.config({ contents: {} });
    }
  });

  it('agrees with Chromium on verdict, text and warnings of every case', () => {
    const differences = results.flatMap(({ id, findings, verdict }) => {
      const difference = differenceOf(findings, verdict);
      return difference === undefined ? [] : [`${id}: ${difference}`];
    });
    assert.ok(results.length > 4000, 'the fixtures are not complete');
    assert.deepEqual(differences, []);
  });

  it('gives every finding a message that can be translated, a file and a range in it', () => {
    for (const { id, findings } of results) {
      for (const { message, rule, range } of findings) {
        assert.match(message, /^.{12,}$/s, `${id} ${rule}`);
        assert.equal(unmarked(message).trim(), '', `${id} ${rule}: ${message}`);
        assert.match(rule, /^R-[A-Z0-9-]+$/, id);
        assert.ok(range.start.offset <= range.end.offset, `${id} ${rule}`);
      }
    }
  });
});
