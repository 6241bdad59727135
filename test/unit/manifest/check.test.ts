import assert from 'node:assert/strict';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkFolder } from '../../../src/manifest/check';
import type { Finding } from '../../../src/manifest/finding';
import { caseReader } from '../../support/caseFolder';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

describe('manifest check', () => {
  let folder: string;

  const BASE = { manifest_version: 3, name: 'Base', version: '1.0' };
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
  const rules = (findings: readonly Finding[]) => findings.map(({ rule }) => rule);
  const only = (findings: readonly Finding[]): Finding => {
    assert.equal(findings.length, 1, rules(findings).join(', ') || 'no finding');
    const [finding] = findings;
    return finding ?? assert.fail();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-check-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  describe('of the fixtures', () => {
    it('finds nothing in the sample and sums it up', async () => {
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

    it('finds both faults of the broken one, each at its place', async () => {
      const { findings } = await checkFolder(join(FIXTURES, 'broken'));
      assert.deepEqual(rules(findings), ['R-VERSION', 'R-SW-MISSING']);
      assert.equal(findings[1]?.range.start.line, 4);
      assert.match(
        findings[1]?.message ?? '',
        /"background\.js" is not in the folder\. background\.ts exists.*build it/,
      );
    });

    it('names line and column of the trailing comma', async () => {
      const { findings, manifest } = await checkFolder(join(FIXTURES, 'trailing-comma'));
      const finding = only(findings);
      assert.equal(finding.chromium, 'Manifest is not valid JSON.  trailing comma at line 5 column 1');
      assert.deepEqual([finding.range.start.line, finding.range.start.column], [4, 0]);
      assert.equal(manifest, undefined);
    });
  });

  describe('of the file', () => {
    it('says what is missing', async () => {
      const missing = only((await checkFolder(join(folder, 'gone'))).findings);
      assert.equal(missing.chromium, 'Manifest file is missing or unreadable');
      assert.match(missing.message, /does not exist or is empty/);
      await put({ 'Manifest.json': BASE });
      assert.match(only((await checkFolder(folder)).findings).message, /is called Manifest\.json\. Rename it/);
    });

    it('takes a folder and a dangling link for what they are', async () => {
      await mkdir(join(folder, 'manifest.json'));
      assert.equal(only((await checkFolder(folder)).findings).rule, 'R-FILE-DIR');
      await rm(join(folder, 'manifest.json'), { recursive: true });
      await symlink('nowhere', join(folder, 'manifest.json'));
      assert.match(only((await checkFolder(folder)).findings).message, /link that leads nowhere/);
    });

    // Whoever is root reads everything.
    if (process.getuid?.() !== 0) {
      it('says that an unreadable file cannot be read', async () => {
        await put({ 'manifest.json': BASE });
        await chmod(join(folder, 'manifest.json'), 0);
        assert.match(only((await checkFolder(folder)).findings).message, /cannot be read/);
      });
    }

    for (const text of ['[]', 'null', '"x"', '5']) {
      it(`refuses ${text} in place of an object`, async () => {
        assert.equal(only((await check(text)).findings).chromium, 'Manifest file is invalid');
      });
    }

    it('warns that the cloud service refuses what only Chromium accepts, at its place', async () => {
      const { findings } = await check('{\n  // mine\n  "manifest_version": 3, "name": "a", "version": "1"\n}');
      const finding = only(findings);
      assert.deepEqual([finding.rule, finding.severity, finding.chromium], ['R-SERVICE-JSON', 'warning', undefined]);
      assert.deepEqual([finding.range.start.line, finding.range.start.column, finding.range.end.column], [1, 2, 9]);
      assert.match(only((await check('\uFEFF' + JSON.stringify(BASE))).findings).message, /byte order mark/);
    });

    it('checks the unsaved text when there is one', async () => {
      await put({ 'manifest.json': '{ saved badly' });
      const unsaved = JSON.stringify({ ...BASE, background: { service_worker: 'b.js' } });
      const { findings, manifest } = await checkFolder(folder, {
        readText: (path) => (path === 'manifest.json' ? unsaved : undefined),
      });
      assert.deepEqual(rules(findings), ['R-SW-MISSING']);
      assert.equal(manifest?.name, 'Base');
    });
  });

  describe('of the name and the version', () => {
    for (const name of [undefined, '', 5, null, [], {}]) {
      it(`refuses the name ${JSON.stringify(name)}`, async () => {
        const finding = only((await check({ name })).findings);
        assert.equal(finding.chromium, "Required value 'name' is missing or invalid.");
      });
    }

    it('accepts spaces and length in silence', async () => {
      assert.deepEqual((await check({ name: ' ' })).findings, []);
      assert.deepEqual((await check({ name: 'x'.repeat(5000) })).findings, []);
    });

    it('fills in the messages of the name before it looks', async () => {
      const named = { name: 'The __MSG_App__!', default_locale: 'de' };
      const { manifest } = await check(named, { '_locales/de/messages.json': '{"app": {"message": "Ding"}}' });
      assert.equal(manifest?.name, 'The Ding!');
      const empty = { name: '__MSG_app__', default_locale: 'de' };
      const { findings } = await check(empty, { '_locales/de/messages.json': '{"app": {"message": ""}}' });
      assert.equal(only(findings).rule, 'R-NAME');
    });

    for (const version of ['1', '1.2.3.4', '65536', '4294967295', '0', '0.0.1']) {
      it(`accepts the version ${version}`, async () => {
        assert.deepEqual((await check({ version })).findings, []);
      });
    }
    for (const version of [
      undefined,
      1,
      null,
      '',
      '1.',
      '.1',
      '1..2',
      '1.2.3.4.5',
      '01',
      '-1',
      '+1',
      '1 ',
      '1.0a',
      '4294967296',
      '١',
    ]) {
      it(`refuses the version ${JSON.stringify(version)}`, async () => {
        assert.match(
          only((await check({ version })).findings).chromium ?? '',
          /^Required value 'version' is missing or invalid\./,
        );
      });
    }

    it('warns of a leading zero that Chromium drops', async () => {
      const finding = only((await check({ version: '1.02.0' })).findings);
      assert.deepEqual(
        [finding.severity, finding.chromium],
        ['warning', "The extension version is parsed as '1.2.0'."],
      );
    });
  });

  describe('of the manifest version', () => {
    it('refuses a missing one, except in a platform app', async () => {
      assert.equal(only((await check({ manifest_version: undefined })).findings).rule, 'R-MV-MISSING');
      const app = { app: { background: { scripts: ['b.js'] } } };
      assert.deepEqual((await check({ manifest_version: undefined, ...app }, { 'b.js': '' })).findings, []);
    });

    for (const text of ['"3"', '3.0', '3e0', '0', '1', '-3', 'null', '[3]', '4294967299']) {
      it(`refuses ${text}`, async () => {
        const { findings } = await check(`{"name": "a", "version": "1", "manifest_version": ${text}}`);
        assert.equal(only(findings).rule, 'R-MV-TYPE');
      });
    }

    it('refuses 2 for an extension, after all other faults, and not for a theme', async () => {
      const { findings } = await check({ manifest_version: 2, background: { service_worker: 'gone.js' } });
      assert.deepEqual(rules(findings), ['R-SW-MISSING', 'R-MV2']);
      assert.deepEqual((await check({ manifest_version: 2, theme: {} })).findings, []);
    });

    it('warns of a version that does not exist yet', async () => {
      const { chromium } = only((await check({ manifest_version: 4 })).findings);
      assert.ok(chromium?.includes('manifest version is 3, but this is 4.  Certain features'), chromium);
    });
  });

  describe('of the worker', () => {
    for (const name of ['b.js', '/b.js', './b.js', '../b.js', 'b.js?x=1', 'js/../b.js', 'js\\c%20d.js']) {
      it(`finds the file that ${name} leads to`, async () => {
        const { findings } = await check({ background: { service_worker: name } }, { 'b.js': '', 'js/c d.js': '' });
        assert.deepEqual(findings, []);
      });
    }

    it('minds upper and lower case, and says which file is meant', async () => {
      const finding = only((await check({ background: { service_worker: 'B.js' } }, { 'b.js': '' })).findings);
      assert.deepEqual([finding.rule, finding.path], ['R-SW-MISSING', ['background', 'service_worker']]);
      assert.equal(finding.chromium, "Could not load background script ''.");
      assert.match(finding.message, /b\.js exists: upper and lower case count/);
    });

    it('suggests a name that differs in a letter', async () => {
      const { findings } = await check({ background: { service_worker: 'sw/worker.js' } }, { 'sw/wroker.js': '' });
      assert.match(only(findings).message, /Did you mean sw\/wroker\.js\?/);
    });

    it('knows whether it is a module', async () => {
      const { manifest } = await check({ background: { service_worker: './b.js', type: 'module' } }, { 'b.js': '' });
      assert.deepEqual(manifest?.serviceWorker, { path: 'b.js', type: 'module' });
    });
  });

  describe('of content scripts', () => {
    const scripts = (...entries: object[]) => ({
      content_scripts: entries.map((entry) => ({ matches: ['<all_urls>'], ...entry })),
    });

    it('reports every missing file, not the first only', async () => {
      const manifest = scripts({ js: ['a.js', 'gone.js'], css: ['gone.css'] }, { js: ['./gone2.js', 'a%20b.js'] });
      const { findings } = await check(manifest, { 'a.js': '', 'a b.js': '' });
      assert.deepEqual(
        findings.map(({ chromium }) => chromium),
        [
          "Could not load javascript 'gone.js' for script.",
          "Could not load css 'gone.css' for script.",
          "Could not load javascript './gone2.js' for script.",
          "Could not load javascript 'a%20b.js' for script.",
        ],
      );
      assert.deepEqual(findings[1]?.path, ['content_scripts', 0, 'css', 0]);
    });

    it('takes a folder of that name for missing', async () => {
      const { findings } = await check(scripts({ js: ['d.js'] }), { 'd.js/x': '' });
      assert.match(only(findings).message, /"d\.js" is a folder/);
    });

    it('drops a content script at its first file of another type, and looks for none of its files', async () => {
      const { findings } = await check(scripts({ js: ['gone.js', 'a.ts', 'b.ts'], css: ['gone.css'] }));
      const finding = only(findings);
      assert.deepEqual([finding.rule, finding.severity], ['R-CS-MIME', 'warning']);
      assert.match(
        finding.chromium ?? '',
        /^Invalid script mime type: 'Could not load file 'a\.ts' for content script, content scripts can/,
      );
    });

    for (const name of [
      ' a.js',
      '//a.js',
      '././a.js',
      'x/../a.js',
      '.a.js',
      '~a.js',
      'con.js',
      'https://example.com/a.js',
      'a.js?x',
    ]) {
      it(`takes ${JSON.stringify(name)} for no file at all`, async () => {
        const { findings } = await check(scripts({ js: [name] }), { 'a.js': '' });
        assert.match(only(findings).chromium ?? '', /'Could not load file '' for/);
      });
    }

    it('does not look at those of themes', async () => {
      const { findings } = await check({ ...scripts({ js: ['gone.js'] }), theme: {} });
      assert.deepEqual(rules(findings), ['R-AVAIL']);
    });
  });

  describe('of icons', () => {
    it('reports missing and empty pictures of the extension and of its button', async () => {
      const manifest = { icons: { 16: '/gone.png', 32: 'empty.svg' }, action: { default_icon: { 16: 'gone.jpg' } } };
      const { findings } = await check(manifest, { 'empty.svg': '' });
      assert.deepEqual(
        findings.map(({ chromium }) => chromium),
        [
          "Could not load icon 'gone.png' specified in 'icons'.",
          "Could not load icon 'empty.svg' specified in 'icons'.",
          "Could not load icon 'gone.jpg' specified in 'action'.",
        ],
      );
    });

    it('warns of a file that is no picture by its name, missing or not', async () => {
      const { findings } = await check({ icons: { 16: 'gone.txt' }, action: { default_icon: 'gone.pdf' } });
      assert.deepEqual(
        findings.map(({ severity, chromium }) => [severity, chromium]),
        [
          ['warning', 'Invalid mime type for \'icons["16"]\'.'],
          ['warning', "Invalid mime type for 'default_icon'."],
        ],
      );
    });
  });

  describe('of hostile input', () => {
    it('tells the first 1,000 of 100,000 missing content scripts', async function () {
      this.timeout(20_000);
      const js = Array.from({ length: 100_000 }, (_, index) => `gone-${index}.js`);
      const { findings } = await check({ content_scripts: [{ matches: ['<all_urls>'], js }] }, { 'here-1.js': '' });
      assert.equal(findings.length, 1_000);
      assert.equal(findings[0]?.chromium, "Could not load javascript 'gone-0.js' for script.");
    });

    it('never looks outside of the folder', async () => {
      await cp(join(FIXTURES, 'sample'), join(folder, 'inner'), { recursive: true });
      await put({
        'outside.js': '1',
        'inner/manifest.json': { ...BASE, background: { service_worker: '%2e%2e%2foutside.js' } },
      });
      assert.equal((await checkFolder(join(folder, 'inner'))).manifest?.serviceWorker, undefined);
      await put({ 'inner/manifest.json': { ...BASE, background: { service_worker: '../outside.js' } } });
      assert.deepEqual(rules((await checkFolder(join(folder, 'inner'))).findings), ['R-SW-MISSING']);
    });

    it('ends with the signal’s reason when it is aborted', async () => {
      await put({ 'manifest.json': BASE });
      await assert.rejects(checkFolder(folder, { signal: AbortSignal.abort(new Error('typed on')) }), /typed on/);
    });
  });

  it('tells the files that the findings depend on', async () => {
    const reader = caseReader({
      'manifest.json': JSON.stringify({ ...BASE, background: { service_worker: 'sw.js' }, icons: { 16: 'gone.png' } }),
      'sw.js': 'importScripts("lib.js");',
      'lib.js': '',
      'other.js': '',
    });
    const { dependsOn } = await checkFolder('/folder', { reader });
    for (const file of ['manifest.json', 'sw.js', 'lib.js', 'gone.png']) assert.ok(dependsOn.has(file), file);
    assert.ok(!dependsOn.has('other.js'));
  });
});
