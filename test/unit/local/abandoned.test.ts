import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeAbandonedFiles, removeAbandonedTransfers } from '../../../src/local/abandoned';
import { randomId } from '../../../src/local/randomId';

const YESTERDAY = new Date(Date.now() - 25 * 60 * 60 * 1000);

describe('what killed services have left', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-abandoned-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** Makes a file, or a folder with one, of yesterday or of now. */
  async function make(name: string, { isFolder = false, isOld = true } = {}): Promise<string> {
    const entry = path.join(folder, name);
    if (isFolder) await mkdir(entry);
    await writeFile(isFolder ? path.join(entry, '0') : entry, 'half');
    if (isOld) await utimes(entry, YESTERDAY, YESTERDAY);
    return name;
  }

  const left = async (): Promise<string[]> => (await readdir(folder)).sort();

  it('is removed from the folder for uploads and downloads, and nothing of those that last', async () => {
    await make(randomId(), { isFolder: true });
    await make(`${randomId()}.tar`);
    const kept = [await make(randomId(), { isFolder: true, isOld: false }), await make('notes.txt')];
    await removeAbandonedTransfers(folder);
    assert.deepEqual(await left(), kept.sort());
  });

  it('is removed from a folder of records: drafts, and what belongs to no record, as logins of a profile that was being deleted', async () => {
    const [known, gone] = [randomId(), randomId()];
    for (const name of [`${known}.json.${randomId()}.tmp`, `${gone}.zip`]) await make(name);
    for (const name of [gone, `${gone}.${randomId()}.new`]) await make(name, { isFolder: true });
    const kept = [
      await make(`${known}.json`),
      await make(`${known}.zip`),
      await make(known, { isFolder: true }),
      await make(`${known}.${randomId()}.old`, { isFolder: true }),
      await make(`${known}.json.${randomId()}.tmp`, { isOld: false }),
      await make(`${randomId()}.zip`, { isOld: false }),
      await make('notes.txt'),
    ];
    await removeAbandonedFiles(folder);
    assert.deepEqual(await left(), kept.sort());
    await removeAbandonedFiles(path.join(folder, 'none'));
  });
});
