import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileTree, ignoresCaseOn } from '../../../src/archive/fileTree';
import { inspect } from '../../../src/archive/listing';
import { selectFiles } from '../../support/selectFiles';
import { type Chance, seededChance } from '../../support/random';
import { testSeed } from '../../runner/seed';

const SEED = testSeed();
const EDITS = 120;

/** Few names, so that files, folders and links take each other's places. */
const NAMES = ['a', 'b', 'c.js', 'd.zip', '.env', 'node_modules', 'keep', 'x\\y'];
const RULES = { exclude: ['c.js', 'b/keep'], include: ['node_modules/a/**', '.env'] };

describe('a tree of files that is refreshed path by path', function () {
  this.timeout(20_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-tree-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it(`equals a tree that was read as a whole, after each of ${EDITS} random edits (seed ${SEED})`, async () => {
    const chance = seededChance(SEED);
    const tree = new FileTree(folder, RULES);
    await tree.readAll();
    for (let edit = 0; edit < EDITS; edit++) {
      const changed = await editRandomly(chance, edit);
      for (const path of changed) await tree.refresh(path);
      assert.deepEqual(tree.selection(), await selectFiles(folder, RULES), `edit ${edit} of ${changed.join(', ')}`);
    }
  });

  it('reads nothing but the refreshed path', async () => {
    for (const name of ['one.js', 'two.js']) await writeFile(join(folder, name), name);
    const tree = new FileTree(folder, {});
    await tree.readAll();
    for (const name of ['one.js', 'two.js']) await writeFile(join(folder, name), `${name} is longer now`);
    await tree.refresh('one.js');
    assert.deepEqual(
      tree.selection().files.map(({ size }) => size),
      ['one.js is longer now'.length, 'two.js'.length],
    );
  });

  it('leaves out only the file of which the system says nothing', async function () {
    // The longest path of Linux has 4,095 bytes: the folder and the short name fit, and the long name does not.
    if (process.platform !== 'linux') return this.skip();
    const steps: string[] = [];
    for (let left = 3990 - folder.length; left > 1; left -= 201) steps.push('d'.repeat(Math.min(left - 1, 200)));
    const deep = steps.join('/');
    const long = 'f'.repeat(200);
    await mkdir(join(folder, deep), { recursive: true });
    try {
      execFileSync('touch', ['a', long, 'z'], { cwd: join(folder, deep) });
      const { files, leftOut } = await selectFiles(folder, {});
      assert.deepEqual(
        files.map(({ path }) => path),
        [`${deep}/a`, `${deep}/z`],
      );
      assert.deepEqual(leftOut, [{ path: `${deep}/${long}`, reason: 'cannot be read (ENAMETOOLONG)' }]);
    } finally {
      execFileSync('rm', ['-rf', steps[0] ?? ''], { cwd: folder });
    }
  });

  it('has a file that was renamed in case alone by its new name, on a disk that finds it by both', async () => {
    await mkdir(join(folder, 'lib'));
    await writeFile(join(folder, 'lib', 'Old.js'), '');
    const disk = {
      ignoresCase: true,
      inspect: async (parent: string, name: string) => {
        const found = await inspect(
          parent,
          (await readdir(parent)).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name,
        );
        return found && { ...found, name };
      },
    };
    for (const events of [
      ['lib/Old.js', 'lib/old.js'],
      ['lib/old.js', 'lib/Old.js'],
    ]) {
      await rename(join(folder, 'lib', (await readdir(join(folder, 'lib')))[0] ?? ''), join(folder, 'lib', 'Old.js'));
      const tree = new FileTree(folder, {}, disk);
      await tree.readAll();
      await rename(join(folder, 'lib', 'Old.js'), join(folder, 'lib', 'old.js'));
      for (const path of events) await tree.refresh(path);
      assert.deepEqual([...tree.files.keys()], ['lib/old.js'], events.join());
    }
  });

  it('takes account of case where disks do', () => {
    assert.deepEqual((['win32', 'darwin', 'linux'] as const).map(ignoresCaseOn), [true, true, false]);
  });

  /** Edits one path of the folder; resolves to the paths that a watcher would report. */
  async function editRandomly(chance: Chance, edit: number): Promise<string[]> {
    const path = randomPath(chance);
    const place = join(folder, path);
    // Below a link, a watcher would report another path.
    await makeParents(path);
    const changed = [path, ...above(path)];
    const kind = chance.below(6);
    if (kind === 1) {
      const to = randomPath(chance);
      if (`${to}/`.startsWith(`${path}/`) || path.startsWith(`${to}/`)) return changed;
      await makeParents(to);
      await rm(join(folder, to), { recursive: true, force: true });
      await rename(place, join(folder, to)).catch(() => undefined);
      return [...changed, to, ...above(to)];
    }
    await rm(place, { recursive: true, force: true });
    if (kind === 2) await symlink('a', place);
    else if (kind > 2) await writeFile(place, 'x'.repeat(edit % 50));
    return changed;
  }

  async function makeParents(path: string): Promise<void> {
    for (const parent of above(path).reverse()) {
      await mkdir(join(folder, parent)).catch(async () => {
        // A file or a link is replaced by a folder; a folder is kept.
        await unlink(join(folder, parent)).then(
          () => mkdir(join(folder, parent)),
          () => undefined,
        );
      });
    }
  }
});

function above(path: string): string[] {
  const parents: string[] = [];
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) parents.push(parent);
  return parents;
}

function randomPath(chance: Chance): string {
  return Array.from({ length: 1 + chance.below(3) }, () => chance.pick(NAMES)).join('/');
}
