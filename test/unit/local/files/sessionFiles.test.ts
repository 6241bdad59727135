import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Jail } from '../../../../src/local/files/jail';
import { SessionFiles } from '../../../../src/local/files/sessionFiles';
import { delayOpening } from '../slowOpen';

const OPENING_MS = 100;

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

  it('leaves nothing when the connection is cut, even before the draft was opened', async () => {
    const restore = delayOpening(OPENING_MS);
    try {
      const content = new PassThrough();
      content.write('half');
      const writing = files.write('/tmp/x', undefined, content);
      // Its file is being opened now.
      await delay(OPENING_MS / 4);
      content.destroy(new Error('aborted'));
      await assert.rejects(writing, /aborted/);
      await delay(2 * OPENING_MS);
      assert.deepEqual(await readdir(folder, { recursive: true }), ['spool']);
    } finally {
      restore();
    }
  });

  it('does not create the folder of a session again that has ended in the meantime', async () => {
    const content = new PassThrough();
    content.write('half');
    const writing = files.write('/tmp/x', undefined, content);
    while ((await readdir(spool)).length === 0) await delay(1);
    await rm(folder, { recursive: true });
    content.end();
    await assert.rejects(writing, { status: 404 });
    await assert.rejects(files.write('/tmp/x', undefined, Readable.from(['whole'])), { status: 404 });
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });
});
