// Covers: src/manifest
import assert from 'node:assert/strict';
import { differenceOf } from '../../oracle/cases';
import { checkedCases, type CheckedCase } from './checkedCases';

const LIMIT_MS = 60_000;

/** What is left of a message without its marked texts, innermost first. */
function unmarked(message: string): string {
  const rest = message.replaceAll(/«[^«»]*»/g, '');
  return rest === message ? rest : unmarked(rest);
}

describe('manifest check of the cases', () => {
  let results: readonly CheckedCase[];

  before(async function () {
    this.timeout(LIMIT_MS);
    results = await checkedCases();
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
    for (const { id, findings, markedMessages } of results) {
      for (const [i, { message, rule, range }] of findings.entries()) {
        assert.match(message, /^.{10,}$/s, `${id} ${rule}`);
        assert.equal(unmarked(markedMessages[i] ?? '?').trim(), '', `${id} ${rule}: ${message}`);
        assert.match(rule, /^R-[A-Z0-9-]+$/, id);
        assert.ok(range.start.offset <= range.end.offset, `${id} ${rule}`);
      }
    }
  });
});
