import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import path from 'node:path';
import { defaultDataFolder } from '../../../src/local/dataFolder';
import { sharedFolder } from '../../../src/push/turns/sharedFolder';

describe('the folders of the user', () => {
  const home = homedir();

  it('are those of the system for the data of programs, and for their state', () => {
    const local = { LOCALAPPDATA: 'D:\\Local' };
    assert.equal(defaultDataFolder(local, 'win32'), 'D:\\Local\\Sideload');
    assert.equal(sharedFolder(local, 'win32'), 'D:\\Local\\Sideload Pushes');
    assert.equal(defaultDataFolder({}, 'win32'), path.win32.join(home, 'AppData', 'Local', 'Sideload'));
    const support = path.posix.join(home, 'Library', 'Application Support');
    assert.equal(defaultDataFolder({}, 'darwin'), `${support}/Sideload`);
    assert.equal(sharedFolder({}, 'darwin'), `${support}/Sideload Pushes`);
    assert.equal(defaultDataFolder({}, 'linux'), path.posix.join(home, '.local', 'share', 'sideload'));
    assert.equal(sharedFolder({}, 'linux'), path.posix.join(home, '.local', 'state', 'sideload', 'pushes'));
  });

  it('follow what the user of Linux has set, if it is absolute', () => {
    assert.equal(defaultDataFolder({ XDG_DATA_HOME: '/data' }, 'linux'), '/data/sideload');
    assert.equal(sharedFolder({ XDG_STATE_HOME: '/state' }, 'linux'), '/state/sideload/pushes');
    assert.equal(defaultDataFolder({ XDG_DATA_HOME: 'data' }, 'linux'), defaultDataFolder({}, 'linux'));
    assert.equal(sharedFolder({ XDG_STATE_HOME: '' }, 'linux'), sharedFolder({}, 'linux'));
  });
});
