import assert from 'node:assert/strict';
import { durationText, shortened, sizeText } from '../../../src/base/units';

describe('sizeText', () => {
  it('counts in powers of 1000 and changes the unit at each', () => {
    assert.deepEqual([0, 999, 1000, 12_345, 999_949, 999_950, 25_000_000].map(sizeText), [
      '0 B',
      '999 B',
      '1.0 kB',
      '12.3 kB',
      '999.9 kB',
      '1.0 MB',
      '25.0 MB',
    ]);
  });
});

describe('durationText', () => {
  it('shows hundredths below a second and tenths from there on', () => {
    assert.deepEqual([0, 4, 320, 999, 1000, 61_040].map(durationText), [
      '0.00 s',
      '0.00 s',
      '0.32 s',
      '1.00 s',
      '1.0 s',
      '61.0 s',
    ]);
  });
});

describe('shortened', () => {
  it('cuts a text of more than 1000 characters, or of more than the given number, and ends it with an ellipsis', () => {
    assert.equal(shortened('x'.repeat(1000)), 'x'.repeat(1000));
    assert.equal(shortened('x'.repeat(1001)), `${'x'.repeat(1000)}…`);
    assert.equal(shortened('abcd', 3), 'abc…');
  });
});
