import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wholeInstaller } from '../../../../src/local/sessions/installation';
import { Sessions } from '../../../../src/local/sessions/sessions';
import { ExtensionStore } from '../../../../src/local/store/extensionStore';
import { ProfileStore } from '../../../../src/local/store/profileStore';
import { PipeBrowser } from '../../../standins/local/pipeBrowser';
import { eventually } from '../../../support/eventually';

describe('the browsers of the local service', () => {
  let folder: string;
  let browser: PipeBrowser;
  let profiles: ProfileStore;
  let sessions: Sessions;

  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-sessions-'));
    browser = await PipeBrowser.in(folder);
    profiles = new ProfileStore(path.join(folder, 'profiles'));
    await mkdir(path.join(folder, 'sessions'));
    sessions = new Sessions({
      folder: path.join(folder, 'sessions'),
      profiles,
      extensions: new ExtensionStore(path.join(folder, 'extensions')),
      installer: wholeInstaller,
      loadOverDevTools: false,
      user: undefined,
      browser: browser.executable,
      socketBase: () => 'ws://127.0.0.1:1',
      warn: (message) => assert.fail(message),
    });
  });
  afterEach(async () => {
    await rm(browser.held, { force: true });
    await sessions.close();
    await rm(folder, { recursive: true });
  });

  it('keep the profile that one of them is being started with, until it has ended', async () => {
    const { id } = await profiles.create('shop');
    await writeFile(browser.held, '');
    const starting = sessions.create({ profile: { id, save_changes: true }, name: 'buyer' });
    const isLoaded = async () => (await profiles.records.get(id)).last_used_at !== null;
    await eventually('its browser is starting', isLoaded, 5_000);
    await assert.rejects(sessions.removeProfile('shop'), {
      status: 400,
      code: 'resource_in_use',
      message: 'The profile is in use by the browser buyer. Delete that browser first.',
    });
    await rm(browser.held);
    const session = await starting;
    await assert.rejects(sessions.removeProfile(id), { code: 'resource_in_use' });
    await sessions.end(session);
    await sessions.removeProfile(id);
    assert.deepEqual(await profiles.records.all(), []);
  });
});
