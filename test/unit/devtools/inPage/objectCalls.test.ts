import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { hasOpenSocket, sameObject } from '../../../../src/devtools/inPage/objectCalls';
import { textOf } from '../../../../src/devtools/protocol/pageCall';

describe('an object in a page', () => {
  it('is what the function is called of', () => {
    const object = {};
    const fn: unknown = runInNewContext(`(${textOf(sameObject)})`);
    assert.ok(typeof fn === 'function');
    assert.equal(Reflect.apply(fn, object, []), object);
  });
});

describe('the websockets of a page', () => {
  const has = (sockets: readonly unknown[]): unknown => {
    const fn: unknown = runInNewContext(`(${textOf(hasOpenSocket)})`, { URL });
    assert.ok(typeof fn === 'function');
    return Reflect.apply(fn, sockets, []);
  };
  const prototype = {
    get url(): string {
      throw new TypeError('Illegal invocation');
    },
  };

  it('count while they are open to a server of this machine', () => {
    for (const host of ['localhost:1815', '127.0.0.1:1815', '[::1]:1815'])
      assert.equal(has([prototype, { url: `ws://${host}/`, readyState: 1 }]), true, host);
    assert.equal(has([{ url: 'ws://localhost:1815/', readyState: 3 }]), false);
    assert.equal(
      has([{ url: 'ws://localhost.example/', readyState: 1 }, { url: '', readyState: 1 }, prototype]),
      false,
    );
    assert.equal(has([]), false);
  });
});
