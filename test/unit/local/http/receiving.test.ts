import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { toDisk, toMemory } from '../../../../src/local/http/receiving';
import { UploadMemory } from '../../../../src/local/http/uploadMemory';

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
  const memory = new UploadMemory({ upload: 100 * MIB, all: 100 * MIB }).share();
  const streamOf = (content: Buffer): Readable =>
    Readable.from(
      Array.from({ length: Math.ceil(content.length / CHUNK_BYTES) }, (_, at) =>
        content.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
      ),
      { objectMode: false },
    );

  it('is kept in memory when it is small', async () => {
    const content = randomBytes(MIB);
    const received = await toMemory(streamOf(content), file, signal, memory);
    assert(Buffer.isBuffer(received) && received.equals(content));
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await toMemory(Readable.from([]), file, signal, memory), Buffer.alloc(0));
  });

  it('is written to disk completely when it is large', async () => {
    const content = randomBytes(6 * MIB);
    assert.equal(await toMemory(streamOf(content), file, signal, memory), file);
    assert((await readFile(file)).equals(content));
  });

  it('is written to disk by toDisk', async () => {
    const content = randomBytes(10);
    assert.equal(await toDisk(streamOf(content), file, signal, memory), file);
    assert((await readFile(file)).equals(content));
  });

  for (const [name, receive] of Object.entries({ toMemory, toDisk })) {
    it(`is aborted when the client is gone (${name})`, async () => {
      const abort = new AbortController();
      const content = new PassThrough();
      content.write('half');
      const receiving = receive(content, file, abort.signal, memory);
      abort.abort();
      await assert.rejects(receiving, { name: 'AbortError' });
    });
  }

  it('whose stream was destroyed after its end was received is not waited for', async () => {
    const ended = new Readable({ read: () => undefined });
    ended.push('whole');
    ended.push(null);
    const receiving = toDisk(ended, file, signal, memory);
    ended.destroy();
    await assert.rejects(receiving, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('is refused when the folder of the session is gone, which is not created again', async () => {
    const gone = path.join(folder, 'session', 'spool', '0');
    await assert.rejects(toDisk(streamOf(randomBytes(10)), gone, signal, memory), { status: 404 });
    assert.deepEqual(await readdir(folder), []);
  });

  it('is kept in memory as far as the upload, and all uploads together, may hold so much', async () => {
    const all = new UploadMemory({ upload: 3 * MIB, all: 4 * MIB });
    const [one, two] = [all.share(), all.share()];
    const kinds = async (share: typeof one): Promise<string> =>
      Buffer.isBuffer(await toMemory(streamOf(randomBytes(MIB)), file, signal, share)) ? 'memory' : 'disk';
    const first = [await kinds(one), await kinds(one), await kinds(one), await kinds(one)];
    assert.deepEqual(first, ['memory', 'memory', 'memory', 'disk']);
    assert.deepEqual([await kinds(two), await kinds(two)], ['memory', 'disk']);
    one.release();
    assert.deepEqual([await kinds(two), await kinds(two), await kinds(two)], ['memory', 'memory', 'disk']);
  });
});
