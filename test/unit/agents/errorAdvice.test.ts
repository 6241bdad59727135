import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorLine } from '../../../src/agents/findingText';
import type { ErrorPart } from '../../../src/console/extensionErrors';

const ID = 'a'.repeat(32);

describe('the line about an error of a running extension', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-line-'));
    await writeFile(join(folder, 'manifest.json'), '{}');
    await writeFile(join(folder, 'code.js'), 'chrome.idle.onStateChanged;\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const TEXT = `Uncaught TypeError: Cannot read properties of undefined (reading 'onStateChanged')`;

  const lineOf = (part: ErrorPart): Promise<string> => {
    const location = { url: `chrome-extension://${ID}/code.js`, line: 0, column: 12 };
    const error = { part, text: TEXT, isWarning: false, location, count: 1 };
    return errorLine(error, { folder, root: folder, extensionId: ID }, (path) => path.slice(folder.length + 1));
  };

  it('ends with what to do where that is known: of workers and pages, which have the whole API', async () => {
    const advice = ' chrome.idle is there only with the permission "idle". Add it to "permissions" in manifest.json.';
    assert.equal(await lineOf({ kind: 'worker' }), `code.js:1:13 error in worker: «${TEXT}»${advice}`);
    assert.ok((await lineOf({ kind: 'page', path: 'popup.html' })).endsWith(advice));
    assert.ok((await lineOf({ kind: 'content', host: 'site.test' })).endsWith('»'));
  });
});
