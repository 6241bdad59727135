import assert from 'node:assert/strict';
import type { Fix } from '../../../src/manifest/finding';
import type { CaseFile } from '../../support/caseFolder';
import { BASE, checkManifest } from './checkManifest';

function apply(text: string, fix: Fix | undefined): string {
  assert.ok(fix, 'there is no fix');
  const edits = fix.edits.toSorted((a, b) => b.range.start.offset - a.range.start.offset);
  return edits.reduce(
    (now, { range, newText }) => now.slice(0, range.start.offset) + newText + now.slice(range.end.offset),
    text,
  );
}

describe('manifest fixes', () => {
  const fixedText = async (text: string, rule: string, files: Record<string, CaseFile> = {}): Promise<unknown> => {
    const finding = (await checkManifest(text, files)).find((found) => found.rule === rule && found.fix);
    return JSON.parse(apply(text, finding?.fix));
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
    assert.deepEqual(await fixedText(JSON.stringify(old), 'R-AVAIL', { 'b.js': '' }), expected);
  });

  it('replace a source file by the built script', async () => {
    const scripts = (name: string) => ({ ...BASE, content_scripts: [{ matches: ['<all_urls>'], js: [name] }] });
    const files = { 'a.ts': '', 'a.js': '' };
    assert.deepEqual(await fixedText(JSON.stringify(scripts('a.ts')), 'R-CS-MIME', files), scripts('a.js'));
    const worker = (name: string) => ({ ...BASE, background: { service_worker: name } });
    assert.deepEqual(await fixedText(JSON.stringify(worker('a.ts')), 'R-SW-BROKEN', files), worker('a.js'));
  });
});
