import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeFolder } from '../../../src/local/removeFolder';
import { asOrdinaryUser, asRoot, isRoot } from './ordinaryUser';

describe('the removal of a folder of the service', function () {
  asOrdinaryUser(this);
  let base: string;
  let folder: string;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sideload-remove-'));
    folder = path.join(base, 'folder');
    await mkdir(folder);
  });
  afterEach(() => asRoot(() => rm(base, { recursive: true, force: true })));

  const isThere = (file: string): Promise<boolean> =>
    lstat(file).then(
      () => true,
      () => false,
    );

  for (const mode of [0o000, 0o444, 0o555]) {
    it(`removes folders of mode ${mode.toString(8)}, which keep their owner out`, async () => {
      const inner = path.join(folder, 'a', 'b');
      await mkdir(inner, { recursive: true });
      await writeFile(path.join(inner, 'file'), 'x', { mode: 0o000 });
      for (const each of [inner, path.dirname(inner), folder]) await chmod(each, mode);
      await removeFolder(folder);
      assert(!(await isThere(folder)));
    });
  }

  it('does nothing for a missing folder', async () => {
    await removeFolder(path.join(base, 'missing'));
  });

  it('removes links and changes nothing of what they lead to', async () => {
    const outside = path.join(base, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'kept'), 'x');
    await chmod(outside, 0o500);
    await symlink(outside, path.join(folder, 'link'));
    await symlink(outside, path.join(base, 'other'));
    await removeFolder(folder);
    await removeFolder(path.join(base, 'other'));
    assert.deepEqual(await readdir(base), ['outside']);
    assert.deepEqual(await readdir(outside), ['kept']);
    assert.equal((await stat(outside)).mode & 0o777, 0o500);
    await chmod(outside, 0o700);
  });

  it('removes what it can, keeps the last entry as long as any other stays, and reports what stays', async function () {
    if (!isRoot) this.skip();
    const [own, foreign] = [path.join(folder, 'own', 'deep'), path.join(folder, 'foreign')];
    await mkdir(own, { recursive: true });
    await asRoot(async () => {
      await mkdir(foreign, { mode: 0o755 });
      await writeFile(path.join(foreign, 'file'), 'x');
    });
    await writeFile(path.join(folder, 'mark'), 'x');
    await assert.rejects(removeFolder(folder, 'mark'), (error: Error) => error.message.includes(foreign));
    assert.deepEqual((await readdir(folder)).sort(), ['foreign', 'mark']);
    await asRoot(() => rm(foreign, { recursive: true }));
    await removeFolder(folder, 'mark');
    assert.deepEqual(await readdir(base), []);
  });
});
