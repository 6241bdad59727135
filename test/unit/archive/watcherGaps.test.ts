import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { eventually } from '../../support/eventually';
import { WatcherGaps } from '../../../src/archive/watcherGaps';

/** The time limit for an expected event, in milliseconds: on a busy machine it is late. */
const LIMIT_MS = 5000;

describe('directories that appear with contents', () => {
  let root: string;
  let events: string[];
  let gaps: WatcherGaps;

  beforeEach(async () => {
    // The workspace itself may be an installed package.
    root = join(await mkdtemp(join(tmpdir(), 'sideload-new-')), 'node_modules');
    await mkdir(join(root, 'built', 'js', 'deep'), { recursive: true });
    await write('built/manifest.json');
    await write('built/js/deep/a.js');
    start(true);
  });
  afterEach(async () => {
    gaps.dispose();
    await rm(dirname(root), { recursive: true, force: true });
  });

  function start(usesInotify: boolean): void {
    events = [];
    gaps = new WatcherGaps(root, (path, kind) => events.push(`${relative(root, path)} ${kind}`), usesInotify);
  }

  async function write(path: string): Promise<void> {
    await writeFile(join(root, path), '');
  }

  /** The additional events after the watcher's event for `path`. */
  async function eventsAfter(path: string): Promise<string[]> {
    events = [];
    await gaps.onEvent(join(root, path));
    return [...events].sort();
  }

  /** Waits for an event; it may have arrived before. */
  async function expectEvent(line: string): Promise<void> {
    await eventually(
      () => `${line} is not among ${events.join(', ')}`,
      () => events.includes(line),
      LIMIT_MS,
    );
  }

  it('are reported with their contents', async () => {
    const all = ['built/js entry', 'built/js/deep entry', 'built/js/deep/a.js entry', 'built/manifest.json entry'];
    assert.deepEqual(await eventsAfter('built'), all);
    gaps.dispose();
    start(false);
    assert.deepEqual(await eventsAfter('built'), all, 'without inotify');
  });

  it('are watched at any depth', async () => {
    await eventsAfter('built');
    await write('built/js/deep/b.js');
    await expectEvent('built/js/deep/b.js entry');
    await rm(join(root, 'built/js/deep/a.js'));
    await expectEvent('built/js/deep/a.js entry');
    await writeFile(join(root, 'built/js/deep/b.js'), 'more');
    await expectEvent('built/js/deep/b.js content');
  });

  it('are watched with directories that are moved into them later', async () => {
    await eventsAfter('built');
    await mkdir(join(root, 'other', 'deep'), { recursive: true });
    await rename(join(root, 'other'), join(root, 'built', 'js', 'other'));
    await expectEvent('built/js/other/deep entry');
    await write('built/js/other/deep/c.js');
    await expectEvent('built/js/other/deep/c.js entry');
  });

  it('are watched again after they were deleted and created again', async () => {
    await eventsAfter('built');
    for (const name of ['first', 'second']) {
      await rm(join(root, 'built'), { recursive: true });
      await mkdir(join(root, 'built', 'js'), { recursive: true });
      await eventsAfter('built');
      await write(`built/js/${name}.js`);
      await expectEvent(`built/js/${name}.js entry`);
    }
  });

  it('are left to the watcher once it reports their contents', async () => {
    await eventsAfter('built');
    await write('built/js/deep/b.js');
    await expectEvent('built/js/deep/b.js entry');
    await eventsAfter('built/js/deep/b.js');
    await write('built/js/deep/c.js');
    // This directory is still watched here, and events arrive in order: what the first follows has been reported before the second.
    for (const name of ['d', 'e']) {
      await write(`built/js/${name}.js`);
      await expectEvent(`built/js/${name}.js entry`);
    }
    assert.ok(!events.includes('built/js/deep/c.js entry'), events.join(', '));
  });

  it('are skipped in node_modules', async () => {
    await mkdir(join(root, 'node_modules', 'some', 'lib'), { recursive: true });
    await mkdir(join(root, 'built', 'node_modules', 'some'), { recursive: true });
    assert.deepEqual(await eventsAfter('node_modules/some'), []);
    assert.ok(!(await eventsAfter('built')).includes('built/node_modules/some entry'));
  });

  it('are not reported after dispose', async () => {
    await eventsAfter('built');
    gaps.dispose();
    await write('built/js/deep/b.js');
    start(true);
    // Disposed while it reads, it watches nothing afterwards.
    const reading = gaps.onEvent(join(root, 'built'));
    gaps.dispose();
    await reading;
    // Another one reports what the disposed ones would have reported before.
    const seen: string[] = [];
    const other = new WatcherGaps(root, (path) => seen.push(relative(root, path)), true);
    try {
      await other.onEvent(join(root, 'built'));
      for (const path of ['built/js/deep/c.js', 'built/js/deep/d.js']) {
        await write(path);
        await eventually(path, () => seen.includes(path), LIMIT_MS);
      }
    } finally {
      other.dispose();
    }
    assert.deepEqual(events, []);
  });
});
