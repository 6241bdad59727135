import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { ArchiveError } from '../../../../src/local/archive/archiveError';
import { Jail } from '../../../../src/local/files/jail';
import { SessionFiles } from '../../../../src/local/files/sessionFiles';
import { eventually } from '../../../support/eventually';
import { asNobody, isRoot } from '../ordinaryUser';

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

describe('unpacking an archive in the files of a session', () => {
  let folder: string;
  let files: SessionFiles;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-files-'));
    await mkdir(path.join(folder, 'files'));
    files = new SessionFiles(new Jail(path.join(folder, 'files')), path.join(folder, 'spool'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('creates all folders of its path', async () => {
    const archive = await new JSZip().file('a/b/c.txt', 'x').generateAsync({ type: 'nodebuffer' });
    await files.unpack(archive, '/home/kernel/x');
    await files.unpack(archive, '/home/kernel/x');
    assert.deepEqual(await readdir(path.join(folder, 'files/home/kernel/x/a/b')), ['c.txt']);
  });

  it('refuses a path below a file', async () => {
    const archive = await new JSZip().file('c.txt', 'x').generateAsync({ type: 'nodebuffer' });
    await files.unpack(archive, '/tmp');
    await assert.rejects(files.unpack(archive, '/tmp/c.txt'), ArchiveError);
    await assert.rejects(files.unpack(archive, '/tmp/c.txt/d'), ArchiveError);
  });

  it('does not create the folder of a session again that has ended before it begins', async () => {
    const archive = await new JSZip().file('c.txt', 'x').generateAsync({ type: 'nodebuffer' });
    await rm(folder, { recursive: true });
    await assert.rejects(files.unpack(archive, '/tmp/x'), { status: 404 });
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });

  it('does not create the folder of a session again that ends meanwhile', async () => {
    const zip = new JSZip();
    for (let at = 0; at < 3000; at++) zip.file(`${at}/${at}.txt`, 'x');
    const archive = await zip.generateAsync({ type: 'nodebuffer' });
    const refused = assert.rejects(files.unpack(archive, '/tmp/x'), { status: 404 });
    const isBegun = async () =>
      (await readdir(path.join(folder, 'files'), { recursive: true })).includes('tmp/x/0/0.txt');
    await eventually('it has begun', isBegun, LIMIT_MS);
    // As one moment: entries that come while it is removed would keep it.
    await rename(folder, `${folder}-ended`);
    await refused;
    await rm(`${folder}-ended`, { recursive: true });
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });
});

describe('changing what belongs to another user', () => {
  let folder: string;
  beforeEach(async function () {
    if (!isRoot) this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-files-'));
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'files'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is not permitted, which does not mean that it exists already', async () => {
    const files = new SessionFiles(new Jail(path.join(folder, 'files')), path.join(folder, 'spool'));
    await files.createDirectory('/tmp', 0o755);
    await asNobody(() =>
      assert.rejects(files.createDirectory('/tmp', 0o777), {
        status: 400,
        message: 'The system does not permit this: "/tmp".',
      }),
    );
  });

  it('is not permitted in any way, nor is reading what only the owner may read', async () => {
    const files = new SessionFiles(new Jail(path.join(folder, 'files')), path.join(folder, 'spool'));
    await files.createDirectory('/tmp/own', 0o700);
    await writeFile(path.join(folder, 'files', 'tmp', 'a.txt'), 'x', { mode: 0o600 });
    const attempts: Record<string, () => Promise<unknown>> = {
      '/tmp': () => files.setPermissions('/tmp', 0o777, undefined, undefined),
      '/tmp/new': () => files.createDirectory('/tmp/new', undefined),
      '/tmp/own': () => files.list('/tmp/own'),
      '/tmp/a.txt': () => files.read('/tmp/a.txt'),
      '/tmp/own/': () => files.pack('/tmp/own/'),
    };
    for (const [at, attempt] of Object.entries(attempts)) {
      const message = `The system does not permit this: "${at}".`;
      await asNobody(() => assert.rejects(attempt(), { status: 400, message }));
    }
  });
});
