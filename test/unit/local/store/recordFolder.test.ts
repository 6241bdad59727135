import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomId } from '../../../../src/local/randomId';
import { ProfileStore } from '../../../../src/local/store/profileStore';

describe('the records on disk', () => {
  let base: string;
  let folder: string;
  let profiles: ProfileStore;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sideload-records-'));
    folder = path.join(base, 'profiles');
    await mkdir(folder);
    profiles = new ProfileStore(folder);
  });
  afterEach(() => rm(base, { recursive: true }));

  const recordOf = (id: string, name: string): string => JSON.stringify({ id, name, created_at: '2026-11-22' });

  it('are not believed about their id, which becomes part of paths', async () => {
    await mkdir(path.join(base, 'outside'));
    const [file, other] = [randomId(), randomId()];
    await writeFile(path.join(folder, `${file}.json`), recordOf('../outside', 'climbs'));
    await writeFile(path.join(folder, `${other}.json`), recordOf(file, 'lies'));
    // Their file names are the ids "." and "..".
    await writeFile(path.join(folder, '..json'), recordOf('.', 'here'));
    await writeFile(path.join(folder, '...json'), recordOf('..', 'parent'));
    assert.deepEqual(await profiles.records.all(), []);
    for (const name of ['climbs', 'lies', 'here', 'parent'])
      await assert.rejects(profiles.records.get(name), { status: 404 });
    assert.deepEqual((await readdir(base)).sort(), ['outside', 'profiles']);
  });

  it('that are pipes, folders, links or damaged do not keep the others from being listed', async function () {
    if (process.platform === 'win32') this.skip();
    const { id } = await profiles.create('good');
    execFileSync('mkfifo', [path.join(folder, `${randomId()}.json`)]);
    await mkdir(path.join(folder, `${randomId()}.json`));
    await symlink('/dev/zero', path.join(folder, `${randomId()}.json`));
    await writeFile(path.join(folder, `${randomId()}.json`), '{');
    assert.deepEqual(
      (await profiles.records.all()).map((profile) => profile.id),
      [id],
    );
  });
});
