import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import type { Measured } from './client.upload.child';

const MB = 1024 * 1024;
const BIG_BYTES = 200 * MB;
/** The promise: this much memory over the start, whatever the size of the upload. */
const MOST_MEMORY_BYTES = 100 * MB;
const CHILD_LIMIT_MS = 60_000;
const STORED = JSON.stringify({ id: 'e1', created_at: '2026-05-01T12:00:00Z', size_bytes: 1 });

const run = promisify(execFile);

/** What came of one upload. */
interface Received {
  bytes: number;
  contentLength: number;
  digest: string;
}

describe('an upload', function () {
  this.timeout(2 * CHILD_LIMIT_MS);
  let server: Server;
  let baseUrl: string;
  let folder: string;
  let received: Received[];
  /** Whether the server answers 413 at the first byte instead of reading on. */
  let isImpatient = false;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-upload-'));
    server = createServer((request, response) => {
      const hash = createHash('sha256');
      let bytes = 0;
      if (isImpatient) {
        response.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Too large</h1>');
        return;
      }
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      request.on('end', () => {
        const contentLength = Number(request.headers['content-length']);
        received.push({ bytes, contentLength, digest: hash.digest('hex') });
        response.writeHead(201, { 'content-type': 'application/json' }).end(STORED);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    baseUrl = `http://127.0.0.1:${address.port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    received = [];
    isImpatient = false;
  });

  async function measure(kind: 'file' | 'bytes', what: string): Promise<Measured> {
    const child = join(__dirname, 'client.upload.child.ts');
    const { stdout } = await run(process.execPath, ['--import', 'tsx', child, baseUrl, kind, what], {
      timeout: CHILD_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as Measured;
  }

  function assertMeasured(measured: Measured): void {
    const [, upload] = received;
    assert(upload);
    assert(upload.bytes > BIG_BYTES && upload.bytes === upload.contentLength);
    assert.deepEqual([measured.sent, measured.total, measured.grewOnly], [upload.bytes, upload.bytes, true]);
    assert(measured.calls >= 100, `progress was told only ${measured.calls} times`);
    const grown = measured.peakRss - measured.startRss;
    assert(grown < MOST_MEMORY_BYTES, `memory grew by ${Math.round(grown / MB)} MB`);
  }

  it('of a file of 200 MB is streamed and reports its progress in bytes', async () => {
    const file = join(folder, 'big.zip');
    await writeFile(file, 'PK');
    await truncate(file, BIG_BYTES);
    assertMeasured(await measure('file', file));
  });

  it('of 200 MB in memory is not copied', async () => {
    assertMeasured(await measure('bytes', String(BIG_BYTES)));
  });

  it('sends the same bytes of a file as of memory', async () => {
    const bytes = Buffer.alloc(300_000, 'some content; ');
    const file = join(folder, 'small.zip');
    await writeFile(file, bytes);
    const client = new ServiceClient({ baseUrl: new URL(baseUrl), token: 't', log: silentLogger });
    await client.writeFile('b', '/a', bytes);
    await client.writeFile('b', '/a', await openAsBlob(file));
    await client.close();
    const digest = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(
      received.map((one) => one.digest),
      [digest, digest],
    );
  });

  it('may be empty', async () => {
    const client = new ServiceClient({ baseUrl: new URL(baseUrl), token: 't', log: silentLogger });
    await client.writeFile('b', '/a', new Uint8Array());
    await client.writeFile('b', '/a', new Blob([]));
    await client.close();
    assert.deepEqual(
      received.map(({ bytes, contentLength }) => [bytes, contentLength]),
      [
        [0, 0],
        [0, 0],
      ],
    );
  });

  it('stops when the service refuses it half-way, with what the service says', async () => {
    isImpatient = true;
    const client = new ServiceClient({ baseUrl: new URL(baseUrl), token: 't', log: silentLogger });
    const progress: number[] = [];
    await assert.rejects(
      client.uploadExtension(new Uint8Array(64 * MB), 'big', undefined, (sent) => progress.push(sent)),
      (error) => {
        assert(error instanceof ServiceError);
        assert.equal(error.kind, 'tooLarge');
        assert.match(error.message, /Too large/);
        return true;
      },
    );
    await client.close();
    assert((progress.at(-1) ?? 0) < 64 * MB, 'it went on sending');
  });

  it('stops at once when it is aborted', async () => {
    const client = new ServiceClient({ baseUrl: new URL(baseUrl), token: 't', log: silentLogger });
    const abort = new AbortController();
    let last = 0;
    const upload = client.uploadExtension(new Uint8Array(64 * MB), 'big', abort.signal, (sent) => {
      last = sent;
      if (sent > MB) abort.abort(new Error('enough'));
    });
    await assert.rejects(upload, /enough/);
    await client.close();
    assert(last < 64 * MB, 'it went on sending');
    assert.deepEqual(received, []);
  });
});
