import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomId, randomToken } from '../../../../src/local/randomId';
import { wholeInstaller } from '../../../../src/local/sessions/installation';
import { Session } from '../../../../src/local/sessions/session';
import { createSessionFolder, removeLeftovers } from '../../../../src/local/sessions/sessionFolder';

describe('the end of a session whose profile is saved', () => {
  let sessions: string;
  let session: Session;
  let warnings: string[];

  beforeEach(async () => {
    sessions = await mkdtemp(path.join(tmpdir(), 'sideload-session-'));
    warnings = [];
    const id = randomId();
    const folder = path.join(sessions, id);
    session = new Session(
      {
        record: {
          session_id: id,
          created_at: new Date().toISOString(),
          cdp_ws_url: '',
          webdriver_ws_url: '',
          headless: true,
          stealth: false,
          timeout_seconds: 60,
          name: null,
          tags: {},
          profile: null,
          profile_save_changes: true,
          viewport: null,
          kiosk_mode: false,
          start_url: null,
          deleted_at: null,
        },
        token: randomToken(),
        folder,
        executable: '',
        installer: wholeInstaller,
        loadOverDevTools: false,
        user: undefined,
        warn: (message) => void warnings.push(message),
      },
      () => undefined,
    );
    await createSessionFolder(folder);
    await mkdir(session.userDataFolder);
    await writeFile(path.join(session.userDataFolder, 'Cookies'), 'mine');
  });
  afterEach(() => rm(sessions, { recursive: true }));

  it('saves its state once, also when its browser ends meanwhile', async () => {
    const saved: string[][] = [];
    const save = async (folder: string): Promise<void> => void saved.push(await readdir(folder));
    await Promise.all([session.end(save), session.end(save)]);
    assert.deepEqual(saved, [['Cookies']]);
    assert.deepEqual(await readdir(sessions), []);
  });

  it('keeps the state that cannot be saved, says where, and no later service removes it', async () => {
    const full = new Error('no space left on device');
    await assert.rejects(
      session.end(() => Promise.reject(full)),
      full,
    );
    await removeLeftovers(
      sessions,
      (message) => void warnings.push(message),
      () => Promise.reject(new Error('Nothing is saved.')),
    );
    assert.deepEqual(await readdir(session.userDataFolder), ['Cookies']);
    assert.deepEqual(warnings, [
      `What a browser has changed could not be saved in its profile. It stays in ${session.userDataFolder}`,
    ]);
  });
});
