import assert from 'node:assert/strict';
import { unzip } from '../../support/unzip';
import { zipBytes } from '../../fuzz/zipBytes';

describe('a zip of entries that may be wrong', () => {
  it('is one that others read where they are right', async () => {
    const common = { claimed: 0, mode: 0o100644 };
    const entries = [
      { ...common, name: 'a.txt', content: Buffer.from('stored'), method: 0 },
      { ...common, name: 'b/ö.txt', content: Buffer.from('deflated '.repeat(20)), method: 8 },
    ];
    const files = await unzip(new Uint8Array(zipBytes(entries)));
    assert.deepEqual(
      [...files].map(([name, { content }]) => [name, String(content)]),
      [
        ['a.txt', 'stored'],
        ['b/ö.txt', 'deflated '.repeat(20)],
      ],
    );
  });
});
