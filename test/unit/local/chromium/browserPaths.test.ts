import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  findBrowser,
  namedPlaces,
  noBrowserDetails,
  noBrowserMessage,
  usualPlaces,
} from '../../../../src/local/chromium/browserPaths';

/** Files of this machine in the place of those of a system with other paths cannot be made on Windows. */
const onPosix = process.platform === 'win32' ? it.skip : it;

describe('finding a browser', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-browsers-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(...parts: string[]): Promise<string> {
    const file = path.join(folder, ...parts);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '');
    await chmod(file, 0o755);
    return file;
  }

  it('prefers the configured path', async () => {
    const [mine, other] = [await program('mine'), await program('bin', 'chromium')];
    const env = { SIDELOAD_BROWSER: other, PATH: path.dirname(other) };
    assert.equal(await findBrowser({ configured: ` ${mine} `, env }), mine);
    assert.equal(await findBrowser({ configured: '', env }), other);
  });

  it('does not replace a missing configured browser by another one', async () => {
    const other = await program('bin', 'chromium');
    const env = { PATH: path.dirname(other) };
    assert.equal(await findBrowser({ configured: path.join(folder, 'gone'), env }), undefined);
    assert.equal(await findBrowser({ env: { ...env, SIDELOAD_BROWSER: folder } }), undefined);
  });

  onPosix('prefers Chromium to Chrome, whatever their order in PATH', async () => {
    const chrome = await program('first', 'google-chrome');
    const chromium = await program('second', 'chromium');
    const env = { PATH: `${path.dirname(chrome)}:${path.dirname(chromium)}` };
    assert.equal(await findBrowser({ env, platform: 'linux' }), chromium);
  });

  onPosix('prefers Chrome to Edge, and Edge to Brave', async () => {
    const names = ['brave-browser', 'microsoft-edge', 'google-chrome'];
    const env = { PATH: path.join(folder, 'bin') };
    for (const name of names) {
      const added = await program('bin', name);
      assert.equal(await findBrowser({ env, platform: 'linux' }), added);
    }
  });

  onPosix('finds a name without a folder in PATH', async () => {
    const chromium = await program('bin', 'my-chromium');
    const env = { PATH: path.dirname(chromium), SIDELOAD_BROWSER: 'my-chromium' };
    assert.equal(await findBrowser({ env, platform: 'linux' }), chromium);
  });

  onPosix(
    'takes no program from the variable in a command of `run --exec`, where it names a browser that runs',
    async () => {
      const chromium = await program('bin', 'chromium');
      const env = {
        PATH: path.dirname(chromium),
        SIDELOAD_BROWSER: 'dev',
        SIDELOAD_CDP_URL: 'ws://127.0.0.1:1/secret',
      };
      assert.equal(await findBrowser({ env, platform: 'linux' }), chromium);
      assert.ok(noBrowserDetails({ env, platform: 'linux' }).every(({ code }) => code === 'searched_folder'));
    },
  );

  it('ignores files that are not executable', async function () {
    if (process.platform === 'win32') return this.skip();
    const file = await program('bin', 'my-chromium');
    await chmod(file, 0o644);
    assert.equal(await findBrowser({ configured: file, env: {} }), undefined);
  });

  it('says what was looked for and where, or which setting names a wrong file', () => {
    const env = { PATH: '/some/bin' };
    assert.match(noBrowserMessage({ env, platform: 'linux' }), /Chromium.*Google Chrome.* PATH .*\/usr\/bin/);
    assert.ok(
      noBrowserDetails({ env, platform: 'linux' }).every(({ code }) => code === 'searched_folder'),
      'PATH is not told',
    );
    assert.deepEqual(noBrowserDetails({ configured: ' /gone ', env }), [
      { code: 'named_by_setting', message: '/gone' },
    ]);
    assert.match(
      noBrowserMessage({ configured: '/gone', env }),
      /^"\/gone", .*sideload\.local\.browserPath.*not an executable/,
    );
    assert.match(
      noBrowserMessage({ env: { SIDELOAD_BROWSER: '/x' } }),
      /^"\/x", .*SIDELOAD_BROWSER.*not an executable/,
    );
  });

  describe('on Windows', () => {
    // As the system names them, and as a copy of `process.env` has them.
    const env = {
      LOCALAPPDATA: 'C:\\Users\\Ann\\AppData\\Local',
      ProgramFiles: 'C:\\Program Files',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      Path: 'C:\\Windows;relative;D:\\tools\\bin',
    };

    it('searches the folders of programs, then those of PATH, whatever the case of the variables', () => {
      const places = usualPlaces(env, 'win32');
      for (const place of [
        'C:\\Users\\Ann\\AppData\\Local\\Chromium\\Application\\chrome.exe',
        'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
        'C:\\Users\\Ann\\AppData\\Local\\Google\\Chrome SxS\\Application\\chrome.exe',
        'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
        'C:\\Program Files\\BraveSoftware\\Brave-Browser\\Application\\brave.exe',
        'D:\\tools\\bin\\chrome.exe',
      ])
        assert.ok(places.includes(place), place);
      const upper = Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
      assert.deepEqual(usualPlaces(upper, 'win32'), places);
      assert.ok(!places.some((place) => place.startsWith('relative')));
    });

    it('says which of these folders were searched, without those of PATH', () => {
      const folders = noBrowserDetails({ env, platform: 'win32' }).map(({ message }) => message);
      assert.ok(folders.includes('C:\\Program Files\\Google\\Chrome\\Application'), folders.join());
      assert.ok(!folders.some((one) => one.startsWith('D:')));
    });
  });

  it('takes a name for a program in PATH, on Windows with or without its ending, and a path for itself', () => {
    const windows = { Path: 'C:\\bin' };
    for (const name of ['chrome', 'chrome.exe'])
      assert.deepEqual(namedPlaces(name, windows, 'win32'), ['C:\\bin\\chrome.exe']);
    assert.deepEqual(namedPlaces('D:/apps/chrome.exe', windows, 'win32'), ['D:\\apps\\chrome.exe']);
    for (const platform of ['linux', 'darwin'] as const) {
      assert.deepEqual(namedPlaces('chrome', { PATH: '/bin:/opt/bin' }, platform), ['/bin/chrome', '/opt/bin/chrome']);
      assert.deepEqual(namedPlaces('/opt/chrome', {}, platform), ['/opt/chrome']);
    }
  });

  it('searches the applications of the machine and of the user on macOS', () => {
    const places = usualPlaces({ HOME: '/Users/ann', PATH: '/opt/homebrew/bin' }, 'darwin');
    for (const place of [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Users/ann/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      '/opt/homebrew/bin/chromium',
    ])
      assert.ok(places.includes(place), place);
  });

  onPosix('searches the user’s applications on macOS', async () => {
    const chromium = await program('Applications', 'Chromium.app', 'Contents', 'MacOS', 'Chromium');
    const found = await findBrowser({ env: { HOME: folder, PATH: '' }, platform: 'darwin' });
    assert.equal(found, chromium);
  });
});
