import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NotOwnFileError, readOwnFile } from '../../../src/local/ownFile';

describe('reading a file of the service', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-own-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives its text, and nothing for a missing one', async () => {
    await writeFile(file, 'hällo');
    assert.equal(await readOwnFile(file), 'hällo');
    assert.equal(await readOwnFile(path.join(folder, 'missing')), undefined);
  });

  const others: Record<string, () => Promise<void>> = {
    'a folder': async () => {
      await mkdir(file);
    },
    'a pipe, without waiting for a writer': async () => {
      execFileSync('mkfifo', [file]);
      return Promise.resolve();
    },
    'a link': async () => {
      await writeFile(path.join(folder, 'target'), 'x');
      await symlink('target', file);
    },
    'a dangling link': () => symlink('nowhere', file),
    'an endless device': () => symlink('/dev/zero', file),
    'a file of 1 GB': async () => {
      await writeFile(file, '');
      await truncate(file, 1e9);
    },
  };
  for (const [what, make] of Object.entries(others)) {
    it(`refuses ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      await make();
      await assert.rejects(readOwnFile(file), NotOwnFileError);
    });
  }
});
