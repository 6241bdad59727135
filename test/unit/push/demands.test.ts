import assert from 'node:assert/strict';
import { joined, type Demands } from '../../../src/push/demands';

const isWanted = (): boolean => true;

const copy = (id: string): Demands['copies'][number] => ({
  id,
  name: 'Copy',
  version: '1',
  path: `/${id}`,
  enabled: true,
});

describe('what two pushes demand of one delivery', () => {
  it('is a reload, and no access to files, where one of them demands it', () => {
    const push = { mustReload: false, skipUnchanged: true, withoutFiles: true };
    const reload = { mustReload: true, skipUnchanged: false, withoutFiles: false };
    const of = (one: typeof push): Demands => ({ ...one, isWanted, copies: [] });
    const both = { ...reload, withoutFiles: true };
    for (const [earlier, later, expected] of [
      [push, push, push],
      [push, reload, both],
      [reload, push, both],
    ] as const) {
      const { mustReload, skipUnchanged, withoutFiles } = joined(of(earlier), of(later));
      assert.deepEqual({ mustReload, skipUnchanged, withoutFiles }, expected);
    }
  });

  it('is the removal of the copies of both, each once', () => {
    const of = (...ids: string[]): Demands => ({
      mustReload: false,
      skipUnchanged: true,
      withoutFiles: false,
      isWanted,
      copies: ids.map(copy),
    });
    assert.deepEqual(joined(of('a', 'b'), of('b', 'c')).copies, of('a', 'b', 'c').copies);
  });

  it('is wanted as long as one of them is', () => {
    const of = (wanted: boolean): Demands => ({
      mustReload: false,
      skipUnchanged: true,
      withoutFiles: false,
      isWanted: () => wanted,
      copies: [],
    });
    const wanted = [true, false].flatMap((earlier) => [true, false].map((later) => joined(of(earlier), of(later))));
    assert.deepEqual(
      wanted.map(({ isWanted: is }) => is()),
      [true, true, true, false],
    );
  });
});
