import { toFile } from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { access, readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { fieldOf } from '../../src/base/fields';
import { zipOf, zipWithLink } from './archives';
import { eventually } from '../support/eventually';
import { TestService } from './service';
import { post, type RawPart } from './uploads';

/** How often a folder is deleted while files are written there, until it is at the right moment. */
const ROUNDS = 20;

describe('files of a session', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;
  const fs = () => service.client.browsers.fs;
  const text = async (file: string) => (await fs().readFile(id, { path: file })).text();
  const names = async (folder: string) => (await fs().listFiles(id, { path: folder })).map((file) => file.name);

  before(async () => {
    service = await TestService.start();
    id = (await service.client.browsers.create({ timeout_seconds: 600 })).session_id;
  });
  after(() => service.stop());

  it('are written with the folders they need, read, described and deleted', async () => {
    await fs().writeFile(id, 'hällo', { path: '/tmp/a/b/note.txt', mode: '0600' });
    assert.equal(await text('/tmp/a/b/note.txt'), 'hällo');
    const info = await fs().fileInfo(id, { path: '/tmp/a/b/note.txt' });
    assert.deepEqual(
      { ...info, mod_time: undefined },
      {
        name: 'note.txt',
        path: '/tmp/a/b/note.txt',
        is_dir: false,
        size_bytes: 6,
        mod_time: undefined,
        mode: '-rw-------',
      },
    );
    await fs().deleteFile(id, { path: '/tmp/a/b/note.txt' });
    await assert.rejects(fs().readFile(id, { path: '/tmp/a/b/note.txt' }), { status: 404 });
    await assert.rejects(fs().deleteFile(id, { path: '/tmp/a/b/note.txt' }), { status: 404 });
  });

  it('are written byte for byte, also with the content type of JSON', async () => {
    const answer = await service.request(`/browsers/${id}/fs/write_file?path=/tmp/broken.json`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{ not json',
    });
    assert.equal(answer.status, 201);
    assert.equal(await text('/tmp/broken.json'), '{ not json');
  });

  it('are in folders that can be created, listed by name, moved and removed', async () => {
    await fs().createDirectory(id, { path: '/home/kernel/made/deep' });
    await fs().writeFile(id, 'b', { path: '/home/kernel/made/b' });
    await fs().writeFile(id, 'a', { path: '/home/kernel/made/a' });
    assert.deepEqual(await names('/home/kernel/made'), ['a', 'b', 'deep']);
    await fs().move(id, { src_path: '/home/kernel/made', dest_path: '/home/kernel/moved' });
    assert.deepEqual(await names('/home/kernel/moved'), ['a', 'b', 'deep']);
    await assert.rejects(fs().listFiles(id, { path: '/home/kernel/made' }), { status: 404 });
    await fs().deleteDirectory(id, { path: '/home/kernel/moved' });
    await fs().deleteDirectory(id, { path: '/home/kernel/moved' });
    assert.deepEqual(await names('/home/kernel'), ['extensions']);
  });

  it('cannot be moved onto a folder that is not empty, nor from a path that does not exist', async () => {
    await fs().writeFile(id, 'x', { path: '/tmp/one/x' });
    await fs().writeFile(id, 'y', { path: '/tmp/two/y' });
    await assert.rejects(fs().move(id, { src_path: '/tmp/one', dest_path: '/tmp/two' }), { status: 400 });
    await assert.rejects(fs().move(id, { src_path: '/tmp/none', dest_path: '/tmp/three' }), { status: 404 });
  });

  it('of a zip overwrite existing files and leave the others', async () => {
    await fs().writeFile(id, 'old', { path: '/tmp/over/stale.txt' });
    await fs().writeFile(id, 'old', { path: '/tmp/over/fresh.txt' });
    const zip_file = await toFile(await zipOf({ 'fresh.txt': 'new', 'sub/more.txt': 'more' }), 'x.zip');
    await fs().uploadZip(id, { dest_path: '/tmp/over', zip_file });
    assert.deepEqual(await names('/tmp/over'), ['fresh.txt', 'stale.txt', 'sub']);
    assert.equal(await text('/tmp/over/fresh.txt'), 'new');
  });

  it('of an invalid zip are rejected with 400 before one is written', async () => {
    const bad = [
      Buffer.from('hello'),
      await zipOf({ 'ok.txt': 'x', '../out.txt': 'x' }),
      await zipWithLink('l', '/etc'),
    ];
    for (const bytes of bad) {
      const zip_file = await toFile(bytes, 'x.zip');
      await assert.rejects(fs().uploadZip(id, { dest_path: '/tmp/bad', zip_file }), { status: 400 });
    }
    await assert.rejects(fs().listFiles(id, { path: '/tmp/bad' }), { status: 404 });
  });

  it('of a zip are not found when their folder is deleted while they are written', async () => {
    const text = 'x'.repeat(200_000);
    const zip_file = await toFile(
      await zipOf(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.txt`, text]))),
      'x.zip',
    );
    let status: unknown;
    for (let round = 0; round < ROUNDS && status !== 404; round++) {
      let hasEnded = false;
      const uploading = fs()
        .uploadZip(id, { dest_path: '/tmp/short', zip_file })
        .then(
          () => 201,
          (error: unknown) => fieldOf(error, 'status'),
        )
        .finally(() => (hasEnded = true));
      while (!hasEnded) await fs().deleteDirectory(id, { path: '/tmp/short' });
      status = await uploading;
      assert.ok(status === 201 || status === 404, String(status));
    }
    assert.equal(status, 404);
  });

  it('are uploaded several in one request, each to its path', async () => {
    await fs().upload(id, {
      files: [
        { dest_path: '/tmp/up/one.txt', file: await toFile(Buffer.from('one'), 'a') },
        { dest_path: '/tmp/up/deep/two.txt', file: await toFile(Buffer.from('two'), 'b') },
      ],
    });
    assert.equal(await text('/tmp/up/one.txt'), 'one');
    assert.equal(await text('/tmp/up/deep/two.txt'), 'two');
    assert.equal((await fs().fileInfo(id, { path: '/tmp/up/one.txt' })).mode, '-rw-r--r--');
    const older = await post(service, `/browsers/${id}/fs/upload`, [
      ['files.0.dest_path', '/tmp/up/one.txt'],
      ['files.1.dest_path', '/tmp/up/three.txt'],
      ['files.1.file', Buffer.from('three')],
      ['files.0.file', Buffer.from('new one')],
    ]);
    assert.equal(older.status, 201);
    assert.equal(await text('/tmp/up/one.txt'), 'new one');
    assert.equal(await text('/tmp/up/three.txt'), 'three');
  });

  it('of an upload with an invalid part or path are all rejected with 400', async () => {
    const good: RawPart[] = [
      ['files[0][dest_path]', '/tmp/refused/one'],
      ['files[0][file]', Buffer.from('x')],
    ];
    const wrong: RawPart[][] = [
      [['files', 'x']],
      [...good, ['files[1][dest_path]', '/tmp/refused/two']],
      [...good, ['files[1][file]', Buffer.from('x')]],
      [...good, ['files[0][dest_path]', '/tmp/refused/two']],
      [...good, ['files[1][dest_path]', 'relative'], ['files[1][file]', Buffer.from('x')]],
      [
        ['files[0][dest_path]', Buffer.from('/tmp/refused/one')],
        ['files[0][file]', Buffer.from('x')],
      ],
    ];
    for (const parts of wrong) {
      const answer = await post(service, `/browsers/${id}/fs/upload`, parts);
      assert.equal(answer.status, 400, JSON.stringify(parts.map(([name]) => name)));
    }
    await assert.rejects(fs().listFiles(id, { path: '/tmp/refused' }), { status: 404 });
  });

  it('get the permissions of the request; files below a folder keep theirs', async () => {
    await fs().writeFile(id, 'x', { path: '/tmp/modes/inner' });
    await fs().setFilePermissions(id, { path: '/tmp/modes', mode: '0750', owner: 'kernel' });
    const mode = async (file: string) => (await fs().fileInfo(id, { path: file })).mode;
    assert.equal(await mode('/tmp/modes'), 'drwxr-x---');
    assert.equal(await mode('/tmp/modes/inner'), '-rw-r--r--');
    const set = (body: { path: string; mode: string; owner?: string }) => fs().setFilePermissions(id, body);
    await assert.rejects(set({ path: '/tmp/none', mode: '644' }), { status: 404 });
    await assert.rejects(set({ path: '/tmp/modes', mode: '999' }), { status: 400 });
    await assert.rejects(set({ path: '/tmp/modes', mode: '' }), { status: 400 });
    await assert.rejects(set({ path: '/tmp/modes', mode: '644', owner: 'root' }), { status: 400 });
  });

  it('of a folder are downloaded as one zip with the same contents', async () => {
    const large = Buffer.alloc(3_000_000, 'large ');
    await fs().writeFile(id, 'one', { path: '/tmp/whole/one.txt' });
    await fs().writeFile(id, large, { path: '/tmp/whole/deep/large.bin' });
    await fs().createDirectory(id, { path: '/tmp/whole/empty' });
    const answer = await fs().downloadDirZip(id, { path: '/tmp/whole' });
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    const zip_file = await toFile(Buffer.from(await answer.arrayBuffer()), 'x.zip');
    await fs().uploadZip(id, { dest_path: '/tmp/copy', zip_file });
    assert.deepEqual(await names('/tmp/copy'), ['deep', 'empty', 'one.txt']);
    assert.equal(await text('/tmp/copy/one.txt'), 'one');
    const copy = await (await fs().readFile(id, { path: '/tmp/copy/deep/large.bin' })).arrayBuffer();
    assert(Buffer.from(copy).equals(large));
    await assert.rejects(fs().downloadDirZip(id, { path: '/tmp/none' }), { status: 404 });
    await assert.rejects(fs().downloadDirZip(id, { path: '/tmp/whole/one.txt' }), { status: 400 });
  });

  it('are not written when the client disconnects, of which nothing remains', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const sending = request({
      hostname,
      port,
      method: 'PUT',
      path: `/browsers/${id}/fs/write_file?path=/tmp/half`,
      headers: { authorization: `Bearer ${service.token}`, 'content-length': 1000 },
    });
    sending.on('error', () => undefined);
    sending.write('half');
    const spool = path.join(service.dataFolder, 'sessions', id, 'spool');
    await eventually('the file is on its way', async () => (await readdir(spool)).length > 0, 5_000);
    sending.destroy();
    await eventually('nothing is left', async () => (await readdir(spool)).length === 0, 5_000);
    await assert.rejects(fs().fileInfo(id, { path: '/tmp/half' }), { status: 404 });
  });

  it('cannot be reached outside of the session', async () => {
    await fs().writeFile(id, 'inside', { path: '/../../../../tmp/climb.txt' });
    assert.equal(await text('/tmp/climb.txt'), 'inside');
    await access(path.join(service.dataFolder, 'sessions', id, 'files', 'tmp', 'climb.txt'));
    await assert.rejects(fs().readFile(id, { path: '/etc/passwd' }), { status: 404 });
    await assert.rejects(fs().readFile(id, { path: 'relative.txt' }), { status: 400 });
    await assert.rejects(fs().deleteDirectory(id, { path: '/' }), { status: 400 });
    await assert.rejects(fs().move(id, { src_path: '/', dest_path: '/tmp/root' }), { status: 400 });
  });

  it('need a path and a session', async () => {
    assert.equal((await service.request(`/browsers/${id}/fs/list_files`)).status, 400);
    await assert.rejects(fs().listFiles('nobody', { path: '/' }), { status: 404 });
  });
});
