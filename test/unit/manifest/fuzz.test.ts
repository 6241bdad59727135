import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFolder } from '../../../src/manifest/check';
import { diskReader } from '../../../src/manifest/folder/folderReader';
import { caseReader } from '../../oracle/caseFolder';
import { CASE_FOLDER, judgedCases } from '../../oracle/cases';
import { mutatedCases } from '../../oracle/mutations';
import { dose, testSeed } from '../../runner/seed';

const MUTATIONS = dose(1000, 20_000);
const KEYS = dose(100_000, 400_000);
const SCRIPTS = dose(10_000, 100_000);
const SEED = testSeed();
const LIMIT_MS = 120_000;

/** A check that takes longer hangs, even on a busy machine. */
const SLOWEST_MS = 15_000;

describe('manifest check of hostile manifests', () => {
  it(`ends in findings for ${MUTATIONS} random manifests, none of them slow (seed ${SEED})`, async function () {
    this.timeout(LIMIT_MS);
    for (const { id, files } of mutatedCases(await judgedCases(), MUTATIONS, SEED)) {
      const started = performance.now();
      const result = await checkFolder(CASE_FOLDER, { reader: caseReader(files) }).catch((error: unknown) => {
        assert.fail(`${id} threw ${String(error)}: ${JSON.stringify(files['manifest.json'])}`);
      });
      const ms = performance.now() - started;
      assert.ok(
        ms < SLOWEST_MS,
        `${id} took ${ms.toFixed(0)} ms: ${JSON.stringify(files['manifest.json']).slice(0, 500)}`,
      );
      assert.ok(Array.isArray(result.findings), id);
    }
  });

  const hostile: Record<string, () => Record<string, string | { base64: string } | { dir: true }>> = {
    'ten megabytes of one string': () => ({ 'manifest.json': `{"name": "${'x'.repeat(10 * 1024 * 1024)}"}` }),
    [`${KEYS} keys`]: () => ({
      'manifest.json': `{${Array.from({ length: KEYS }, (_, index) => `"key-number-${index}": 1`).join(',')}}`,
    }),
    'a depth of 10,000': () => ({ 'manifest.json': `{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}` }),
    [`${SCRIPTS} content scripts`]: () => ({
      'manifest.json': JSON.stringify({
        ...{ manifest_version: 3, name: 'x', version: '1' },
        content_scripts: Array.from({ length: SCRIPTS }, (_, at) => ({
          matches: ['bad', '<all_urls>'],
          js: [`${at}.js`],
        })),
      }),
    }),
    'bytes that are not UTF-8': () => ({
      'manifest.json': { base64: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a]).toString('base64') },
    }),
    'a folder called manifest.json': () => ({ 'manifest.json': { dir: true } }),
  };
  for (const [what, files] of Object.entries(hostile)) {
    it(`ends in findings for ${what}`, async function () {
      this.timeout(LIMIT_MS);
      const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(files()) });
      assert.ok(findings.some(({ severity }) => severity === 'error'));
    });
  }

  it('ends in findings when files vanish during the check', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-vanish-'));
    try {
      const manifest = { manifest_version: 3, name: 'x', version: '1', background: { service_worker: 'b.js' } };
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
      await writeFile(join(folder, 'b.js'), '');
      const disk = diskReader(folder);
      const reader = {
        ...disk,
        stat: async (path: string) => (
          path === 'b.js' && (await rm(join(folder, path), { force: true })),
          disk.stat(path)
        ),
      };
      const { findings } = await checkFolder(folder, { reader });
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        ['R-SW-MISSING'],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  // The root user can read every file.
  if (process.getuid?.() !== 0) {
    it('ends in findings for an unreadable folder', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sideload-closed-'));
      try {
        await mkdir(join(folder, 'closed'));
        await writeFile(
          join(folder, 'manifest.json'),
          '{"manifest_version": 3, "name": "x", "version": "1", "icons": {"16": "closed/i.png"}}',
        );
        await chmod(join(folder, 'closed'), 0);
        assert.equal((await checkFolder(folder)).findings[0]?.rule, 'R-ICON-MISSING');
      } finally {
        await chmod(join(folder, 'closed'), 0o700);
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
