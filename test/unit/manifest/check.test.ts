// Covers: test/fixtures
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesReader } from '../../../src/manifest/folder/filesReader';
import { ExtensionFolder } from '../../../src/manifest/folder/folder';
import { checkFolder } from '../../../src/manifest/check';
import { caseReader } from '../../oracle/caseFolder';
import { dose } from '../../runner/seed';
import { BASE, checkManifest, onlyOf, rulesOf } from './checkManifest';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

describe('manifest check', () => {
  let folder: string;

  const put = async (files: Record<string, string | Uint8Array | object>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(join(folder, path), isText ? content : JSON.stringify(content));
    }
  };
  const check = async (manifest: object | string, files: Record<string, string> = {}) => {
    await put({ ...files, 'manifest.json': typeof manifest === 'string' ? manifest : { ...BASE, ...manifest } });
    return checkFolder(folder);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-check-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  describe('of the fixtures', () => {
    it('finds nothing in the sample and summarises it', async () => {
      const { findings, manifest } = await checkFolder(join(FIXTURES, 'sample'));
      assert.deepEqual(findings, []);
      assert.equal(manifest?.name, 'Sideload Sample');
      assert.equal(manifest.version, '1.0.0');
      assert.deepEqual(manifest.serviceWorker, { path: 'background.js', type: 'classic' });
      assert.deepEqual(manifest.files, [
        'background.js',
        'content.js',
        'icons/128.png',
        'icons/16.png',
        'icons/48.png',
      ]);
    });

    it('finds both faults of the broken extension at their positions', async () => {
      const { findings } = await checkFolder(join(FIXTURES, 'broken'));
      assert.deepEqual(rulesOf(findings), ['R-VERSION', 'R-SW-MISSING']);
      assert.equal(findings[1]?.range.start.line, 4);
      assert.match(
        findings[1]?.message ?? '',
        /"background\.js" is not in the folder\. background\.ts exists.*build it/,
      );
    });

    it('reports line and column of a trailing comma', async () => {
      const { findings, manifest } = await checkFolder(join(FIXTURES, 'trailing-comma'));
      const finding = onlyOf(findings);
      assert.equal(finding.chromium, 'Manifest is not valid JSON.  trailing comma at line 5 column 1');
      assert.deepEqual([finding.range.start.line, finding.range.start.column], [3, 20]);
      assert.equal(manifest, undefined);
    });
  });

  it('leaves the content of rulesets to Chromium where that is asked for', async () => {
    const ruleset = { id: 'main', enabled: true, path: 'rules.json' };
    const manifest = {
      ...BASE,
      permissions: ['declarativeNetRequest'],
      declarative_net_request: { rule_resources: [ruleset, { ...ruleset, id: 'other', path: 'gone.json' }] },
    };
    await put({ 'manifest.json': manifest, 'rules.json': '[{}' });
    assert.deepEqual(rulesOf((await checkFolder(folder)).findings), ['R-DNR-PATH', 'R-DNR-JSON']);
    assert.deepEqual(rulesOf((await checkFolder(folder, { skipsRulesets: true })).findings), ['R-DNR-PATH']);
  });

  describe('of the file', () => {
    it('explains a missing manifest', async () => {
      const missing = onlyOf((await checkFolder(join(folder, 'gone'))).findings);
      assert.equal(missing.chromium, 'Manifest file is missing or unreadable');
      assert.match(missing.message, /does not exist or is empty/);
      await put({ 'note.txt': 'text' });
      const file = onlyOf((await checkFolder(join(folder, 'note.txt'))).findings);
      assert.match(file.message, /note\.txt is a file\. Choose the folder/);
      await put({ 'Manifest.json': BASE });
      assert.match(onlyOf((await checkFolder(folder)).findings).message, /is called Manifest\.json\. Rename it/);
    });

    it('recognises a folder and a dangling link', async () => {
      await mkdir(join(folder, 'manifest.json'));
      assert.equal(onlyOf((await checkFolder(folder)).findings).rule, 'R-FILE-DIR');
      await rm(join(folder, 'manifest.json'), { recursive: true });
      await symlink('nowhere', join(folder, 'manifest.json'));
      assert.match(onlyOf((await checkFolder(folder)).findings).message, /link that leads nowhere/);
    });

    // The root user can read every file.
    if (process.getuid?.() !== 0) {
      it('reports an unreadable file', async () => {
        await put({ 'manifest.json': BASE });
        await chmod(join(folder, 'manifest.json'), 0);
        assert.match(onlyOf((await checkFolder(folder)).findings).message, /cannot be read/);
      });
    }

    for (const text of ['[]', 'null', '"x"', '5']) {
      it(`refuses ${text} in place of an object`, async () => {
        assert.equal(onlyOf((await check(text)).findings).chromium, 'Manifest file is invalid');
      });
    }

    it('warns at the position of JSON that Chromium accepts and the cloud service refuses', async () => {
      const { findings } = await check('{\n  // mine\n  "manifest_version": 3, "name": "a", "version": "1"\n}');
      const finding = onlyOf(findings);
      assert.deepEqual([finding.rule, finding.severity, finding.chromium], ['R-SERVICE-JSON', 'hint', undefined]);
      assert.deepEqual([finding.range.start.line, finding.range.start.column, finding.range.end.column], [1, 2, 9]);
      assert.match(onlyOf((await check('\uFEFF' + JSON.stringify(BASE))).findings).message, /byte order mark/);
    });

    it('checks the unsaved text when there is one', async () => {
      await put({ 'manifest.json': '{ saved badly' });
      const unsaved = JSON.stringify({ ...BASE, background: { service_worker: 'b.js' } });
      const { findings, manifest } = await checkFolder(folder, {
        readText: (path) => (path === 'manifest.json' ? unsaved : undefined),
      });
      assert.deepEqual(rulesOf(findings), ['R-SW-MISSING']);
      assert.equal(manifest?.name, 'Base');
    });
  });

  describe('of hostile input', () => {
    it('reports the first 1,000 of many missing content scripts', async function () {
      this.timeout(20_000);
      const js = Array.from({ length: dose(10_000, 40_000) }, (_, index) => `gone-${index}.js`);
      const scripts = { content_scripts: [{ matches: ['<all_urls>'], js }] };
      const findings = await checkManifest(scripts, { 'here-1.js': '' });
      assert.equal(findings.length, 1_000);
      assert.equal(findings[0]?.chromium, "Could not load javascript 'gone-0.js' for script.");
    });

    it('never reads outside of the folder', async () => {
      await cp(join(FIXTURES, 'sample'), join(folder, 'inner'), { recursive: true });
      await put({
        'outside.js': '1',
        'inner/manifest.json': { ...BASE, background: { service_worker: '%2e%2e%2foutside.js' } },
      });
      assert.equal((await checkFolder(join(folder, 'inner'))).manifest?.serviceWorker, undefined);
      await put({ 'inner/manifest.json': { ...BASE, background: { service_worker: '../outside.js' } } });
      assert.deepEqual(rulesOf((await checkFolder(join(folder, 'inner'))).findings), ['R-SW-MISSING']);
    });

    it('rejects with the signal’s reason when aborted', async () => {
      await put({ 'manifest.json': BASE });
      await assert.rejects(checkFolder(folder, { signal: AbortSignal.abort(new Error('typed on')) }), /typed on/);
    });
  });

  it('lists the files that the findings depend on', async () => {
    const reader = caseReader({
      'manifest.json': JSON.stringify({ ...BASE, background: { service_worker: 'sw.js' }, icons: { 16: 'gone.png' } }),
      'sw.js': 'importScripts("lib.js");',
      'lib.js': '',
      'other.js': '',
    });
    const { dependsOn } = await checkFolder('/folder', { reader });
    for (const file of ['manifest.json', 'sw.js', 'lib.js', 'gone.png']) assert.ok(dependsOn.has(file), file);
    assert.ok(!dependsOn.has('other.js'));
    const digest = createHash('sha256').update('importScripts("lib.js");').digest('hex');
    assert.deepEqual(dependsOn.get('sw.js'), { kind: 'file', size: 24, digest });
    assert.equal(dependsOn.get('gone.png'), undefined);
  });

  it('has found no content in a file that changes between two reads', async () => {
    let reads = 0;
    const reader = caseReader({ 'manifest.json': '{}' });
    const folder = new ExtensionFolder('/folder', undefined, {
      ...reader,
      read: () => Promise.resolve(Buffer.from(`${++reads}`)),
    });
    for (let read = 0; read < 2; read++) await folder.read('manifest.json');
    assert.equal(folder.seen.get('manifest.json')?.digest, '');
  });

  it('finds the same in files in memory as in a folder', async () => {
    const files = {
      'manifest.json': JSON.stringify({ ...BASE, default_locale: 'de' }),
      '_locales/fr/messages.json': '{',
      _a: '',
    };
    const inMemory = filesReader(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
    assert.deepEqual(
      await checkFolder('/folder', { reader: inMemory }),
      await checkFolder('/folder', { reader: caseReader(files) }),
    );
  });
});
