import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { LinkedFolders } from '../../../src/archive/linkedFolders';
import { eventually } from '../../support/eventually';

/** The time limit for an expected event, in milliseconds: on a busy machine it is late. */
const LIMIT_MS = 5000;

describe('folders behind symbolic links', () => {
  let root: string;
  let events: string[];
  let linked: LinkedFolders;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-linked-'));
    events = [];
    linked = new LinkedFolders(root, (path, kind) => events.push(`${relative(root, path)} ${kind}`));
    for (const build of ['one', 'two']) {
      await mkdir(join(root, 'builds', build, 'js'), { recursive: true });
      await writeFile(join(root, 'builds', build, 'js', 'a.js'), build);
    }
    await symlink(join('builds', 'one'), join(root, 'dist'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Waits for an event; it may have arrived before. */
  async function expectEvent(line: string): Promise<void> {
    await eventually(
      () => `${line} is not among ${events.join(', ')}`,
      () => events.includes(line),
      LIMIT_MS,
    );
  }

  it('are reported by the path that leads through the link', async () => {
    await linked.follow(join(root, 'dist', 'js'));
    linked.onEvent(join(root, 'builds', 'one', 'js', 'a.js'), 'content');
    linked.onEvent(join(root, 'builds', 'one', 'js'), 'entry');
    linked.onEvent(join(root, 'builds', 'two', 'js', 'a.js'), 'content');
    assert.deepEqual(events, [join('dist', 'js', 'a.js content'), join('dist', 'js entry')]);
  });

  it('are reported as a whole when the link leads elsewhere', async () => {
    await linked.follow(join(root, 'dist'));
    await symlink(join('builds', 'two'), join(root, 'next'));
    await rename(join(root, 'next'), join(root, 'dist'));
    linked.onEvent(join(root, 'dist'), 'content');
    await expectEvent(join('dist', 'js', 'a.js entry'));
    events = [];
    linked.onEvent(join(root, 'builds', 'one', 'js', 'a.js'), 'content');
    linked.onEvent(join(root, 'builds', 'two', 'js', 'a.js'), 'content');
    assert.deepEqual(events, [join('dist', 'js', 'a.js content')]);
  });

  it('are each reported when the folder above them has changed', async () => {
    await symlink(join('builds', 'one'), join(root, 'out'));
    for (const folder of ['dist', 'out']) await linked.follow(join(root, folder));
    for (const folder of ['dist', 'out']) {
      await rm(join(root, folder));
      await symlink(join('builds', 'two'), join(root, folder));
    }
    linked.onEvent(root, 'entry');
    for (const folder of ['dist', 'out']) await expectEvent(join(folder, 'js', 'a.js entry'));
  });

  it('are reported when a link takes the place of a folder', async () => {
    await mkdir(join(root, 'out'));
    await linked.follow(join(root, 'out'));
    await rm(join(root, 'out'), { recursive: true });
    await symlink(join('builds', 'one'), join(root, 'out'));
    linked.onEvent(join(root, 'out'), 'entry');
    await expectEvent(join('out', 'js', 'a.js entry'));
  });

  it('are not reported when they are outside of the watched folder, or are no links', async () => {
    const inner = new LinkedFolders(join(root, 'builds', 'one'), (path) => events.push(path));
    await symlink(join('..', 'two'), join(root, 'builds', 'one', 'out'));
    for (const folder of ['out', 'js', '.']) await inner.follow(join(root, 'builds', 'one', folder));
    inner.onEvent(join(root, 'builds', 'one', 'js', 'a.js'), 'content');
    inner.onEvent(join(root, 'builds', 'one', 'js'), 'entry');
    assert.deepEqual(events, []);
  });
});
