import assert from 'node:assert/strict';
import { patternWarnings } from '../../../src/programs/patternWarnings';
import { readCli } from '../../../src/programs/cliOptions';

describe('the patterns of a command line', () => {
  const warningsOf = (...args: string[]): string[] => patternWarnings(readCli(['push', 'dist', ...args]));

  it('are named, with their option, where they count as literal paths', () => {
    const malformed = 'a*b!(c)d!(e)';
    assert.deepEqual(warningsOf('--exclude', '*.map', '--exclude', malformed, '--include', malformed), [
      `The pattern "${malformed}" of --exclude is malformed, too long or one of too many, and counts as a literal path.`,
      `The pattern "${malformed}" of --include is malformed, too long or one of too many, and counts as a literal path.`,
    ]);
    const [long = ''] = warningsOf('--exclude', 'a'.repeat(1000));
    assert.ok(long.startsWith(`The pattern "${'a'.repeat(100)}… `) && long.length < 300, long);
  });

  it('are not spoken of where they do what they say', () => {
    assert.deepEqual(warningsOf('--exclude', '*.map', '--include', '.env'), []);
    assert.deepEqual(warningsOf(), []);
  });
});
