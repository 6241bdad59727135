import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesAbove, projectRoot } from '../../../../src/editor/debugger/projectRoot';

describe('the folders above an extension that is debugged', () => {
  let root: string;
  let folder: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-above-'));
    folder = join(root, 'packages', 'one', 'dist');
    for (const name of ['src', 'assets', 'dist/assets'])
      await mkdir(join(root, 'packages', 'one', name), { recursive: true });
    await mkdir(join(root, 'src'));
    await mkdir(join(root, 'lib'));
    await writeFile(join(root, 'packages', 'one', 'popup.tsx'), '');
    await writeFile(join(root, 'packages', 'one', 'package.json'), '{}');
  });

  after(() => rm(root, { recursive: true, force: true }));

  it('give what a source is named from, the nearest first, but for names of the extension itself', async () => {
    const found = await namesAbove(folder, root);
    const one = join(root, 'packages', 'one');
    assert.deepEqual(
      ['src', 'popup.tsx', 'lib', 'packages', 'assets'].map((name) => found.get(name)),
      [join(one, 'src'), join(one, 'popup.tsx'), join(root, 'lib'), join(root, 'packages'), undefined],
    );
    assert.equal(await projectRoot(folder, root), one);
  });

  it('give nothing for an extension that is the workspace folder, outside of it, or not there', async () => {
    for (const [at, workspace] of [
      [root, root],
      [tmpdir(), root],
      [join(root, 'no', 'where'), root],
    ] as const) {
      const found = await namesAbove(at, workspace);
      assert.equal(found.has(at === root || at === tmpdir() ? 'src' : 'nothing'), false);
    }
  });
});
