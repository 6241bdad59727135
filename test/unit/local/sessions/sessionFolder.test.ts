import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomId } from '../../../../src/local/randomId';
import {
  createSessionFolder,
  noteProfile,
  removeLeftovers,
  removeSessionFolder,
  userDataFolderIn,
} from '../../../../src/local/sessions/sessionFolder';
import { asOrdinaryUser, asRoot, isRoot } from '../ordinaryUser';

const NO_PROCESS = '999999999';
const LONG_AGO = new Date('2026-01-01');

describe('the folders of sessions', function () {
  asOrdinaryUser(this);
  let base: string;
  let sessions: string;
  let warnings: string[];
  /** What was saved: ids of profiles, and the names in the user data. */
  let saved: unknown[];
  const warn = (message: string): void => void warnings.push(message);
  const save = async (profileId: string, userDataFolder: string): Promise<void> => {
    if (profileId === 'refused') throw new Error('The disk is full.');
    saved.push([profileId, await readdir(userDataFolder)]);
  };

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sideload-sessions-'));
    sessions = path.join(base, 'sessions');
    await mkdir(sessions);
    warnings = [];
    saved = [];
  });
  afterEach(() => asRoot(() => rm(base, { recursive: true, force: true })));

  /** The folder of a session whose service has the process id `pid`. */
  async function sessionOf(pid: string): Promise<string> {
    const folder = path.join(sessions, randomId());
    await mkdir(path.join(folder, 'files'), { recursive: true });
    await writeFile(path.join(folder, 'service.pid'), pid);
    return folder;
  }

  it('are private and marked with their service, which a later start leaves alone', async () => {
    const folder = path.join(sessions, randomId());
    await createSessionFolder(folder);
    assert.equal((await lstat(folder)).mode & 0o777, 0o700);
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual(await readdir(folder), ['service.pid']);
    await removeSessionFolder(folder, warn);
    await removeSessionFolder(folder, warn);
    assert.deepEqual([await readdir(sessions), warnings], [[], []]);
  });

  it('are removed when their service has ended, whatever permissions they have', async () => {
    const folder = await sessionOf(NO_PROCESS);
    await mkdir(path.join(folder, 'files', 'home'));
    await chmod(path.join(folder, 'files', 'home'), 0o000);
    const empty = path.join(sessions, randomId());
    await mkdir(empty);
    await utimes(empty, LONG_AGO, LONG_AGO);
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual([await readdir(sessions), warnings], [[], []]);
  });

  it('are saved before in the profile that they are for, and stay when that fails', async () => {
    const folders = await Promise.all(
      ['one', 'refused'].map(async (profileId) => {
        const folder = await sessionOf(NO_PROCESS);
        await mkdir(userDataFolderIn(folder));
        await writeFile(path.join(userDataFolderIn(folder), 'Cookies'), '');
        await noteProfile(folder, profileId);
        return folder;
      }),
    );
    for (let start = 1; start <= 2; start += 1) await removeLeftovers(sessions, warn, save);
    assert.deepEqual(saved, [['one', ['Cookies']]]);
    const [, refused = ''] = folders;
    assert.deepEqual(await readdir(sessions), [path.basename(refused)]);
    assert.deepEqual(await readdir(userDataFolderIn(refused)), ['Cookies']);
    assert.match(
      warnings.join('\n'),
      /^What a browser has changed could not be saved in its profile\. It stays in [^\n]+$/,
    );
  });

  it('are removed when the process id of their service has come again', async function () {
    if (process.platform !== 'linux') this.skip();
    await sessionOf(`${process.pid} 1`);
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual(await readdir(sessions), []);
  });

  it('are removed only with the name and the mark of a session', async () => {
    const outside = path.join(base, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'service.pid'), NO_PROCESS);
    const kept = {
      '2026': () => writeFile(path.join(sessions, '2026', 'service.pid'), NO_PROCESS),
      [randomId()]: () => Promise.resolve(),
      [randomId()]: (folder: string) => writeFile(path.join(folder, 'service.pid'), ''),
      [randomId()]: (folder: string) => writeFile(path.join(folder, 'service.pid'), 'x'),
      [randomId()]: (folder: string) => writeFile(path.join(folder, 'service.pid'), String(process.pid)),
      [randomId()]: (folder: string) => symlink(path.join(outside, 'service.pid'), path.join(folder, 'service.pid')),
      [randomId()]: (folder: string) => {
        execFileSync('mkfifo', [path.join(folder, 'service.pid')]);
        return Promise.resolve();
      },
    };
    for (const [name, mark] of Object.entries(kept)) {
      await mkdir(path.join(sessions, name));
      await writeFile(path.join(sessions, name, 'important.txt'), 'x');
      await mark(path.join(sessions, name));
      await utimes(path.join(sessions, name), LONG_AGO, LONG_AGO);
    }
    await symlink(outside, path.join(sessions, randomId()));
    await writeFile(path.join(sessions, 'notes.md'), 'x');
    const before = (await readdir(base, { recursive: true })).sort();
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual((await readdir(base, { recursive: true })).sort(), before);
  });

  it('that cannot be removed are reported, do not keep others, and are tried again', async function () {
    if (!isRoot) this.skip();
    const stuck = await sessionOf(NO_PROCESS);
    await asRoot(() => mkdir(path.join(stuck, 'files', 'foreign', 'deep'), { recursive: true }));
    await sessionOf(NO_PROCESS);
    for (let start = 1; start <= 2; start += 1) {
      await removeLeftovers(sessions, warn, save);
      assert.deepEqual(await readdir(sessions), [path.basename(stuck)]);
      assert.equal(await readFile(path.join(stuck, 'service.pid'), 'utf8'), NO_PROCESS);
      assert.equal(warnings.length, start);
      assert.match(warnings[0] ?? '', new RegExp(`${stuck}: EACCES.*foreign`));
    }
    await asRoot(() => rm(path.join(stuck, 'files'), { recursive: true }));
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual(await readdir(sessions), []);
  });

  it('take the socket of a killed browser with them', async () => {
    const sockets = path.join(base, 'org.chromium.Chromium.abcdef');
    await mkdir(sockets);
    for (const name of ['SingletonSocket', 'SingletonCookie']) await writeFile(path.join(sockets, name), '');
    const profile = userDataFolderIn(await sessionOf(NO_PROCESS));
    await mkdir(profile);
    await symlink(path.join(sockets, 'SingletonSocket'), path.join(profile, 'SingletonSocket'));
    await removeLeftovers(sessions, warn, save);
    assert.deepEqual(await readdir(base), ['sessions']);
  });
});
