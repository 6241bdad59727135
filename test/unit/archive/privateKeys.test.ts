import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPrivateKey } from '../../../src/archive/privateKeys';

describe('a private key', () => {
  it('is found in the file of a service account, and not in one that only names its type', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-key-'));
    try {
      const known = { size: 300, mtimeMs: 1, ctimeMs: 1 };
      const found = async (name: string, text: string): Promise<boolean> => {
        await writeFile(join(folder, name), text);
        return isPrivateKey(join(folder, name), known);
      };
      const account = { type: 'service_account', project_id: 'a', private_key: '-----BEGIN PRIVATE KEY-----' };
      assert.equal(await found('a.json', JSON.stringify(account, undefined, 2)), true);
      assert.equal(await found('b.json', JSON.stringify(account)), true);
      assert.equal(await found('c.json', JSON.stringify({ types: [account.type] })), false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

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
