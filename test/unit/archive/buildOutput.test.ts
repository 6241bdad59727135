import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isBuildOutput } from '../../../src/archive/buildOutput';

describe('a build output', () => {
  const root = join('/', 'home', 'dist', 'project');

  it('is in a folder that bundlers write to, also in a package of a monorepo', () => {
    for (const folder of [
      'dist',
      'dist-chrome',
      'build/chrome-mv3-dev',
      '.output/chrome-mv3',
      'out',
      'packages/a/dist/chrome',
    ]) {
      assert.equal(isBuildOutput(root, join(root, folder)), true, folder);
    }
  });

  it('is not the project itself, wherever it lies, nor a folder of sources', () => {
    for (const folder of ['', 'src', 'extension', 'app', 'builder', 'packages/outer']) {
      assert.equal(isBuildOutput(root, join(root, folder)), false, folder);
    }
  });
});
