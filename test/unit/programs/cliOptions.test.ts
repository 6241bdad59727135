import assert from 'node:assert/strict';
import { readCli, UsageError } from '../../../src/programs/cliOptions';

describe('the command line', () => {
  it('takes a folder for each command but the doctor', () => {
    assert.deepEqual(readCli(['check', 'dist']).folders, ['dist']);
    assert.throws(() => readCli(['check']), UsageError);
    const { command, folders, browser, json } = readCli(['doctor', '--browser', 'dev', '--json']);
    assert.deepEqual([command, folders, browser, json], ['doctor', [], 'dev', true]);
    assert.throws(() => readCli(['doctor', 'dist']), /takes no folder/);
  });

  it('takes no option that another command has, by which a file is written or a program runs', () => {
    for (const [command, option] of [
      ['check', '--junit'],
      ['test', '--sarif'],
      ['push', '--out'],
      ['push', '--exec'],
      ['check', '--update-from'],
    ] as const)
      assert.throws(
        () => readCli([command, 'dist', option, 'x']),
        new RegExp(`^UsageError: ${option} is for \\w+ only\\.$`),
      );
    assert.equal(readCli(['test', 'dist', '--junit', 'x']).junit, 'x');
  });

  it('names an option that there is not, and says nothing of other arguments', () => {
    assert.throws(() => readCli(['check', 'dist', '--what']), { message: "Unknown option '--what'." });
  });
});
