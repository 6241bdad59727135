// Covers: src/programs/printable.ts, src/programs/cli.ts
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './shippedPrograms';

/** Files that are missing: what is said of them is more than any pipe or socket takes at once. */
const MISSING = 1000;

describe('the output of the program for terminals', function () {
  this.timeout(60_000);
  let base: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'sideload-output-'));
  });
  afterEach(() => rm(base, { recursive: true }));

  it('reaches its reader whole, however much it is', async () => {
    const js = Array.from({ length: MISSING }, (_none, at) => `${'a-long-name-of-a-file-'.repeat(4)}${at}.js`);
    const scripts = { content_scripts: [{ matches: ['https://example.com/*'], js }] };
    const manifest = { manifest_version: 3, name: 'Large', version: '1.0', ...scripts };
    await writeFile(join(base, 'manifest.json'), JSON.stringify(manifest));
    const { code, stdout } = await runProgram('cli', ['check', base, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: unknown[] };
    assert.deepEqual([code, findings.length], [1, MISSING]);
  });
});
