import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Jail } from '../../../../src/local/files/jail';
import { SessionFiles } from '../../../../src/local/files/sessionFiles';
import { eventually } from '../../../support/eventually';

const LIMIT_MS = 5000;

describe('writing a file of a session', () => {
  let folder: string;
  let spool: string;
  let files: SessionFiles;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-files-'));
    spool = path.join(folder, 'spool');
    await mkdir(spool);
    files = new SessionFiles(new Jail(path.join(folder, 'files')), spool);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const when of ['before the draft is there', 'while it is being received']) {
    it(`leaves nothing when the connection is cut ${when}`, async () => {
      const content = new PassThrough();
      content.write('half');
      const refused = assert.rejects(files.write('/tmp/x', undefined, content), /aborted/);
      if (when !== 'before the draft is there') {
        await eventually('the draft is there', async () => (await readdir(spool)).length > 0, LIMIT_MS);
      }
      content.destroy(new Error('aborted'));
      await refused;
      assert.deepEqual(await readdir(folder, { recursive: true }), ['spool']);
    });
  }

  it('does not create the folder of a session again that has ended in the meantime', async () => {
    const content = new PassThrough();
    content.write('half');
    const writing = files.write('/tmp/x', undefined, content);
    await eventually('the draft is there', async () => (await readdir(spool)).length > 0, LIMIT_MS);
    await rm(folder, { recursive: true });
    content.end();
    await assert.rejects(writing, { status: 404 });
    await assert.rejects(files.write('/tmp/x', undefined, Readable.from(['whole'])), { status: 404 });
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });
});
