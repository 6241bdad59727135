import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileTree } from '../../src/archive/fileTree';
import { FolderPackers } from '../../src/archive/packers';
import { selectFiles } from '../support/selectFiles';
import { secretsOf } from '../../src/archive/selection';
import { checkSmall } from '../../src/push/prepare/folderCheck';
import { secretsText } from '../../src/push/prepare/secretsText';

const MANIFEST = JSON.stringify({ manifest_version: 3, name: 'Sample', version: '1.0' });

/** Names by which secrets lie in folders, in any case. */
const NAMED = [
  'KEY.PEM',
  'cert.P12',
  'private.key',
  'server.key',
  'Server.Key',
  'id_rsa',
  'ID_RSA',
  'id_ed25519',
  'AuthKey.p8',
  'store.jks',
  'app.keystore',
  'login.ppk',
  'vault.kdbx',
  'vpn.ovpn',
  '.env',
  '.ENV.production',
  'prod.env',
  'config.env',
  'credentials.json',
  'Credentials.json',
  'service-account.json',
  'service_account_prod.json',
  'client_secret.json',
  'client_secret_12.apps.json',
  'secrets.json',
  'secrets.yaml',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'dump.sql',
  'wallet.dat',
  'npmrc',
  '.npmrc',
  'key.pem.txt',
  'dist.pem.bak',
  'deep/er/id_dsa',
];

/** Names of other files, some of which sound alike. */
const OTHERS = [
  'manifest.json',
  'keys.js',
  'secrets.js',
  'secretary.png',
  'environment.js',
  'id_rsa.pub',
  'monkey.keyboard',
  'cvs/list.js',
  'short.txt',
];

describe('secrets in an extension folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-secrets-'));
    await write('manifest.json', MANIFEST);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, text: string): Promise<void> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  const names = async (include: string[] = []): Promise<string[]> =>
    (await selectFiles(folder, { include })).files.map(({ path }) => path);

  it('are left out by their names, in any case, and nothing else is', async () => {
    // On a disk without case some of them are one file.
    for (const name of [...NAMED, ...OTHERS]) await write(name, name === 'manifest.json' ? MANIFEST : 'x');
    const selection = await selectFiles(folder);
    assert.deepEqual(
      selection.files.map(({ path }) => path),
      [...OTHERS].sort(),
    );
    assert.deepEqual(secretsOf(selection), [...NAMED].sort());
  });

  it('are left out by their first line, whatever they are called', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = (type: 'pkcs1' | 'pkcs8'): string => privateKey.export({ type, format: 'pem' }).toString();
    const keys: Record<string, string> = {
      deploy: key('pkcs1'),
      'deploy.txt': key('pkcs8'),
      'a/app.js': `\n${key('pkcs8')}`,
      'bom.json': `\ufeff${key('pkcs8')}`,
      'ssh.bak': `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b'.repeat(200)}`,
      'mail.asc': `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${'b'.repeat(200)}`,
      putty: `PuTTY-User-Key-File-3: ssh-ed25519\n${'b'.repeat(200)}`,
    };
    const others: Record<string, string> = {
      'public.txt': `-----BEGIN PUBLIC KEY-----\n${'b'.repeat(200)}`,
      'about.md': `How to use it: -----BEGIN PRIVATE KEY-----\n${'b'.repeat(200)}`,
      'manifest.json': MANIFEST,
    };
    for (const [name, text] of Object.entries({ ...keys, ...others })) await write(name, text);
    assert.deepEqual(await names(), Object.keys(others).sort());
    // One that the user has included is sent, knowingly.
    assert.deepEqual(await names(['/deploy']), ['deploy', ...Object.keys(others)].sort());
  });

  it('are seen where a file becomes one, and where it is none any more', async () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'b'.repeat(100)}`;
    const tree = new FileTree(folder, {});
    await write('note.txt', 'x'.repeat(text.length));
    await tree.readAll();
    assert(tree.files.has('note.txt'));
    await write('note.txt', text);
    await utimes(join(folder, 'note.txt'), 1, 1);
    await tree.refresh('note.txt');
    assert(!tree.files.has('note.txt'));
    assert.deepEqual(secretsOf(tree.selection()), ['note.txt']);
    await write('note.txt', 'y'.repeat(text.length));
    await tree.refresh('note.txt');
    assert(tree.files.has('note.txt'));
    assert.deepEqual(secretsOf(tree.selection()), []);
  });

  it('are not in the archive', async () => {
    await write('deploy', `-----BEGIN RSA PRIVATE KEY-----\n${'b'.repeat(100)}`);
    const packers = new FolderPackers();
    try {
      const selection = await packers.source(folder).list({});
      const archive = await packers.of(folder).pack(selection.files);
      assert.deepEqual([...archive.digests.keys()], ['manifest.json']);
    } finally {
      packers.dispose();
    }
  });

  it('are a hint each, with a quick fix, and in the report of the push', async () => {
    await write('id_rsa', 'x');
    await write('deploy', `-----BEGIN RSA PRIVATE KEY-----\n${'b'.repeat(100)}`);
    await write('passwords.txt', 'x');
    const { findings } = await checkSmall({ folder, exclude: [], include: [] });
    const found = findings.map(({ rule, severity, file, fix }) => [rule, severity, file, fix?.setting]);
    assert.deepEqual(found.sort(), [
      ['R-SECRET', 'hint', 'deploy', { list: 'include', path: 'deploy' }],
      ['R-SECRET', 'hint', 'id_rsa', { list: 'include', path: 'id_rsa' }],
      ['R-SECRET', 'warning', 'passwords.txt', { list: 'exclude', path: 'passwords.txt' }],
    ]);
    const included = await checkSmall({ folder, exclude: ['/passwords.txt'], include: ['/id_rsa', '/deploy'] });
    assert.deepEqual(included.findings, []);
    assert.deepEqual(['', '1 file that looks like a secret is left out.'], [secretsText(0), secretsText(1)]);
    assert.equal(secretsText(3), '3 files that look like secrets are left out.');
  });
});
