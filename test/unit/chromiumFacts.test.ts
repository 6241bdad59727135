// Covers: src, .github/CHROMIUM.md, test/contract, test/security, test/editor, test/ui, test/bench
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';

/** The id of a fact, as the list and comments name it. */
const ID = /\bC(?:-[A-Z0-9]+)+\b/g;
/** What a comment says that tells of a measurement itself. */
const MEASURED = /\bmeasured (?:on|in|with) Chrom|\bseen (?:on|in) Chrom|\bChrom(?:e|ium) \d{3}\b/i;
/** Tests against a real Chromium. */
const REAL = /^(?:contract|security|editor|ui|bench)\//;

/** The cells of the rows of the list. */
const ROWS = readFileSync(join(ROOT, '.github', 'CHROMIUM.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [id = '', fact = '', version = '', date = '', test = ''] = line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replace(/^`(.*)`$/, '$1'));
    return { id, fact, version, date, test };
  });

/** The comments of a file, each with the line that it begins on; line comments that follow each other are one. */
function commentsIn(file: string): { where: string; text: string }[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const found = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const range of found) ranges.set(range.pos, range);
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  const comments: { where: string; text: string; end: number }[] = [];
  for (const { pos, end } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const last = comments.at(-1);
    const words = text.slice(pos, end).replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)/gm, ' ');
    if (last && text.slice(last.end, pos).trim() === '') {
      last.text = `${last.text} ${words}`.replace(/\s+/g, ' ');
      last.end = end;
    } else {
      const line = source.getLineAndCharacterOfPosition(pos).line + 1;
      comments.push({ where: `${file}:${line}`, text: words.replace(/\s+/g, ' '), end });
    }
  }
  return comments;
}

describe('the list of what Chromium does', () => {
  const comments = sourceFiles('src').flatMap(commentsIn);
  const named = new Set(comments.flatMap(({ text }) => text.match(ID) ?? []));
  const listed = ROWS.map(({ id }) => id);

  it('has each fact that a comment in src/ names, once, and no other', () => {
    assert.ok(listed.length > 100, 'the list is elsewhere');
    assert.deepEqual([...listed].sort(), [...new Set(listed)].sort(), 'an id is there twice');
    assert.deepEqual([...named].sort(), [...listed].sort());
  });

  it('says of each one sentence or more, a version, a month, and a test against a real Chromium that exists', () => {
    const wrong = ROWS.filter(
      ({ id, fact, version, date, test }) =>
        id.replace(ID, '') !== '' ||
        !fact.endsWith('.') ||
        !/^\d{3}(?:[. ]|$)/.test(version) ||
        !/^20\d\d-\d\d$/.test(date) ||
        (test !== '–' && !(REAL.test(test) && existsSync(join(ROOT, 'test', test)))),
    );
    assert.deepEqual(wrong, []);
  });

  it('is named where a comment tells of a measurement, but for the rules of the check, which have pages', () => {
    const nameless = comments.filter(({ where, text }) => {
      return !where.startsWith('src/manifest/') && MEASURED.test(text) && text.search(ID) < 0;
    });
    assert.deepEqual(
      nameless.map(({ where }) => where),
      [],
    );
  });
});
