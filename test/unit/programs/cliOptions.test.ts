import assert from 'node:assert/strict';
import { asksForHelp, readCli, UsageError } from '../../../src/programs/cliOptions';
import { readMcpOptions } from '../../../src/programs/mcpOptions';

describe('the command line', () => {
  it('takes a folder for each command but the doctor', () => {
    assert.deepEqual(readCli(['check', 'dist']).folders, ['dist']);
    assert.throws(() => readCli(['check']), UsageError);
    const { command, folders, browser, json } = readCli(['doctor', '--browser', 'dev', '--json']);
    assert.deepEqual([command, folders, browser, json], ['doctor', [], 'dev', true]);
    assert.throws(() => readCli(['doctor', 'dist']), /takes no folder/);
  });

  it('takes no empty value for the folder in which the program runs, or for a command that succeeds', () => {
    for (const folders of [[''], ['dist', '']])
      assert.throws(() => readCli(['push', ...folders]), { message: 'A folder is missing.' });
    for (const [command, option] of [
      ['run', '--exec'],
      ['run', '--browser'],
      ['run', '--data-dir'],
      ['test', '--update-from'],
    ] as const)
      assert.throws(() => readCli([command, 'dist', option, '']), { message: `${option} has no value.` });
    assert.equal(readCli(['run', 'dist', '--project', '']).project, '');
    assert.throws(() => readMcpOptions(['--root', 'dist', '--root', '']), { message: /Name the folders .* --root/ });
  });

  it('refuses an option that a command does not have, and names the commands that have it', () => {
    for (const [command, option, others] of [
      ['check', '--junit', 'test'],
      ['check', '--service', 'push, run, test, doctor'],
      ['check', '--headless', 'push, run, test'],
      ['check', '--once', 'run'],
      ['test', '--watch', 'push, run'],
      ['push', '--store', 'check, test'],
      ['push', '--exec', 'run'],
      ['test', '--sarif', 'check'],
      ['test', '--storage', 'test --update-from'],
      ['test', '--allow-download', 'test --update-from'],
      ['pack', '--browser', 'push, run, test, doctor'],
      ['doctor', '--exclude', 'check, push, run, test, pack'],
    ] as const) {
      const folders = command === 'doctor' ? [] : ['dist'];
      const given = ['--store', '--headless', '--once', '--watch', '--allow-download'].includes(option)
        ? [option]
        : [option, 'x'];
      const out = command === 'pack' ? ['--out', 'x'] : [];
      assert.throws(() => readCli([command, ...folders, ...given, ...out]), {
        name: 'UsageError',
        message: `${command} has no option ${option}: it is for ${others}.`,
      });
    }
    assert.throws(() => readCli(['test', 'dist', '--update-from', 'v1', '--store']), {
      message: 'test --update-from has no option --store: it is for check, test.',
    });
    assert.equal(readCli(['test', 'dist', '--junit', 'x']).junit, 'x');
    assert.equal(readCli(['test', 'dist', '--update-from', 'v1', '--storage', 'x']).storage, 'x');
  });

  it('does not watch where another option ends the program', () => {
    assert.equal(readCli(['push', 'dist', '--watch']).watch, true);
    for (const more of [['--once'], ['--exec', 'npm test']])
      assert.throws(() => readCli(['run', 'dist', '--watch', ...more]), {
        message: `--watch pushes until the program ends, and ${more[0]} ends it: take one of them.`,
      });
  });

  it('is answered with the help by --help, -h and help, and not by a folder of that name', () => {
    for (const args of [['--help'], ['-h'], ['help'], ['help', 'push'], ['push', 'dist', '-h'], ['check', '--help']])
      assert.equal(asksForHelp(args), true, args.join(' '));
    for (const args of [[], ['check', 'help'], ['push', 'dist', '--headless']])
      assert.equal(asksForHelp(args), false, args.join(' '));
  });

  it('names an option that there is not, and says nothing of other arguments', () => {
    assert.throws(() => readCli(['check', 'dist', '--what']), { message: "Unknown option '--what'." });
  });
});
