import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPrivateKey } from '../../../src/archive/privateKeys';

describe('a private key', () => {
  it('is found also in a file that could not be read before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-key-'));
    try {
      const file = join(folder, 'signing.txt');
      const known = { size: 100, mtimeMs: 1, ctimeMs: 1 };
      assert.equal(await isPrivateKey(file, known), false);
      await writeFile(file, `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(72)}\n`);
      assert.equal(await isPrivateKey(file, known), true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
