import assert from 'node:assert/strict';
import { only } from '../../../src/base/only';

describe('the only value of a list', () => {
  it('is that value, and an error where there is none', () => {
    const value = {};
    assert.equal(only([value]), value);
    assert.throws(() => only([]), /There is no result/);
  });
});
