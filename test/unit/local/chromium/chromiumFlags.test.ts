import assert from 'node:assert/strict';
import { chromiumFlags, hasDisplay } from '../../../../src/local/chromium/chromiumFlags';

const LAUNCH = {
  executable: 'chromium',
  userDataFolder: '/data',
  extensionFolders: [],
  headless: true,
  kiosk: false,
  viewport: { width: 800, height: 600 },
};

describe('the command line of a browser', () => {
  it('gives up the sandbox for root on Linux alone', () => {
    const isOpen = (platform: NodeJS.Platform, user: number | undefined): boolean =>
      chromiumFlags(LAUNCH, platform, user).includes('--no-sandbox');
    assert.equal(isOpen('linux', 0), true);
    assert.equal(isOpen('linux', 1000), false);
    assert.equal(isOpen('darwin', 0), false);
    assert.equal(isOpen('win32', undefined), false);
  });
});

describe('a display', () => {
  it('is there on Windows and macOS, and on Linux where the environment names one', () => {
    assert.deepEqual([hasDisplay({}, 'win32'), hasDisplay({}, 'darwin'), hasDisplay({}, 'linux')], [true, true, false]);
    assert.equal(hasDisplay({ DISPLAY: ':0' }, 'linux'), true);
    assert.equal(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), true);
  });
});
