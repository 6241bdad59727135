import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { extensionZip, manifest, zipOfLarge } from './archives';
import { eventually } from '../support/eventually';
import { residentMib } from './processes';
import { TestService } from './service';
import { extensionFolders, post, upload, type RawPart } from './uploads';

const MIB = 2 ** 20;
/** What an upload may unpack to; a bomb says it is larger, or is larger than it says. */
const UNPACK_LIMIT_BYTES = 1024 * MIB;
const LARGEST_UPLOAD = 20;
/** Files of an upload that are received before it is refused for their number. */
const MANY = 60;
/** What passes through a stream leaves memory to be collected; what is held would be more than this. */
const GROWTH_LIMIT_MIB = 90;
/** Time between two looks at the memory, in milliseconds: an upload that is held is held for many times that. */
const SAMPLE_MS = 10;

describe('the limits of an upload', function () {
  this.timeout(120_000);
  let service: TestService;
  let id: string;
  const send = (parts: readonly RawPart[]) => post(service, `/browsers/${id}/extensions`, parts);
  const at = (index: number, name: string, zip: Buffer): RawPart[] => [
    [`extensions[${index}][name]`, name],
    [`extensions[${index}][zip_file]`, zip],
  ];
  const one = (name: string, zip: Buffer): RawPart[] => at(0, name, zip);

  before(async () => {
    service = await TestService.start();
    id = (await service.client.browsers.create({ timeout_seconds: 600 })).session_id;
  });
  after(() => service.stop());
  afterEach(async () => {
    const session = path.join(service.dataFolder, 'sessions', id);
    assert.deepEqual(await readdir(path.join(session, 'spool')), [], 'something is left in the spool');
    const hidden = (await extensionFolders(service.client, id)).filter((name) => name.startsWith('.'));
    assert.deepEqual(hidden, [], 'something is left of the staging');
  });

  it('allow 20 extensions in one request', async () => {
    const zip = await extensionZip(1);
    const parts = Array.from({ length: LARGEST_UPLOAD }, (_, index) => at(index, `many${index}`, zip)).flat();
    const answer = await send(parts);
    assert.equal(answer.status, 201, await answer.text());
    assert.equal((await extensionFolders(service.client, id)).length, LARGEST_UPLOAD);
  });

  it('allow an archive of exactly 50 MiB', async () => {
    const zip = paddedTo(50 * MIB);
    assert.equal(zip.length, 50 * MIB);
    const answer = await send(one('largest', zip));
    assert.equal(answer.status, 201, await answer.text());
  });

  it('reject a zip bomb by its central directory, before a byte is unpacked', async () => {
    const bomb = declaring(zeros(2 * MIB), UNPACK_LIMIT_BYTES + 1);
    const answer = await send(one('bomb', bomb));
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /unpacks to more than/);
    assert(!(await extensionFolders(service.client, id)).includes('bomb'));
  });

  it('reject a zip bomb that declares a smaller size', async () => {
    const lying = declaring(zeros(64 * MIB), 10);
    assert(lying.length < MIB);
    const answer = await send(one('liar', lying));
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /invalid zip file/);
    assert(!(await extensionFolders(service.client, id)).includes('liar'));
  });

  it('reject invalid names in an archive', async () => {
    for (const name of [`${'x'.repeat(300)}.js`, `${'d/'.repeat(3000)}x.js`, 'nul\0.js', 'C:/x.js']) {
      const zip = new JSZip();
      zip.file('manifest.json', manifest()).file(name, 'x', { createFolders: false });
      const answer = await send(one('absurd', await zip.generateAsync({ type: 'nodebuffer' })));
      assert.equal(answer.status, 400, `${name.slice(0, 20)}…: ${await answer.text()}`);
      assert(!(await extensionFolders(service.client, id)).includes('absurd'));
    }
  });

  it('reject a part with too long a name, and too many parts', async () => {
    const long = await send([['extensions[0][name]', 'x'.repeat(200_000)]]);
    assert.equal(long.status, 400);
    const many = await send(Array.from({ length: 1100 }, (_, at): RawPart => [`extensions[${at}][name]`, 'x']));
    assert.equal(many.status, 400);
  });

  it('leave no files of an upload whose client disconnects', async () => {
    const boundary = 'b0undary';
    const { hostname, port } = new URL(service.baseUrl);
    const sending = request({
      hostname,
      port,
      method: 'POST',
      path: `/browsers/${id}/extensions`,
      headers: {
        authorization: `Bearer ${service.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': 10 * MIB,
      },
    });
    sending.on('error', () => undefined);
    const disposition = 'Content-Disposition: form-data; name=';
    sending.write(`--${boundary}\r\n${disposition}"extensions.name"\r\n\r\nhalf\r\n`);
    sending.write(`--${boundary}\r\n${disposition}"extensions.zip_file"; filename="a.zip"\r\n\r\n`);
    // More than is held in memory.
    sending.write(Buffer.alloc(6 * MIB));
    const spool = path.join(service.dataFolder, 'sessions', id, 'spool');
    await eventually('the upload is on its way', async () => (await readdir(spool)).length > 0, 5_000);
    sending.destroy();
    await eventually('nothing is left', async () => (await readdir(spool)).length === 0, 5_000);
    assert(!(await extensionFolders(service.client, id)).includes('half'));
  });

  it(`include memory: an upload of ${MANY} files of 4 MiB adds less than ${GROWTH_LIMIT_MIB} MiB to the service`, async () => {
    await upload(service.client, id, 'warm-up-many', await extensionZip(1));
    const before = await residentMib(service.pid);
    const peak = watchPeak(service.pid);
    const zip = Buffer.alloc(4 * MIB, 'x');
    const answer = await send(
      Array.from({ length: MANY }, (_, index): RawPart[] => at(index, `many${index}`, zip)).flat(),
    );
    const grown = (await peak()) - before;
    assert.equal(answer.status, 400, await answer.text());
    assert(grown < GROWTH_LIMIT_MIB, `the service grew by ${grown.toFixed(0)} MiB`);
  });

  it(`include memory: an upload of 150 MiB adds less than ${GROWTH_LIMIT_MIB} MiB to the service`, async () => {
    const zip = paddedTo(50 * MIB);
    await upload(service.client, id, 'warm-up', await extensionZip(1));
    const before = await residentMib(service.pid);
    const peak = watchPeak(service.pid);
    const answer = await send([...one('heavy0', zip), ...at(1, 'heavy1', zip), ...at(2, 'heavy2', zip)]);
    const grown = (await peak()) - before;
    assert.equal(answer.status, 201, await answer.text());
    assert(grown < GROWTH_LIMIT_MIB, `the service grew by ${grown.toFixed(0)} MiB`);
  });
});

describe('the earlier service', function () {
  this.timeout(120_000);
  it('limits neither the number of extensions nor the size of an archive', async () => {
    const service = await TestService.start(['--behaviour', 'earlier']);
    const { session_id: id } = await service.client.browsers.create({ timeout_seconds: 600 });
    const zip = await extensionZip(1);
    const parts = Array.from({ length: LARGEST_UPLOAD + 1 }, (_, at): RawPart[] => [
      [`extensions[${at}][name]`, `many${at}`],
      [`extensions[${at}][zip_file]`, at === 0 ? zip : Buffer.from(zip)],
    ]).flat();
    parts.push(['extensions[21][name]', 'larger'], ['extensions[21][zip_file]', paddedTo(51 * MIB)]);
    const answer = await post(service, `/browsers/${id}/extensions`, parts);
    assert.equal(answer.status, 201, await answer.text());
    assert.equal((await extensionFolders(service.client, id)).length, LARGEST_UPLOAD + 2);
    await service.stop();
  });
});

/** An extension whose archive has exactly so many bytes. */
function paddedTo(bytes: number): Buffer {
  const make = (size: number): Buffer =>
    zipOfLarge([
      { name: 'manifest.json', bytes: Buffer.from(manifest()), method: 'store' },
      { name: 'padding.bin', bytes: randomBytes(size), method: 'store' },
    ]);
  return make(bytes - make(0).length);
}

/** An extension with a file of so many zeros, packed tightly. */
function zeros(bytes: number): Buffer {
  return zipOfLarge([
    { name: 'manifest.json', bytes: Buffer.from(manifest()), method: 'store' },
    { name: 'zeros.bin', bytes: Buffer.alloc(bytes), method: 'deflate' },
  ]);
}

/** Changes the unpacked size that an archive declares for `zeros.bin` in its table of contents. */
function declaring(zip: Buffer, bytes: number): Buffer {
  const changed = Buffer.from(zip);
  const name = changed.lastIndexOf('zeros.bin');
  // In a central directory record the name stands at byte 46, the unpacked size at byte 24 (APPNOTE 4.3.12).
  changed.writeUInt32LE(bytes, name - 46 + 24);
  return changed;
}

/** Samples the memory of a process until the returned function is called, which gives the most that was seen. */
function watchPeak(pid: number): () => Promise<number> {
  let peak = 0;
  let watching = true;
  const done = (async () => {
    while (watching) {
      peak = Math.max(peak, await residentMib(pid));
      await delay(SAMPLE_MS);
    }
  })();
  return async () => {
    watching = false;
    await done;
    return peak;
  };
}
