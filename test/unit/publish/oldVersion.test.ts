import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOfKey } from '../../../src/manifest/values/extensionId';
import { crxContent } from '../../../src/publish/crxFile';
import { getOldVersion, oldVersionNamed, type OldVersionWiring } from '../../../src/publish/oldVersion';
import { tagsOf } from '../../../src/publish/gitVersion';
import { publishedId } from '../../../src/publish/storeDownload';
import { ServiceError } from '../../../src/service/serviceErrors';
import { madeOf, packTexts } from '../../support/packFiles';

const MANIFEST = '{ "manifest_version": 3, "name": "Old", "version": "1" }';

const field = (number: number, bytes: Uint8Array): Buffer => {
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)]);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
};

const u32 = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32LE(value, index * 4));
  return buffer;
};

const PUBLIC_KEY = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
  type: 'spki',
  format: 'der',
});

/** A crx file of format 3; the proof of a store comes before that of the developer. */
function crx3(zip: Uint8Array): Buffer {
  const id = createHash('sha256').update(PUBLIC_KEY).digest().subarray(0, 16);
  const header = Buffer.concat([
    field(2, Buffer.concat([field(1, Buffer.from('a store')), field(2, Buffer.from('signature'))])),
    field(2, Buffer.concat([field(1, PUBLIC_KEY), field(2, Buffer.alloc(128))])),
    field(10_000, field(1, id)),
  ]);
  return Buffer.concat([Buffer.from('Cr24'), u32(3, header.length), header, zip]);
}

describe('the old version of an update test', () => {
  const { TMPDIR, TEMP } = process.env;
  let folder: string;
  let scratch: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sideload-old-')));
    scratch = await mkdtemp(join(tmpdir(), 'sideload-scratch-'));
    Object.assign(process.env, { TMPDIR: scratch, TEMP: scratch });
  });
  afterEach(async () => {
    for (const [name, value] of Object.entries({ TMPDIR, TEMP })) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    const left = await readdir(scratch);
    await Promise.all([folder, scratch].map((path) => rm(path, { recursive: true, force: true })));
    assert.deepEqual(
      left.filter((name) => name.startsWith('sideload-')),
      [],
    );
  });

  const missing = (operation: string): ServiceError =>
    new ServiceError({ kind: 'unsupported', operation, message: 'it has no such operation', mayHaveHappened: false });
  const wiring = (more: Partial<OldVersionWiring> = {}): OldVersionWiring => ({
    service: {
      downloadExtension: () => Promise.reject(missing('downloadExtension')),
      downloadPublished: () => Promise.reject(missing('downloadPublished')),
    },
    mayDownload: () => Promise.resolve(false),
    ...more,
  });

  async function file(name: string, bytes: Uint8Array | string): Promise<string> {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  }

  it('is unpacked from a zip and from both formats of crx, whose key makes the id', async () => {
    const { bytes } = await madeOf(packTexts({ 'manifest.json': MANIFEST, 'a/b.js': 'void 0;' }));
    const crx2 = Buffer.concat([
      Buffer.from('Cr24'),
      u32(2, PUBLIC_KEY.length, 3),
      PUBLIC_KEY,
      Buffer.from('sig'),
      bytes,
    ]);
    const key = PUBLIC_KEY.toString('base64');
    for (const [name, content, expected] of [
      ['old.zip', bytes, undefined],
      ['old2.crx', crx2, key],
      ['old3.crx', crx3(bytes), key],
    ] as const) {
      const old = await getOldVersion({ from: 'file', path: await file(name, content) }, folder, wiring());
      assert.equal(await readFile(join(old.folder, 'a', 'b.js'), 'utf8'), 'void 0;');
      assert.deepEqual([old.key, old.origin], [expected, name]);
      await old.dispose();
    }
  });

  it('is refused with a sentence, and nothing is left, when its file is none', async () => {
    const { bytes: other } = await madeOf(packTexts({ 'readme.txt': 'no extension' }));
    const { bytes } = await madeOf(packTexts({ 'manifest.json': MANIFEST }));
    const broken = Buffer.from(bytes);
    // In the content of the only file.
    broken.write('?', 60);
    const faults: [string, Uint8Array | string, RegExp][] = [
      ['text.crx', 'Not a crx file', /^text\.crx cannot be unpacked: it is neither a crx file nor a zip archive\.$/],
      ['short.crx', crx3(bytes).subarray(0, 40), /header of the crx file is broken/],
      ['future.crx', Buffer.concat([Buffer.from('Cr24'), u32(4, 0), bytes]), /its crx format 4 is not known/],
      ['inside.crx', crx3(Buffer.from('no zip')), /it is no zip archive/],
      ['other.zip', other, /^other\.zip has no manifest\.json/],
      ['broken.zip', broken, /manifest\.json is damaged/],
    ];
    for (const [name, content, message] of faults) {
      const path = await file(name, content);
      await assert.rejects(getOldVersion({ from: 'file', path }, folder, wiring()), { message });
    }
    await assert.rejects(getOldVersion({ from: 'file', path: join(folder, 'gone') }, folder, wiring()), /no file/);
    await assert.rejects(getOldVersion({ from: 'folder', path: join(folder, 'gone') }, folder, wiring()), /no folder/);
  });

  it('is the same folder at a tag, built there, and the worktree is removed again', async () => {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    const script = (text: string): string => JSON.stringify({ scripts: { build: `node -e "${text}"` } });
    git('init', '--quiet');
    await file('source.json', MANIFEST);
    await file('.gitignore', 'dist');
    await file('package.json', script("fs.mkdirSync('dist');fs.copyFileSync('source.json','dist/manifest.json')"));
    git('add', '.');
    git('commit', '--quiet', '-m', 'One');
    git('tag', 'v1');
    await file('package.json', script("console.error('no such module');process.exit(3)"));
    git('commit', '--quiet', '-a', '-m', 'Two');
    git('tag', 'v2');
    await file('package.json', script("require('not-installed')"));
    git('commit', '--quiet', '-a', '-m', 'Three');
    await mkdir(join(folder, 'dist'));
    const dist = join(folder, 'dist');
    // A further worktree of the person's, whose disk is not there now.
    git('worktree', 'add', '--quiet', '--detach', `${folder}-own`);
    await rm(`${folder}-own`, { recursive: true });
    let found = 0;
    const onFound = (): void => void (found += 1);
    const old = await getOldVersion({ from: 'git', revision: 'v1' }, dist, wiring({ onFound }));
    assert.equal(await readFile(join(old.folder, 'manifest.json'), 'utf8'), MANIFEST);
    const commit = /^"v1", commit ([0-9a-f]{7,})$/.exec(old.origin)?.[1];
    await old.dispose();
    const whole = execFileSync('git', ['rev-parse', 'v1'], { cwd: folder, encoding: 'utf8' }).trim();
    const named = await getOldVersion({ from: 'git', revision: whole }, dist, wiring());
    assert.equal(named.origin, `commit ${commit}`);
    await named.dispose();
    await assert.rejects(
      getOldVersion({ from: 'git', revision: 'v2' }, dist, wiring()),
      /"npm run build" has failed: [^]*no such module/,
    );
    await assert.rejects(getOldVersion({ from: 'git', revision: 'HEAD' }, dist, wiring()), (error: Error) =>
      error.message.startsWith(`Packages of the build are missing. Run "npm install" in ${folder}, `),
    );
    await assert.rejects(
      getOldVersion({ from: 'git', revision: '--help' }, dist, wiring({ onFound })),
      /no tag or commit "--help"/,
    );
    assert.equal(found, 1, 'it is said of the tag that is there, and of no other');
    const trees = execFileSync('git', ['worktree', 'list'], { cwd: folder, encoding: 'utf8' });
    assert.equal(trees.trim().split('\n').length, 2, trees);
    assert.deepEqual((await tagsOf(dist)).sort(), ['v1', 'v2']);
    const blob = execFileSync('git', ['rev-parse', 'v1:source.json'], { cwd: folder, encoding: 'utf8' }).trim();
    await rm(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    await assert.rejects(
      getOldVersion({ from: 'git', revision: 'v1' }, dist, wiring()),
      /^Error: git could not check out "v1": error: .*source\.json/,
    );
  }).timeout(60_000);

  it('is built with the packages of the repository, which a build that installs its own leaves alone, as it does what is being committed', async () => {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    // As `npm ci`: it uses the packages, and then removes what is in the folder of packages.
    const build = [
      "require('lib');require('@scope/lib');",
      "for(const name of fs.readdirSync('node_modules'))fs.rmSync('node_modules/'+name,{recursive:true});",
      "fs.mkdirSync('dist');fs.copyFileSync('source.json','dist/manifest.json')",
    ].join('');
    git('init', '--quiet');
    await file('source.json', MANIFEST);
    await file('.gitignore', 'dist\nnode_modules');
    await file('package.json', JSON.stringify({ scripts: { build: `node -e "${build}"` } }));
    git('add', '.');
    git('commit', '--quiet', '-m', 'One');
    await mkdir(join(folder, 'dist'));
    for (const name of ['lib', '@scope/lib']) {
      await mkdir(join(folder, 'node_modules', name), { recursive: true });
      await file(`node_modules/${name}/index.js`, '1');
    }
    await file('node_modules/.package-lock.json', '{}');
    await file('source.json', `${MANIFEST} `);
    git('add', '.');
    const status = (): string => execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' });
    const before = status();
    // As in a hook of a commit.
    process.env['GIT_INDEX_FILE'] = join(folder, '.git', 'index');
    try {
      const old = await getOldVersion({ from: 'git', revision: 'HEAD' }, join(folder, 'dist'), wiring());
      assert.equal(await readFile(join(old.folder, 'manifest.json'), 'utf8'), MANIFEST);
      await old.dispose();
    } finally {
      delete process.env['GIT_INDEX_FILE'];
    }
    assert.equal(status(), before);
    const left = await readdir(join(folder, 'node_modules'), { recursive: true });
    assert.deepEqual(left.sort(), [
      '.package-lock.json',
      '@scope',
      '@scope/lib',
      '@scope/lib/index.js',
      'lib',
      'lib/index.js',
    ]);
  }).timeout(60_000);

  it('is refused by its name where there is no repository, as when a folder was meant that does not exist', async () => {
    await assert.rejects(
      getOldVersion({ from: 'git', revision: 'dsit' }, folder, wiring()),
      /"dsit" is no tag or commit: .* no git repository/,
    );
  });

  it('is its folder alone, of a repository that does not build it', async () => {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    git('init', '--quiet');
    const extension = join(folder, 'packages', 'my [1] extension');
    await mkdir(join(extension, 'js'), { recursive: true });
    await file('packages/my [1] extension/manifest.json', MANIFEST);
    await file('packages/my [1] extension/js/a.js', '1');
    await file('packages/other.js', '1');
    await file('packages/package.json', '{}');
    await file('large.bin', '1');
    git('add', '.');
    git('commit', '--quiet', '-m', 'One');
    const namesOf = async (): Promise<string[]> => {
      const old = await getOldVersion({ from: 'git', revision: 'HEAD' }, extension, wiring());
      const names = await readdir(join(old.folder, '..', '..'), { recursive: true, withFileTypes: true });
      await old.dispose();
      return names.flatMap((entry) => (entry.isFile() && entry.name !== '.git' ? [entry.name] : [])).sort();
    };
    assert.deepEqual(await namesOf(), ['a.js', 'manifest.json', 'package.json']);
    await file('packages/package.json', JSON.stringify({ scripts: { build: 'node --version' } }));
    git('commit', '--quiet', '-a', '-m', 'Two');
    assert.deepEqual(await namesOf(), ['a.js', 'large.bin', 'manifest.json', 'other.js', 'package.json']);
  }).timeout(60_000);

  it('is a build that was pushed, as long as it is kept', async () => {
    const { bytes } = await madeOf(packTexts({ 'manifest.json': MANIFEST }));
    const path = await file('digest.zip', bytes);
    const old = await getOldVersion({ from: 'build', path, label: '1.0 · abc' }, folder, wiring());
    assert.equal(old.origin, 'the pushed build 1.0 · abc');
    await old.dispose();
    await rm(path);
    await assert.rejects(
      getOldVersion({ from: 'build', path, label: '1.0 · abc' }, folder, wiring()),
      /^Error: The build 1\.0 · abc is no longer kept/,
    );
  });

  it('is downloaded by the service, else by this program once that is allowed', async () => {
    const { bytes } = await madeOf(packTexts({ 'manifest.json': MANIFEST }));
    const id = idOfKey(PUBLIC_KEY.toString('base64'));
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/gone') === true) response.writeHead(204).end();
      else response.end(crx3(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    assert.ok(typeof at === 'object' && at);
    const updateServer = `http://127.0.0.1:${at.port}/crx`;
    const mayDownload = (): Promise<boolean> => Promise.resolve(true);
    const published = { from: 'published', id } as const;
    try {
      await assert.rejects(
        getOldVersion(published, folder, wiring({ updateServer })),
        /was not allowed\. Allow the download/,
      );
      assert.deepEqual(asked, []);
      const old = await getOldVersion(published, folder, wiring({ updateServer, mayDownload }));
      assert.equal(old.key, PUBLIC_KEY.toString('base64'));
      await old.dispose();
      const query = new URL(asked[0] ?? '', updateServer).searchParams;
      assert.deepEqual([query.get('response'), query.get('x')], ['redirect', `id=${id}&uc`]);
      const foreign = { from: 'published', id: 'a'.repeat(32) } as const;
      await assert.rejects(getOldVersion(foreign, folder, wiring({ updateServer, mayDownload })), /and not of a{32}/);
      const gone = wiring({ updateServer: updateServer.replace('/crx', '/gone'), mayDownload });
      await assert.rejects(getOldVersion(published, folder, gone), /no published version/);
    } finally {
      server.close();
    }
    const service = { ...wiring().service, downloadPublished: () => Promise.resolve(bytes) };
    const old = await getOldVersion(published, folder, wiring({ service }));
    assert.equal(old.origin, `the published version of ${id}`);
    await old.dispose();
  });

  it('is what the words of a command line name', async () => {
    const id = 'abcdefghijklmnopabcdefghijklmnop';
    await mkdir(join(folder, 'v1'));
    await file('old.zip', '');
    const named = (text: string): Promise<unknown> => oldVersionNamed(text, folder);
    assert.deepEqual(await named('v1'), { from: 'folder', path: join(folder, 'v1') });
    assert.deepEqual(await named('git:v1'), { from: 'git', revision: 'v1' });
    assert.deepEqual(await named('old.zip'), { from: 'file', path: join(folder, 'old.zip') });
    assert.deepEqual(await named('v1.2.3'), { from: 'git', revision: 'v1.2.3' });
    assert.deepEqual(await named('stored:mine'), { from: 'stored', idOrName: 'mine' });
    assert.deepEqual(await named(id), { from: 'published', id });
    assert.deepEqual(await named(`published:https://chromewebstore.google.com/detail/a-name/${id}`), {
      from: 'published',
      id,
    });
    assert.equal(await named('published:nothing'), undefined);
    assert.equal(publishedId(`https://example.com/detail/${id}`), undefined);
    assert.throws(() => crxContent(Buffer.from('Cr24')), /neither/);
  });
});
