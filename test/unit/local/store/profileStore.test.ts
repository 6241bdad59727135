import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomId } from '../../../../src/local/randomId';
import { ProfileStore } from '../../../../src/local/store/profileStore';

describe('the saved state of a profile', () => {
  let base: string;
  let folder: string;
  let profiles: ProfileStore;
  let id: string;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sideload-profiles-'));
    folder = path.join(base, 'profiles');
    profiles = new ProfileStore(folder);
    ({ id } = await profiles.create('shop'));
  });
  afterEach(() => rm(base, { recursive: true }));

  /** Saves the state of a session that holds `text`. */
  async function save(text: string): Promise<void> {
    const session = await mkdtemp(path.join(base, 'session-'));
    await writeFile(path.join(session, 'Cookies'), text);
    await profiles.save(id, session);
  }

  /** What a session gets of it. */
  async function loaded(): Promise<string | undefined> {
    const session = path.join(base, randomId());
    await profiles.load(id, session);
    return await readFile(path.join(session, 'Cookies'), 'utf8').catch(() => undefined);
  }

  it('is that of the last session to be saved, alone in its folder', async () => {
    assert.equal(await loaded(), undefined);
    await save('one');
    await save('two');
    assert.equal(await loaded(), 'two');
    assert.deepEqual((await readdir(folder)).sort(), [id, `${id}.json`]);
  });

  it('is not replaced by the older one of a browser that was found without its service', async () => {
    const left = await mkdtemp(path.join(base, 'left-'));
    await mkdir(path.join(left, 'Default'));
    await writeFile(path.join(left, 'Cookies'), 'left');
    await save('newer');
    const before = new Date(Date.now() - 60_000);
    for (const name of ['Cookies', 'Default']) await utimes(path.join(left, name), before, before);
    await assert.rejects(profiles.saveLeft(id, left), /later state/);
    assert.equal(await loaded(), 'newer');
    const after = new Date(Date.now() + 60_000);
    await writeFile(path.join(left, 'Default', 'Preferences'), '');
    await utimes(path.join(left, 'Default', 'Preferences'), after, after);
    await profiles.saveLeft(id, left);
    assert.equal(await loaded(), 'left');
  });

  it('comes back when a save has ended between its two renames', async () => {
    await save('one');
    const state = path.join(folder, id);
    await rename(state, `${state}.${randomId()}.old`);
    assert.equal(await loaded(), 'one');
    await rename(state, `${state}.${randomId()}.old`);
    const archive = path.join(base, 'state.tar');
    assert.equal(await profiles.pack(id, archive), true);
    await rename(state, `${state}.${randomId()}.old`);
    await save('two');
    assert.equal(await loaded(), 'two');
    assert.deepEqual((await readdir(folder)).sort(), [id, `${id}.json`]);
  });

  it('is removed with the profile, also what saves that were cut off have left', async () => {
    await save('one');
    for (const part of ['old', 'new']) {
      const left = path.join(folder, `${id}.${randomId()}.${part}`);
      await mkdir(left);
      await writeFile(path.join(left, 'Cookies'), 'left');
    }
    const { id: other } = await profiles.create('other');
    await profiles.remove(id);
    assert.deepEqual(await readdir(folder), [`${other}.json`]);
  });

  it('stays when the state of a session cannot be copied', async () => {
    await save('one');
    const session = path.join(base, 'file');
    await writeFile(session, '');
    await assert.rejects(profiles.save(id, session));
    assert.equal(await loaded(), 'one');
    assert.deepEqual((await readdir(folder)).sort(), [id, `${id}.json`]);
  });
});
