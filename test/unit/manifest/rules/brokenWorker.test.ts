import assert from 'node:assert/strict';
import type { CaseFile } from '../../../oracle/caseFolder';
import { checkManifest, rulesOf } from '../checkManifest';

describe('manifest check of workers that never run', () => {
  const worker = (code: string, extra: object = {}, files: Record<string, CaseFile> = {}) =>
    checkManifest({ background: { service_worker: 'sw.js', ...extra } }, { 'sw.js': code, ...files });

  it('finds a syntax error at its position in the worker', async () => {
    const [finding, ...others] = await worker('const a = 1;\nconst b = ;\n');
    assert.deepEqual(others, []);
    assert.deepEqual([finding?.rule, finding?.severity, finding?.file], ['R-SW-BROKEN', 'error', 'sw.js']);
    assert.deepEqual([finding?.range.start.line, finding?.range.start.column], [1, 10]);
    assert.equal(finding?.chromium, undefined);
    assert.equal(finding?.message, 'Unexpected token, so the worker never starts.');
  });

  it('requires a module for import', async () => {
    assert.match((await worker('import "./a.js";', {}, { 'a.js': '' }))[0]?.message ?? '', /"type": "module"/);
    assert.deepEqual(await worker('import "./a.js";', { type: 'module' }, { 'a.js': '' }), []);
  });

  it('follows imports and importScripts to missing and broken files', async () => {
    const missing = await worker('import "./a.js";', { type: 'module' }, { 'a.js': 'export * from "./b.js";' });
    assert.deepEqual([missing[0]?.file, missing[0]?.rule], ['a.js', 'R-SW-BROKEN']);
    assert.match((await worker('importScripts("lib/a.js");'))[0]?.message ?? '', /"lib\/a\.js" is not in the folder/);
    assert.equal((await worker('importScripts("lib/a.js");', {}, { 'lib/a.js': '(' }))[0]?.file, 'lib/a.js');
    assert.match((await worker('import "lodash";', { type: 'module' }))[0]?.message ?? '', /cannot find "lodash"/);
  });

  it('follows scripts that import one another only once', async () => {
    const files = { 'a.js': 'import "./sw.js";' };
    assert.deepEqual(await worker('import "./a.js";', { type: 'module' }, files), []);
  });

  for (const name of ['sw.ts', 'sw', 'sw.js#x', 'folder']) {
    it(`reports that ${name} never starts`, async () => {
      const files = { 'sw.ts': '', sw: '', 'sw.js': '', 'folder/a.js': '' };
      assert.deepEqual(rulesOf(await checkManifest({ background: { service_worker: name } }, files)), ['R-SW-BROKEN']);
    });
  }
});
