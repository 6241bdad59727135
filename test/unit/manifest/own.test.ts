import assert from 'node:assert/strict';
import { deliveryFilter } from '../../../src/archive/choice';
import { checkFolder, type CheckOptions } from '../../../src/manifest/check';
import type { Finding, Fix } from '../../../src/manifest/finding';
import { caseReader, type CaseFile } from '../../support/caseFolder';

const BASE = { manifest_version: 3, name: 'Base', version: '1.0' };

async function check(
  manifest: object | string,
  files: Record<string, CaseFile> = {},
  options: CheckOptions = {},
): Promise<Finding[]> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ ...BASE, ...manifest });
  const { findings } = await checkFolder('/folder', {
    reader: caseReader({ ...files, 'manifest.json': text }),
    ...options,
  });
  return findings;
}

const rules = (findings: readonly Finding[]): string[] => findings.map(({ rule }) => rule);

function apply(text: string, fix: Fix | undefined): string {
  assert.ok(fix, 'there is no fix');
  const edits = fix.edits.toSorted((a, b) => b.range.start.offset - a.range.start.offset);
  return edits.reduce(
    (now, { range, newText }) => now.slice(0, range.start.offset) + newText + now.slice(range.end.offset),
    text,
  );
}

describe('manifest check of workers that never run', () => {
  const worker = (code: string, extra: object = {}, files: Record<string, CaseFile> = {}) =>
    check({ background: { service_worker: 'sw.js', ...extra } }, { 'sw.js': code, ...files });

  it('finds a syntax error at its place in the worker', async () => {
    const [finding, ...others] = await worker('const a = 1;\nconst b = ;\n');
    assert.deepEqual(others, []);
    assert.deepEqual([finding?.rule, finding?.severity, finding?.file], ['R-SW-BROKEN', 'error', 'sw.js']);
    assert.deepEqual([finding?.range.start.line, finding?.range.start.column], [1, 10]);
    assert.equal(finding?.chromium, undefined);
  });

  it('wants a module for import', async () => {
    assert.match((await worker('import "./a.js";', {}, { 'a.js': '' }))[0]?.message ?? '', /"type": "module"/);
    assert.deepEqual(await worker('import "./a.js";', { type: 'module' }, { 'a.js': '' }), []);
  });

  it('follows imports and importScripts to what is missing or broken', async () => {
    const missing = await worker('import "./a.js";', { type: 'module' }, { 'a.js': 'export * from "./b.js";' });
    assert.deepEqual([missing[0]?.file, missing[0]?.rule], ['a.js', 'R-SW-BROKEN']);
    assert.match((await worker('importScripts("lib/a.js");'))[0]?.message ?? '', /"lib\/a\.js" is not in the folder/);
    assert.equal((await worker('importScripts("lib/a.js");', {}, { 'lib/a.js': '(' }))[0]?.file, 'lib/a.js');
    assert.match((await worker('import "lodash";', { type: 'module' }))[0]?.message ?? '', /cannot find "lodash"/);
  });

  it('follows scripts that load one another only once', async () => {
    const files = { 'a.js': 'import "./sw.js";' };
    assert.deepEqual(await worker('import "./a.js";', { type: 'module' }, files), []);
  });

  for (const name of ['sw.ts', 'sw', 'sw.js#x', 'folder']) {
    it(`knows that ${name} never starts`, async () => {
      const files = { 'sw.ts': '', sw: '', 'sw.js': '', 'folder/a.js': '' };
      assert.deepEqual(rules(await check({ background: { service_worker: name } }, files)), ['R-SW-BROKEN']);
    });
  }
});

describe('manifest check of what is delivered', () => {
  it('stops a push with a name that begins with an underscore, and only warns for the flag', async () => {
    const files = { '_next/a.js': '' };
    assert.deepEqual(
      (await check({}, files)).map(({ severity }) => severity),
      ['error'],
    );
    assert.deepEqual(
      (await check({}, files, { loadedBy: 'flag' })).map(({ severity }) => severity),
      ['warning'],
    );
  });

  it('warns of secrets, but not of those in node_modules or of examples', async () => {
    const findings = await check({}, { '.env': 'A=1', '.env.example': '', 'node_modules/x/.env': '', 'a/id_rsa': '' });
    assert.deepEqual(findings.map(({ rule, file }) => [rule, file]).sort(), [
      ['R-SECRET', '.env'],
      ['R-SECRET', 'a/id_rsa'],
    ]);
  });

  it('warns of more than 50 MiB in all', async () => {
    const half = { base64: Buffer.alloc(26 * 1024 * 1024).toString('base64') };
    assert.deepEqual(rules(await check({}, { 'a.bin': half })), []);
    assert.deepEqual(rules(await check({}, { 'a.bin': half, 'b.bin': half })), ['R-SIZE']);
  });

  it('says nothing of what stays out of the archive', async () => {
    const files = {
      '_next/a.js': '',
      '.env': 'A=1',
      'CON.txt': '',
      'big.bin': { base64: Buffer.alloc(51 * 1024 * 1024).toString('base64') },
    };
    assert.deepEqual(rules(await check({}, files)).sort(), ['R-SECRET', 'R-SIZE', 'R-UNDERSCORE', 'R-WINNAMES']);
    const isDelivered = deliveryFilter({ exclude: ['_next', 'CON.txt', '*.bin'] });
    assert.deepEqual(rules(await check({}, files, { isDelivered })), []);
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

  it('warns of content scripts that can run nowhere', async () => {
    const scripts = (entry: object) => check({ content_scripts: [{ js: ['a.js'], ...entry }] }, { 'a.js': '' });
    for (const pattern of ['https://a.com/#x*', 'ftp://a.com/*']) {
      assert.deepEqual(rules(await scripts({ matches: [pattern] })), ['R-MATCHES-NOTHING'], pattern);
    }
    const shut = { matches: ['https://a.com/x*'], exclude_matches: ['*://*.a.com/*'] };
    assert.deepEqual(rules(await scripts(shut)), ['R-MATCHES-NOTHING']);
    assert.deepEqual(rules(await scripts({ ...shut, exclude_matches: ['https://a.com/xy'] })), []);
  });

  it('hints at what the store refuses only when it is asked to', async () => {
    const long = { name: 'x'.repeat(76), version: '70000' };
    assert.deepEqual(await check(long), []);
    const hints = await check(long, {}, { storeHints: true });
    assert.ok(hints.length >= 4 && hints.every(({ severity, rule }) => severity === 'hint' && rule === 'R-STORE'));
  });
});

describe('manifest fixes', () => {
  const fixedText = async (text: string, rule: string, files: Record<string, CaseFile> = {}): Promise<unknown> => {
    const finding = (await check(text, files)).find((found) => found.rule === rule && found.fix);
    return JSON.parse(apply(text, finding?.fix));
  };

  it('add what is missing', async () => {
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

  it('take leading zeros away', async () => {
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, version: '1.02' }), 'R-VERSION-ZERO'), {
      ...BASE,
      version: '1.2',
    });
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, version: '01.2' }), 'R-VERSION'), {
      ...BASE,
      version: '1.2',
    });
  });

  it('correct a slip of the pen in a key and in a permission', async () => {
    assert.deepEqual(await fixedText(JSON.stringify({ ...BASE, permisions: [] }), 'R-UNKNOWN'), {
      ...BASE,
      permissions: [],
    });
    const asked = { ...BASE, permissions: ['storag'] };
    assert.deepEqual(await fixedText(JSON.stringify(asked), 'R-PERM-UNKNOWN'), { ...BASE, permissions: ['storage'] });
  });

  it('move a host to where it belongs, be the list there or not', async () => {
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

  it('turn the one background script into a worker', async () => {
    const old = { ...BASE, background: { scripts: ['b.js'], persistent: false } };
    const expected = { ...BASE, background: { service_worker: 'b.js', persistent: false } };
    assert.deepEqual(await fixedText(JSON.stringify(old), 'R-AVAIL', { 'b.js': '' }), expected);
  });

  it('name the built script in the place of its source', async () => {
    const scripts = (name: string) => ({ ...BASE, content_scripts: [{ matches: ['<all_urls>'], js: [name] }] });
    const files = { 'a.ts': '', 'a.js': '' };
    assert.deepEqual(await fixedText(JSON.stringify(scripts('a.ts')), 'R-CS-MIME', files), scripts('a.js'));
    const worker = (name: string) => ({ ...BASE, background: { service_worker: name } });
    assert.deepEqual(await fixedText(JSON.stringify(worker('a.ts')), 'R-SW-BROKEN', files), worker('a.js'));
  });
});
