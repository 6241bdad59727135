import assert from 'node:assert/strict';
import type { Fix } from '../../../src/manifest/finding';

/** The text after a fix of one file. */
export function applyFix(text: string, fix: Fix | undefined): string {
  assert.ok(fix, 'there is no fix');
  const edits = fix.edits.toSorted((a, b) => b.range.start.offset - a.range.start.offset);
  return edits.reduce(
    (now, { range, newText }) => now.slice(0, range.start.offset) + newText + now.slice(range.end.offset),
    text,
  );
}
