import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeAbandoned } from '../../../../src/local/http/spool';
import { randomId } from '../../../../src/local/randomId';

describe('the folder for uploads and downloads', () => {
  it('is cleared of those of services that were killed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sideload-spool-'));
    const names = [randomId(), `${randomId()}.tar`, randomId(), 'notes.txt'];
    const [old, oldDownload, running, foreign] = names.map((name) => path.join(folder, name));
    assert(old && oldDownload && running && foreign);
    for (const upload of [old, running]) {
      await mkdir(upload);
      await writeFile(path.join(upload, '0'), 'half');
    }
    for (const file of [oldDownload, foreign]) await writeFile(file, 'half');
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const entry of [old, oldDownload, foreign]) await utimes(entry, yesterday, yesterday);
    await removeAbandoned(folder);
    assert.deepEqual((await readdir(folder)).sort(), [running, foreign].map((entry) => path.basename(entry)).sort());
    await rm(folder, { recursive: true });
  });
});
