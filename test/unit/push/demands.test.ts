import assert from 'node:assert/strict';
import { joined, type Demands } from '../../../src/push/demands';

const copy = (id: string): Demands['copies'][number] => ({
  id,
  name: 'Copy',
  version: '1',
  path: `/${id}`,
  enabled: true,
});

describe('what two pushes demand of one delivery', () => {
  it('is a reload where one of them demands it', () => {
    const push: Demands = { mustReload: false, skipUnchanged: true, copies: [] };
    const reload: Demands = { mustReload: true, skipUnchanged: false, copies: [] };
    assert.deepEqual(joined(push, push), push);
    for (const both of [joined(push, reload), joined(reload, push)]) assert.deepEqual(both, reload);
  });

  it('is the removal of the copies of both, each once', () => {
    const of = (...ids: string[]): Demands => ({ mustReload: false, skipUnchanged: true, copies: ids.map(copy) });
    assert.deepEqual(joined(of('a', 'b'), of('b', 'c')), of('a', 'b', 'c'));
  });
});
