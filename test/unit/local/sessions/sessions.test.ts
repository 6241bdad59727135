import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type UploadedExtension, wholeInstaller } from '../../../../src/local/sessions/installation';
import type { Session } from '../../../../src/local/sessions/session';
import { Sessions } from '../../../../src/local/sessions/sessions';
import { ExtensionStore } from '../../../../src/local/store/extensionStore';
import { ProfileStore } from '../../../../src/local/store/profileStore';
import { PipeBrowser } from '../../../standins/local/pipeBrowser';
import { eventually } from '../../../support/eventually';

describe('the browsers of the local service', () => {
  let folder: string;
  let browser: PipeBrowser;
  let profiles: ProfileStore;
  let extensions: ExtensionStore;
  let sessions: Sessions;

  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-sessions-'));
    browser = await PipeBrowser.in(folder);
    profiles = new ProfileStore(path.join(folder, 'profiles'));
    extensions = new ExtensionStore(path.join(folder, 'extensions'));
    await mkdir(path.join(folder, 'sessions'));
    sessions = new Sessions({
      folder: path.join(folder, 'sessions'),
      profiles,
      extensions,
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

  /** An extension for an upload. */
  async function built(): Promise<UploadedExtension> {
    return {
      name: 'mine',
      archive: await new JSZip().file('manifest.json', '{}').generateAsync({ type: 'nodebuffer' }),
    };
  }

  /** Stores an extension for browsers to be created with. */
  async function stored(): Promise<{ id: string }> {
    const spooled = path.join(folder, 'spooled.zip');
    await writeFile(spooled, (await built()).archive);
    return extensions.add(spooled, undefined);
  }

  it('change no profile when they crash while they are created', async () => {
    const profile = await profiles.create('shop');
    const { id } = await stored();
    // The end of the process is known before the start fails.
    await writeFile(browser.crashing, '0.7');
    await assert.rejects(sessions.create({ profile: { id: profile.id, save_changes: true }, extensions: [{ id }] }), {
      status: 500,
    });
    await sessions.close();
    assert.equal((await profiles.records.get(profile.id)).updated_at, profile.updated_at);
    assert.deepEqual(await readdir(path.join(folder, 'sessions')), []);
  });

  it('are not created with an extension that is deleted before it is unpacked', async () => {
    const { id } = await stored();
    const markUsed = extensions.markUsed.bind(extensions);
    extensions.markUsed = async (used) => {
      await markUsed(used);
      await extensions.remove(used);
    };
    await assert.rejects(sessions.create({ extensions: [{ id }] }), {
      status: 404,
      message: `No extension has the id or name "${id}".`,
    });
  });

  it('keep their state when a profile cannot be copied to them', async () => {
    const profile = await profiles.create('shop');
    // What is there instead of its state cannot be copied.
    await writeFile(path.join(folder, 'profiles', profile.id), '');
    const session = await sessions.create({});
    const running = session.browser.current;
    await writeFile(path.join(session.userDataFolder, 'Cookies'), 'mine');
    await assert.rejects(sessions.setProfile(session, { id: profile.id }));
    assert.equal(await readFile(path.join(session.userDataFolder, 'Cookies'), 'utf8'), 'mine');
    assert.equal(session.browser.current, running);
    assert.equal(session.record.profile, null);
  });

  it('get the state of a profile instead of their own', async () => {
    const profile = await profiles.create('shop');
    await mkdir(path.join(folder, 'profiles', profile.id));
    await writeFile(path.join(folder, 'profiles', profile.id, 'Cookies'), 'saved');
    const session = await sessions.create({});
    const running = session.browser.current;
    await writeFile(path.join(session.userDataFolder, 'History'), 'mine');
    await sessions.setProfile(session, { id: profile.id });
    assert.deepEqual(await readdir(session.userDataFolder), ['Cookies']);
    assert.notEqual(session.browser.current, running);
    assert.equal(session.record.profile?.id, profile.id);
  });

  it('are idle only from the end of their start', async () => {
    const began = Date.now();
    await writeFile(browser.held, '');
    const starting = sessions.create({});
    await eventually('the start takes some time', () => Date.now() - began > 300, 5_000);
    await rm(browser.held);
    const { activity } = await starting;
    const [idle, took] = [activity.idleMs(), Date.now() - began];
    assert(idle < took - 300, `idle for ${idle} ms after a start of ${took} ms`);
  });

  for (const [restart, starts] of [
    ['without', 2],
    ['later', 1],
  ] as const) {
    it(`leave an extension to whoever has sent it until they start again, here with restart=${restart}`, async () => {
      const session = await sessions.create({});
      const upload = await built();
      await session.upload(() => Promise.resolve([upload]), restart);
      const log = async (start: string): Promise<string[]> =>
        (await browser.log()).filter((line) => line.startsWith(start));
      assert.deepEqual([(await log('started')).length, await log('loads')], [starts, []]);
      await session.upload(() => Promise.resolve([{ ...upload, name: 'other' }]));
      assert.deepEqual([(await log('started')).length, await log('loads')], [starts + 1, ['loads mine,other']]);
    });
  }

  it('have the size that they get while an upload restarts them', async () => {
    const session = await sessions.create({});
    await writeFile(browser.held, '');
    const uploading = session.upload(async () => [await built()]);
    const isRestarting = async () => (await browser.log()).filter((line) => line === 'started').length === 2;
    await eventually('its browser is restarting', isRestarting, 5_000);
    const resizing = session.resize({ width: 640, height: 480 });
    await rm(browser.held);
    await Promise.all([uploading, resizing]);
    assert.equal((await browser.log()).at(-1), '640x480');
    assert.deepEqual(session.record.viewport, { width: 640, height: 480 });
  });

  describe('that crash', () => {
    let session: Session;
    let uploads: UploadedExtension[];
    beforeEach(async () => {
      session = await sessions.create({});
      uploads = [await built()];
    });

    /** Ends the browser as a crash does, and waits until that is known. */
    async function crash(): Promise<void> {
      const { pid, ended } = session.browser.current ?? assert.fail('it is not running');
      process.kill(pid, 'SIGKILL');
      await ended;
    }

    it('end', async () => {
      const ended = new Promise<unknown>((resolve) => sessions.onEnd(resolve));
      await session.upload(() => Promise.resolve(uploads));
      await crash();
      assert.equal(await ended, session);
      assert.throws(() => sessions.get(session.id), { status: 404 });
    });

    it('go on when an upload was about to restart them', async () => {
      await session.upload(async () => {
        await crash();
        return uploads;
      });
      await session.upload(() => Promise.resolve([]));
      assert.equal(sessions.get(session.id), session);
    });

    it('go on without the extension that they crash with, which is not one that was refused', async () => {
      await writeFile(browser.crashing, '');
      await assert.rejects(
        session.upload(() => Promise.resolve(uploads)),
        {
          status: 500,
          message: 'The browser ended, or did not answer, while it was loading the extensions. Try again.',
        },
      );
      await assert.rejects(readFile(browser.crashing), { code: 'ENOENT' });
      await session.upload(() => Promise.resolve(uploads));
      assert.equal(sessions.get(session.id), session);
    });
  });
});
