// Covers: .esbuild.ts
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLES } from '../../../../.esbuild';
import { JobThreads } from '../../../../src/base/jobThreads';
import { ContentCache } from '../../../../src/manifest/source/contentCache';
import type { CodeFacts } from '../../../../src/manifest/use/codeFacts';
import { readCode } from '../../../../src/manifest/use/codeReader';
import { readCodes } from '../../../../src/manifest/use/codeThreads';

const LINE = 'chrome.storage.local.set({ at: Date.now() });\n';

/** Scripts of very different lengths, in all more than is read in one piece. */
const TEXTS = [1, 4000, 2, 2000, 0, 300, 9000].map(
  (lines, index) => `chrome.tabs.get(${index});\n${LINE.repeat(lines)}`,
);

describe('reading much code', () => {
  it('gives the facts of each script in the order of the scripts', async () => {
    assert.deepEqual(await readCodes(TEXTS), TEXTS.map(readCode));
  });

  it('gives the same facts from a thread', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sideload-code-'));
    try {
      const script = join(folder, 'code.js');
      await build({ ...BUNDLES.code, outfile: script });
      const limits = { limitMs: 60_000, heapMb: 512, parallel: 1, idleMs: 1 };
      const threads = new JobThreads<readonly string[], CodeFacts[]>({ script, name: 'code', ...limits });
      const texts = [LINE, 'const { query } = chrome.tabs; query({ url: "https://a.example/" })', 'no script ('];
      assert.deepEqual(await threads.run(texts), texts.map(readCode));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(20_000);

  it('reads a script once that is there twice, and none that is known', async () => {
    const cache = new ContentCache<number>(10);
    const asked: string[] = [];
    const read = (texts: readonly string[]): Promise<number[]> => {
      asked.push(...texts);
      return Promise.resolve(texts.map(({ length }) => length));
    };
    assert.deepEqual(await cache.getAll('way', ['a', 'bb', 'a'], read), [1, 2, 1]);
    assert.deepEqual(await cache.getAll('way', ['ccc', 'bb'], read), [3, 2]);
    assert.deepEqual(asked, ['a', 'bb', 'ccc']);
  });
});
