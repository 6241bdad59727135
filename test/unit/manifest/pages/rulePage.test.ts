import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULE_EXAMPLES, RULE_SENTENCES, rulePage } from '../../../../src/manifest/pages/rulePage';
import { RULES } from '../../../../src/manifest/rules/allRules';
import { findingsOf } from '../../../docs/exampleFindings';
import { ROOT } from '../../../support/paths';
import { checkedCases } from '../checkedCases';

const LIMIT_MS = 120_000;

const IDS = Object.keys(RULE_SENTENCES);

/** The ids in the code, such as those that `'R-JSON'` and `rule: 'R-LIMIT'` give to findings. */
function idsInSource(): string[] {
  const folders = ['manifest', 'push'].map((name) => join(ROOT, 'src', name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('pages'))
      .map((name) => join(folder, name)),
  );
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(R-[A-Z0-9-]+)'/g)].map(([, id = '']) => id),
  );
}

describe('the pages of the rules', () => {
  it('are there for every code that a finding can have, and for no other', async function () {
    this.timeout(LIMIT_MS);
    const found = new Set([...idsInSource(), ...RULES.map(({ id }) => id)]);
    for (const { findings } of await checkedCases()) for (const { rule } of findings) found.add(rule);
    assert.deepEqual(IDS.toSorted(), [...found].sort());
    assert.deepEqual([...RULE_EXAMPLES.keys()].sort(), IDS.toSorted());
  });

  it('have examples that are found as they say, in words of Chromium, and corrections without findings', async () => {
    const wrongExamples: string[] = [];
    for (const [id, { severity, words, wrong, right }] of RULE_EXAMPLES) {
      const finding = wrong && (await findingsOf(wrong, id)).find(({ rule }) => rule === id);
      if (wrong && (finding?.severity !== severity || finding?.chromium !== words))
        wrongExamples.push(`${id}: ${JSON.stringify(finding)}`);
      const left = right ? await findingsOf(right, id) : [];
      if (left.length > 0) wrongExamples.push(`${id} corrected: ${left.map(({ message }) => message).join(' ')}`);
    }
    assert.deepEqual(wrongExamples, []);
  });

  it('say what it means, what Chromium says, an example and the correction', () => {
    const page = rulePage('R-SW-MISSING') ?? '';
    assert.match(page, /^# R-SW-MISSING\n\nThe file of the service worker is not in the folder\.\n/);
    assert.match(page, /Chromium 156 refuses the extension[^]*> Could not load background script ''\./);
    assert.match(page, /## Example[^]*"worker\.js"[^]*background\.js[^]*## Correct[^]*"background\.js"/);
    assert.match(rulePage('R-CS-PATTERN') ?? '', /^ {6}"matches": \["example\.com"\],$/m);
    assert.equal(rulePage('R-NO-SUCH-RULE'), undefined);
    assert.equal(rulePage('toString'), undefined);
  });
});
