import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { toDisk, toMemory } from '../../../../src/local/http/receiving';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

describe('the file of a request', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-receiving-'));
    file = path.join(folder, 'spool', '0');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const signal = new AbortController().signal;
  const streamOf = (content: Buffer): Readable =>
    Readable.from(
      Array.from({ length: Math.ceil(content.length / CHUNK_BYTES) }, (_, at) =>
        content.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
      ),
      { objectMode: false },
    );

  it('stays in memory when it is small, and the disk never sees it', async () => {
    const content = randomBytes(MIB);
    const received = await toMemory(streamOf(content), file, signal);
    assert(Buffer.isBuffer(received) && received.equals(content));
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await toMemory(Readable.from([]), file, signal), Buffer.alloc(0));
  });

  it('goes to the disk whole when it turns out to be large', async () => {
    const content = randomBytes(6 * MIB);
    assert.equal(await toMemory(streamOf(content), file, signal), file);
    assert((await readFile(file)).equals(content));
  });

  it('goes to the disk where a file is asked for', async () => {
    const content = randomBytes(10);
    assert.equal(await toDisk(streamOf(content), file, signal), file);
    assert((await readFile(file)).equals(content));
  });

  for (const [name, receive] of Object.entries({ toMemory, toDisk })) {
    it(`is given up when the client leaves in the middle (${name})`, async () => {
      const abort = new AbortController();
      const content = new PassThrough();
      content.write('half');
      const receiving = receive(content, file, abort.signal);
      abort.abort();
      await assert.rejects(receiving, { name: 'AbortError' });
    });
  }
});
