import assert from 'node:assert/strict';
import { chmod, lchown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { ownDataFolder } from '../../../../src/local/instance/ownFolder';
import { randomId } from '../../../../src/local/randomId';
import { isRoot } from '../ordinaryUser';

const NOBODY = 65_534;
const INNER = ['extensions', 'profiles', 'sessions', 'spool'];
const OURS = ['.sideload-data', ...INNER];

describe('the data folder of the service', () => {
  let base: string;
  let folder: string;
  let warnings: string[];
  const own = (): Promise<string> => ownDataFolder(folder, (message) => void warnings.push(message));

  beforeEach(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'sideload-data-')));
    folder = path.join(base, 'data');
    warnings = [];
  });
  afterEach(async () => {
    assert.deepEqual(warnings, []);
    await rm(base, { recursive: true });
  });

  async function modes(): Promise<number[]> {
    const stats = await Promise.all(['', ...INNER].map((name) => stat(path.join(folder, name))));
    return stats.map(({ mode }) => mode & 0o777);
  }

  it('is created, marked and private', async () => {
    assert.equal(await own(), folder);
    assert.deepEqual((await readdir(folder)).sort(), OURS);
    assert.deepEqual(new Set(await modes()), new Set([0o700]));
  });

  it('is closed to other users when it was open, with the folders in it', async () => {
    await mkdir(folder);
    for (const name of INNER) await mkdir(path.join(folder, name));
    for (const name of ['', ...INNER]) await chmod(path.join(folder, name), 0o777);
    await own();
    assert.deepEqual(new Set(await modes()), new Set([0o700]));
  });

  it('is one for services that start at the same time', async () => {
    for (let round = 0; round < 30; round += 1) {
      await rm(folder, { recursive: true, force: true });
      const start = async (turns: number): Promise<string> => {
        for (let turn = 0; turn < turns; turn++) await turnOfLoop();
        return await own();
      };
      await Promise.all(Array.from({ length: 20 }, (_, at) => start(at % 5)));
    }
  });

  it('may be a link to a folder', async () => {
    await mkdir(path.join(base, 'elsewhere'));
    await symlink('elsewhere', folder);
    assert.equal(await own(), path.join(base, 'elsewhere'));
  });

  it('is used again, whatever else was put into it', async () => {
    await own();
    await writeFile(path.join(folder, 'notes.md'), 'x');
    await writeFile(path.join(folder, 'sessions', 'notes.md'), 'x');
    await own();
    assert.deepEqual((await readdir(folder)).sort(), [...OURS, 'notes.md'].sort());
  });

  it('of an earlier version, without a mark, is taken over', async () => {
    const ids = Array.from({ length: 5 }, randomId);
    const files = [
      ['sessions', ids[0], 'service.pid'],
      ['profiles', `${ids[1]}.json`],
      ['profiles', ids[1], 'Default', 'Preferences'],
      ['profiles', `${ids[1]}.${ids[2]}.new`, 'Local State'],
      ['profiles', `${ids[1]}.json.${ids[2]}.tmp`],
      ['extensions', `${ids[3]}.zip`],
      ['spool', ids[4], '0'],
      ['service.json'],
      ['service.lock'],
      ['service.lock.breaking'],
      [`service.lock.${ids[4]}`],
      ['.DS_Store'],
    ].map((parts) => path.join(folder, ...parts.map(String)));
    for (const file of files) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, 'x');
    }
    await own();
    for (const file of files) await stat(file);
    assert((await readdir(folder)).includes('.sideload-data'));
  });

  const foreign: Record<string, [file: string, says: RegExp]> = {
    'a project': ['package.json', /contains package\.json.*--data-dir/],
    'a project with a folder named sessions': ['sessions/2026/important.txt', /contains sessions.2026/],
    'a folder with a folder named profiles': ['profiles/me.json', /contains profiles.me\.json/],
  };
  for (const [what, [file, says]] of Object.entries(foreign)) {
    it(`is not ${what}, which is refused and not changed`, async () => {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), 'x');
      await chmod(folder, 0o755);
      const before = await readdir(folder, { recursive: true });
      await assert.rejects(own(), says);
      assert.deepEqual(await readdir(folder, { recursive: true }), before);
      assert.equal((await stat(folder)).mode & 0o777, 0o755);
    });
  }

  for (const name of INNER) {
    it(`has no link as its folder ${name}`, async () => {
      const outside = path.join(base, 'outside');
      await mkdir(outside);
      await chmod(outside, 0o755);
      await own();
      await rm(path.join(folder, name), { recursive: true });
      await symlink(outside, path.join(folder, name));
      await assert.rejects(own(), /is a link or a file, and must be a folder/);
      assert.equal((await stat(outside)).mode & 0o777, 0o755);
    });
  }

  it('belongs to the user, as the folders in it do', async function () {
    if (!isRoot) this.skip();
    await own();
    for (const name of ['', 'sessions']) {
      await lchown(path.join(folder, name), NOBODY, NOBODY);
      await assert.rejects(own(), /belongs to another user/);
      await lchown(path.join(folder, name), 0, 0);
    }
    await own();
  });
});
