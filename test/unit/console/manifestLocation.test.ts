import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorPart } from '../../../src/console/extensionErrors';
import { manifestRange } from '../../../src/console/manifestLocation';

const MANIFEST = `{
  // A comment.
  "name": "x",
  "background": { "service_worker": "worker.js" },
  "content_scripts": [{ "js": ["content.js"] }],
  "action": { "default_popup": "./pages/popup.html?from=action" }
}`;

describe('the location of a part in the manifest', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-manifest-'));
    await writeFile(join(folder, 'manifest.json'), MANIFEST);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What the manifest has there. */
  async function locationOf(part: ErrorPart): Promise<string> {
    const { start, end } = await manifestRange(join(folder, 'manifest.json'), part);
    assert.equal(start.line, end.line);
    return (MANIFEST.split('\n')[start.line] ?? '').slice(start.column, end.column);
  }

  it('is the value that names the worker or the page, or the key', async () => {
    assert.equal(await locationOf({ kind: 'worker' }), '"worker.js"');
    assert.equal(await locationOf({ kind: 'page', path: 'pages/popup.html' }), '"./pages/popup.html?from=action"');
    assert.equal(await locationOf({ kind: 'content', host: 'example.com' }), '"content_scripts"');
    assert.equal(await locationOf({ kind: 'manifest', key: 'action.default_popup' }), '"default_popup"');
  });

  it('is the beginning when nothing names it, and when there is no manifest', async () => {
    assert.equal(await locationOf({ kind: 'page', path: 'other.html' }), '{');
    assert.equal(await locationOf({ kind: 'manifest', key: 'no.such.key' }), '{');
    const { start } = await manifestRange(join(folder, 'missing.json'), { kind: 'worker' });
    assert.deepEqual(start, { line: 0, column: 0 });
  });
});
