import assert from 'node:assert/strict';
import { checkFolder } from '../../../src/manifest/check';
import type { Finding, Fix } from '../../../src/manifest/finding';
import { caseReader, type CaseFile } from '../../oracle/caseFolder';
import { CASE_FOLDER } from '../../oracle/cases';
import { applyFix } from './applyFix';
import { checkedCases, type CheckedCase } from './checkedCases';

const LIMIT_MS = 120_000;

/** The words with which a message proposes an edit. */
const PROPOSES = /\b(?:Did you mean|Write|Remove|Use)\b|: upper and lower case count/;

/** A catalogue that is no object, whose messages are not known, and a manifest of another name. */
const WITHOUT_EDIT: ReadonlySet<string> = new Set(['R-LOC-CRASH', 'R-FILE']);

/** So many findings with the same words are corrected. */
const SAMPLES = 3;

/** No case has the same fault more often. */
const MAX_ROUNDS = 60;

type Files = Record<string, CaseFile>;

async function findingsOf(files: Files): Promise<readonly Finding[]> {
  return (await checkFolder(CASE_FOLDER, { reader: caseReader(files), loadedBy: 'flag', storeHints: true })).findings;
}

function withFix(files: Files, fix: Fix): Files {
  const changed = { ...files };
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    const content = files[file];
    assert.ok(typeof content === 'string', `${file} is no text`);
    changed[file] = applyFix(content, { ...fix, edits: fix.edits.filter((edit) => edit.file === file) });
  }
  return changed;
}

/** Whether one fix, or one for each of a few entries with the same fault, ends the finding. */
async function isGoneAfterFixes(files: Files, { rule, message, fix }: Finding): Promise<boolean> {
  let next = fix;
  for (let round = 0, now = files; next; round++) {
    if (round === MAX_ROUNDS) return false;
    now = withFix(now, next);
    next = (await findingsOf(now)).find((other) => other.rule === rule && other.message === message)?.fix;
  }
  return true;
}

/** The rule and the words of a message, without what it quotes. */
const wordsOf = ({ rule, message }: Finding): string => `${rule} ${message.replaceAll(/"[^"]*"|\d+/g, '…')}`;

describe('what a message proposes', () => {
  let found: readonly CheckedCase[];

  before(async function () {
    this.timeout(LIMIT_MS);
    found = await checkedCases();
  });

  it('is a fix of the finding', () => {
    const missing = found.flatMap(({ id, findings }) =>
      findings
        .filter(({ rule, message, fix }) => PROPOSES.test(message) && !fix && !WITHOUT_EDIT.has(rule))
        .map((finding) => `${wordsOf(finding)} in ${id}`),
    );
    assert.deepEqual([...new Set(missing)].slice(0, 30), []);
  });

  it('ends the finding when it is applied', async function () {
    this.timeout(LIMIT_MS);
    const seen = new Map<string, number>();
    const useless: string[] = [];
    for (const { id, files, findings } of found) {
      for (const finding of findings) {
        const words = wordsOf(finding);
        const times = seen.get(words) ?? 0;
        if (!finding.fix || times === SAMPLES || typeof files[finding.fix.edits[0]?.file ?? ''] !== 'string') continue;
        seen.set(words, times + 1);
        if (!(await isGoneAfterFixes(files, finding))) useless.push(`${words} in ${id}: ${finding.fix.title}`);
      }
    }
    assert.ok(seen.size > 60, `only ${seen.size} kinds of fixes were tried`);
    assert.deepEqual(useless, []);
  });
});
