import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser, noBrowserDetails, noBrowserMessage } from '../../../../src/local/chromium/browserPaths';

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

  it('prefers Chromium to Chrome, whatever their order in PATH', async () => {
    const chrome = await program('first', 'google-chrome');
    const chromium = await program('second', 'chromium');
    const env = { PATH: `${path.dirname(chrome)}:${path.dirname(chromium)}` };
    assert.equal(await findBrowser({ env, platform: 'linux' }), chromium);
  });

  it('prefers Chrome to Edge, and Edge to Brave', async () => {
    const names = ['brave-browser', 'microsoft-edge', 'google-chrome'];
    const env = { PATH: path.join(folder, 'bin') };
    for (const name of names) {
      const added = await program('bin', name);
      assert.equal(await findBrowser({ env, platform: 'linux' }), added);
    }
  });

  it('finds a name without a folder in PATH', async () => {
    const chromium = await program('bin', 'my-chromium');
    const env = { PATH: path.dirname(chromium), SIDELOAD_BROWSER: 'my-chromium' };
    assert.equal(await findBrowser({ env, platform: 'linux' }), chromium);
  });

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

  it('searches the user’s applications on macOS', async () => {
    const chromium = await program('Applications', 'Chromium.app', 'Contents', 'MacOS', 'Chromium');
    const found = await findBrowser({ env: { HOME: folder, PATH: '' }, platform: 'darwin' });
    assert.equal(found, chromium);
  });
});
