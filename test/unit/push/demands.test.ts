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
  it('is a reload, and no access to files, where one of them demands it', () => {
    const push: Demands = { mustReload: false, skipUnchanged: true, withoutFiles: true, copies: [] };
    const reload: Demands = { mustReload: true, skipUnchanged: false, withoutFiles: false, copies: [] };
    assert.deepEqual(joined(push, push), push);
    const both: Demands = { ...reload, withoutFiles: true };
    for (const either of [joined(push, reload), joined(reload, push)]) assert.deepEqual(either, both);
  });

  it('is the removal of the copies of both, each once', () => {
    const of = (...ids: string[]): Demands => ({
      mustReload: false,
      skipUnchanged: true,
      withoutFiles: false,
      copies: ids.map(copy),
    });
    assert.deepEqual(joined(of('a', 'b'), of('b', 'c')), of('a', 'b', 'c'));
  });
});
