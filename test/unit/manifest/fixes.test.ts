import assert from 'node:assert/strict';
import type { CaseFile } from '../../oracle/caseFolder';
import { applyFix } from './applyFix';
import { BASE, checkManifest } from './checkManifest';

describe('manifest fixes', () => {
  const fixedText = async (
    text: string,
    rule: string,
    files: Record<string, CaseFile> = {},
    title = '',
  ): Promise<unknown> => {
    const finding = (await checkManifest(text, files)).find(
      (found) => found.rule === rule && found.fix?.title.includes(title),
    );
    return JSON.parse(applyFix(text, finding?.fix));
  };

  it('add missing keys', async () => {
    assert.deepEqual(await fixedText('{"name": "a", "version": "1"}', 'R-MV-MISSING'), {
      ...BASE,
      name: 'a',
      version: '1',
    });
    assert.deepEqual(await fixedText('{"manifest_version": 3, "name": "a"}', 'R-VERSION'), {
      ...BASE,
      name: 'a',
      version: '1.0.0',
    });
  });

  it('keep the folder of a page that is written with a backslash, and a literal name as it is', async () => {
    const page = { ...BASE, options_page: 'pages\\optoins.html?a' };
    assert.deepEqual(await fixedText(JSON.stringify(page), 'R-OPTIONS-MISSING', { 'pages/options.html': '' }), {
      ...BASE,
      options_page: 'pages\\options.html?a',
    });
    const content_scripts = [{ matches: ['https://a.com/*'], js: ['a/conten#1.js'] }];
    const script = { ...BASE, content_scripts };
    assert.deepEqual(await fixedText(JSON.stringify(script), 'R-CS-MISSING', { 'a/content#1.js': '' }), {
      ...BASE,
      content_scripts: [{ matches: ['https://a.com/*'], js: ['a/content#1.js'] }],
    });
  });

  it('escape the backslash of an unfinished escape, whatever follows it', async () => {
    const text = (path: string): string => `{"manifest_version": 3, "version": "1.0", "name": "${path}"}`;
    assert.deepEqual(await fixedText(text('a\\user'), 'R-JSON'), { ...BASE, name: 'a\\user' });
    assert.deepEqual(await fixedText(text('\\ua\\\\b'), 'R-JSON'), { ...BASE, name: '\\ua\\b' });
  });

  it('are not offered for a key that is there twice, whose other value would count then', async () => {
    const twice = JSON.stringify(BASE).replace(
      '{',
      '{"unknown": 1, "unknown": 2, "permisions": [], "permisions": ["tabs"],',
    );
    const findings = (await checkManifest(twice)).filter(({ rule }) => rule === 'R-UNKNOWN');
    assert.deepEqual(
      findings.map(({ fix }) => fix),
      [undefined, undefined],
    );
  });

  it('remove leading zeros', async () => {
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, version: '1.02' }), 'R-VERSION-ZERO'), {
      ...BASE,
      version: '1.2',
    });
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, version: '01.2' }), 'R-VERSION'), {
      ...BASE,
      version: '1.2',
    });
  });

  it('correct a misspelt key and a misspelt permission', async () => {
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, permisions: [] }), 'R-UNKNOWN'), {
      ...BASE,
      permissions: [],
    });
    const asked = { ...BASE, permissions: ['storag'] };
    assert.deepEqual(await fixedText(JSON.stringify(asked), 'R-PERM-UNKNOWN'), { ...BASE, permissions: ['storage'] });
  });

  it('move a host to its list, which may not exist yet', async () => {
    const host = 'https://a.com/*';
    for (const permissions of [[host], [host, 'tabs'], ['tabs', host], ['tabs', host, 'alarms']]) {
      const rest = permissions.filter((name) => name !== host);
      const expected = { ...BASE, permissions: rest, host_permissions: [host] };
      assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, permissions }), 'R-PERM-UNKNOWN'), expected);
    }
    const both = { ...BASE, permissions: [host], host_permissions: ['https://b.com/*'] };
    const expected = { ...BASE, permissions: [], host_permissions: [host, 'https://b.com/*'] };
    assert.deepEqual(await fixedText(JSON.stringify(both, null, 2), 'R-PERM-UNKNOWN'), expected);
  });

  it('turn a single background script into a worker', async () => {
    const old = { ...BASE, background: { scripts: ['b.js'], persistent: false } };
    const expected = { ...BASE, background: { service_worker: 'b.js', persistent: false } };
    assert.deepEqual(await fixedText(JSON.stringify(old), 'R-AVAIL', { 'b.js': '' }, 'service_worker'), expected);
  });

  it('replace a source file by the built script', async () => {
    const scripts = (name: string) => ({ ...BASE, content_scripts: [{ matches: ['<all_urls>'], js: [name] }] });
    const files = { 'a.ts': '', 'a.js': '' };
    assert.deepEqual(await fixedText(JSON.stringify(scripts('a.ts')), 'R-CS-MIME', files), scripts('a.js'));
    const worker = (name: string) => ({ ...BASE, background: { service_worker: name } });
    assert.deepEqual(await fixedText(JSON.stringify(worker('a.ts')), 'R-SW-BROKEN', files), worker('a.js'));
  });

  it('remove an entry with its comma, wherever it is', async () => {
    const head = '"manifest_version": 3, "name": "Base", "version": "1.0"';
    const texts: [string, string][] = [
      [`{"nope": 1, ${head}}`, `{${head}}`],
      [`{${head}, "nope": {"a": [1, 2]}}`, `{${head}}`],
      [`{\n  "nope": 1,\n  ${head}\n}`, `{\n  ${head}\n}`],
      [`{${head}, // , why\n  "nope": 1\n}`, `{${head} // , why\n  \n}`],
      [`{${head}, // "other": 1,\n  "nope": 1\n}`, `{${head} // "other": 1,\n  \n}`],
      [`{${head} /* , */, /* , */ /* , */ "nope": 1}`, `{${head} /* , */ /* , */ /* , */ }`],
      [`{ // ,\n  "nope": 1, ${head}}`, `{ // ,\n  ${head}}`],
    ];
    for (const [text, expected] of texts) {
      const finding = (await checkManifest(text, {})).find(({ rule }) => rule === 'R-UNKNOWN');
      assert.equal(applyFix(text, finding?.fix), expected);
    }
  });

  it('remove a trailing comma, which is shown where it is', async () => {
    const text = '{\n  "name": "x", // last,\n}';
    const [finding] = await checkManifest(text, {});
    assert.deepEqual([finding?.rule, finding?.range.start.line, finding?.range.start.column], ['R-JSON', 1, 13]);
    assert.equal(applyFix(text, finding?.fix), '{\n  "name": "x" // last,\n}');
  });

  it('write the pattern that was probably meant', async () => {
    const patternAfter = async (pattern: string): Promise<unknown> => {
      const script = { ...BASE, content_scripts: [{ matches: [pattern], js: ['a.js'] }] };
      const fixed = await fixedText(JSON.stringify(script), 'R-CS-PATTERN', { 'a.js': '' });
      return /"matches":\["([^"]*)"/.exec(JSON.stringify(fixed))?.[1];
    };
    assert.equal(await patternAfter('example.com'), '*://example.com/*');
    assert.equal(await patternAfter('https://example.com'), 'https://example.com/*');
    assert.equal(await patternAfter('http://localhost:3000'), 'http://localhost:3000/*');
    assert.equal(await patternAfter('*example.com/shop/*'), '*://*.example.com/shop/*');
    assert.equal(await patternAfter('everything'), 'https://*.example.com/*');
  });

  it('write a value in the shape that Chromium expects', async () => {
    const script = { matches: '<all_urls>', js: ['a.js'], run_at: 'Document-End', all_frames: 'true' };
    const names = [];
    let text = JSON.stringify({ ...BASE, content_scripts: [script] });
    for (;;) {
      const finding = (await checkManifest(text, { 'a.js': '' })).find(({ rule }) => rule === 'R-CS-TYPE');
      if (!finding) break;
      names.push(finding.path.at(-1));
      text = applyFix(text, finding.fix);
    }
    assert.deepEqual(names, ['matches', 'all_frames', 'run_at']);
    const right = { matches: ['<all_urls>'], js: ['a.js'], run_at: 'document_end', all_frames: true };
    assert.deepEqual(JSON.parse(text), { ...BASE, content_scripts: [right] });
  });

  it('make the worker a module where it imports, in the manifest', async () => {
    const text = JSON.stringify({ ...BASE, background: { service_worker: 'b.js' } });
    const files = { 'b.js': "import './c.js';", 'c.js': '' };
    const finding = (await checkManifest(text, files)).find(({ rule }) => rule === 'R-SW-BROKEN');
    assert.equal(finding?.file, 'b.js');
    assert.equal(finding.fix?.edits[0]?.file, 'manifest.json');
    const expected = { ...BASE, background: { type: 'module', service_worker: 'b.js' } };
    assert.deepEqual(JSON.parse(applyFix(text, finding.fix)), expected);
  });

  it('name a folder of _locales as the default', async () => {
    const files = { '_locales/de/messages.json': '{}', '_locales/en/messages.json': '{}' };
    assert.deepEqual(await fixedText(JSON.stringify(BASE), 'R-LOC-NODEFAULT', files), {
      ...BASE,
      default_locale: 'en',
    });
  });
});
