import assert from 'node:assert/strict';
import { largestFiles, MAX_ARCHIVE_BYTES, refuseTooLarge } from '../../../src/archive/archiveLimits';

describe('the limits of an archive', () => {
  const files = [1, 40, 9, 30].map((megabytes, index) => ({
    path: `${index}.bin`,
    size: megabytes * 1_000_000,
    mtimeMs: 0,
    ctimeMs: 0,
  }));

  it('allow 50 MiB and not a byte more, and the refusal names the largest files', () => {
    assert.equal(refuseTooLarge(MAX_ARCHIVE_BYTES, files), undefined);
    assert.match(
      refuseTooLarge(60_000_000, files) ?? '',
      /has 60\.0 MB.*at most 52\.4 MB.*1\.bin \(40\.0 MB\), 3\.bin \(30\.0 MB\), 2\.bin/,
    );
    assert.match(refuseTooLarge(MAX_ARCHIVE_BYTES + 1, files) ?? '', /^The archive has 52\.4 MB/);
  });

  it('rank files by size without changing the list', () => {
    assert.deepEqual(
      largestFiles(files, 2).map(({ path }) => path),
      ['1.bin', '3.bin'],
    );
    assert.equal(files[0]?.path, '0.bin');
  });
});
