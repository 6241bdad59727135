import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WatcherGaps } from '../../../src/archive/watcherGaps';

/** How long something is waited for that has to be told, in milliseconds: on a busy machine it comes late. */
const LIMIT_MS = 5000;

/** After this time what was not told is taken not to be told, in milliseconds. */
const SILENCE_MS = 50;

describe('folders that come with something in them', () => {
  let root: string;
  let told: string[];
  let folders: WatcherGaps;

  beforeEach(async () => {
    // The workspace itself may be an installed package.
    root = join(await mkdtemp(join(tmpdir(), 'sideload-new-')), 'node_modules');
    await mkdir(join(root, 'built', 'js', 'deep'), { recursive: true });
    await write('built/manifest.json');
    await write('built/js/deep/a.js');
    begin(true);
  });
  afterEach(async () => {
    folders.dispose();
    await rm(dirname(root), { recursive: true, force: true });
  });

  function begin(isOverInotify: boolean): void {
    told = [];
    folders = new WatcherGaps(root, (path, kind) => told.push(`${relative(root, path)} ${kind}`), isOverInotify);
  }

  async function write(path: string): Promise<void> {
    await writeFile(join(root, path), '');
  }

  /** What is told because the watcher has told of `path`. */
  async function after(path: string): Promise<string[]> {
    told = [];
    await folders.told(join(root, path));
    return [...told].sort();
  }

  /** Waits until that is told; what was told before counts too. */
  async function hears(line: string): Promise<void> {
    const end = performance.now() + LIMIT_MS;
    while (!told.includes(line)) {
      assert.ok(performance.now() < end, `told is ${told.join(', ')}, not ${line}`);
      await delay(2);
    }
  }

  it('are told with all that is in them', async () => {
    const all = ['built/js entry', 'built/js/deep entry', 'built/js/deep/a.js entry', 'built/manifest.json entry'];
    assert.deepEqual(await after('built'), all);
    folders.dispose();
    begin(false);
    assert.deepEqual(await after('built'), all, 'where all is watched');
  });

  it('are watched as deep as they are', async () => {
    await after('built');
    await write('built/js/deep/b.js');
    await hears('built/js/deep/b.js entry');
    await rm(join(root, 'built/js/deep/a.js'));
    await hears('built/js/deep/a.js entry');
    await writeFile(join(root, 'built/js/deep/b.js'), 'more');
    await hears('built/js/deep/b.js content');
  });

  it('are watched with what comes into them later', async () => {
    await after('built');
    await mkdir(join(root, 'other', 'deep'), { recursive: true });
    await rename(join(root, 'other'), join(root, 'built', 'js', 'other'));
    await hears('built/js/other/deep entry');
    await write('built/js/other/deep/c.js');
    await hears('built/js/other/deep/c.js entry');
  });

  it('are watched again when they were made anew', async () => {
    await after('built');
    for (const name of ['first', 'second']) {
      await rm(join(root, 'built'), { recursive: true });
      await mkdir(join(root, 'built', 'js'), { recursive: true });
      await after('built');
      await write(`built/js/${name}.js`);
      await hears(`built/js/${name}.js entry`);
    }
  });

  it('are left to the watcher once it is seen to see what is in them', async () => {
    await after('built');
    await write('built/js/deep/b.js');
    await hears('built/js/deep/b.js entry');
    await after('built/js/deep/b.js');
    await write('built/js/deep/c.js');
    // This one is still watched here, and nothing is told out of turn.
    await write('built/js/d.js');
    await hears('built/js/d.js entry');
    await delay(SILENCE_MS);
    assert.ok(!told.includes('built/js/deep/c.js entry'), told.join(', '));
  });

  it('are passed over where no part of an extension can be', async () => {
    await mkdir(join(root, 'node_modules', 'some', 'lib'), { recursive: true });
    await mkdir(join(root, 'built', 'node_modules', 'some'), { recursive: true });
    assert.deepEqual(await after('node_modules/some'), []);
    assert.ok(!(await after('built')).includes('built/node_modules/some entry'));
  });

  it('are told of no more once nobody listens', async () => {
    await after('built');
    folders.dispose();
    await write('built/js/deep/b.js');
    begin(true);
    // It ends while it looks, and watches nothing from then on.
    const looking = folders.told(join(root, 'built'));
    folders.dispose();
    await looking;
    await write('built/js/deep/c.js');
    await delay(SILENCE_MS);
    assert.deepEqual(told, []);
  });
});
