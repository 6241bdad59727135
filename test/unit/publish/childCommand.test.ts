import assert from 'node:assert/strict';
import { hasGroups, taskkill } from '../../../src/publish/childCommand';
import { tarOf } from '../../../src/local/store/profileStore';

describe('programs of the system', () => {
  it('end what a command has started by its group, or by that of Windows', () => {
    assert.deepEqual((['linux', 'darwin', 'win32'] as const).map(hasGroups), [true, true, false]);
    const { program, args } = taskkill(42, { SystemRoot: 'D:\\Windows' });
    assert.equal(program, 'D:\\Windows\\System32\\taskkill.exe');
    assert.deepEqual(args, ['/pid', '42', '/T', '/F']);
  });

  it('are named by their path on Windows, where a name is looked for in the folder of a project first', () => {
    assert.equal(tarOf('win32', { SystemRoot: 'D:\\Windows' }), 'D:\\Windows\\System32\\tar.exe');
    assert.equal(tarOf('win32', {}), 'C:\\Windows\\System32\\tar.exe');
    assert.equal(tarOf('linux', {}), 'tar');
    assert.equal(tarOf('darwin', {}), 'tar');
  });
});
