import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { sameObject } from '../../../../src/devtools/inPage/objectCalls';
import { textOf } from '../../../../src/devtools/protocol/pageCall';

describe('an object in a page', () => {
  it('is what the function is called of', () => {
    const object = {};
    const fn: unknown = runInNewContext(`(${textOf(sameObject)})`);
    assert.ok(typeof fn === 'function');
    assert.equal(Reflect.apply(fn, object, []), object);
  });
});
