// Covers: .esbuild.ts
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLES } from '../../../../.esbuild';
import { JobThreads } from '../../../../src/base/jobThreads';
import type { CodeFacts } from '../../../../src/manifest/use/codeFacts';
import { readCode } from '../../../../src/manifest/use/codeReader';
import { CodeReading } from '../../../../src/manifest/use/codeThreads';
import { KnownReading } from '../../../../src/manifest/use/knownCode';

const LINE = 'chrome.storage.local.set({ at: Date.now() });\n';

/** Scripts of very different lengths, in all more than is read in one piece. */
const TEXTS = [1, 4000, 2, 2000, 0, 300, 9000].map(
  (lines, index) => `chrome.tabs.get(${index});\n${LINE.repeat(lines)}`,
);

describe('reading much code', () => {
  it('gives the facts of each script in the order of the scripts', async () => {
    const reading = new CodeReading();
    assert.deepEqual(
      TEXTS.map((text) => reading.add(text)),
      [...TEXTS.keys()],
    );
    assert.deepEqual(await reading.end(), TEXTS.map(readCode));
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
    const asked: string[] = [];
    const reading = (): KnownReading =>
      new KnownReading({
        add: (text) => asked.push(text) - 1,
        end: () => Promise.resolve(asked.map(readCode)),
      });
    const [first, second] = [reading(), reading()];
    const texts = ['chrome.tabs.get(1); // once', 'chrome.alarms.clear("a"); // once'];
    const keys = [...texts, ...texts].map((text) => first.add(text));
    const facts = await first.end();
    assert.deepEqual(
      keys.map((key) => facts.get(key)),
      [...texts, ...texts].map(readCode),
    );
    second.add(texts[1] ?? '');
    assert.deepEqual([...(await second.end()).values()], texts.slice(1).map(readCode));
    assert.deepEqual(asked, texts);
  });
});
