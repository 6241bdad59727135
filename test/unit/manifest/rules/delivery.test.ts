import assert from 'node:assert/strict';
import { MAX_FOLDER_BYTES } from '../../../../src/archive/archiveLimits';
import { deliveryFilter } from '../../../../src/archive/choice';
import type { FolderReader } from '../../../../src/manifest/folder/folderReader';
import { caseReader, type CaseFile } from '../../../oracle/caseFolder';
import { BASE, checkManifest, rulesOf } from '../checkManifest';

const LIMIT = { mostBytes: MAX_FOLDER_BYTES };

/** A folder in memory in which files have other sizes than their content. */
function readerOf(files: Record<string, CaseFile>, sizes: Record<string, number>): FolderReader {
  const reader = caseReader({ ...files, 'manifest.json': JSON.stringify(BASE) });
  return {
    ...reader,
    sizeOf: (paths) => Promise.resolve(paths.reduce((sum, path) => sum + (sizes[path] ?? 0), 0)),
  };
}

describe('manifest check of what is delivered', () => {
  it('warns of secrets, but not of those in node_modules or of examples', async () => {
    const findings = await checkManifest(
      {},
      { '.env': 'A=1', '.env.example': '', 'node_modules/x/.env': '', 'a/id_rsa': '' },
    );
    assert.deepEqual(findings.map(({ rule, file }) => [rule, file]).sort(), [
      ['R-SECRET', '.env'],
      ['R-SECRET', 'a/id_rsa'],
    ]);
  });

  it('warns of more than 256 MiB in all, which a push refuses: the limit of the service is for the zip', async () => {
    const reader = (...names: string[]) =>
      readerOf(
        Object.fromEntries(names.map((name) => [name, ''])),
        Object.fromEntries(names.map((name) => [name, MAX_FOLDER_BYTES / 2 + 1])),
      );
    assert.deepEqual(rulesOf(await checkManifest({}, {}, { ...LIMIT, reader: reader('a.bin') })), []);
    assert.deepEqual(rulesOf(await checkManifest({}, {}, { ...LIMIT, reader: reader('a.bin', 'b.bin') })), ['R-SIZE']);
  });

  it('ignores files that are excluded from the archive', async () => {
    const files = { '_next/a.js': '', '.env': 'A=1', 'CON.txt': '', 'big.bin': '' };
    const reader = readerOf(files, { 'big.bin': MAX_FOLDER_BYTES + 1 });
    assert.deepEqual(rulesOf(await checkManifest({}, {}, { ...LIMIT, reader })).sort(), [
      'R-SECRET',
      'R-SIZE',
      'R-UNDERSCORE',
      'R-WINNAMES',
    ]);
    const isDelivered = deliveryFilter({ exclude: ['_next', 'CON.txt', '*.bin'] });
    assert.deepEqual(rulesOf(await checkManifest({}, {}, { ...LIMIT, reader, isDelivered })), []);
  });
});
