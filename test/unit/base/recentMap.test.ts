import assert from 'node:assert/strict';
import { RecentMap } from '../../../src/base/recentMap';

describe('a map of bounded size', () => {
  let dropped: number[];
  let map: RecentMap<string, number>;

  beforeEach(() => {
    dropped = [];
    map = new RecentMap<string, number>(2, (value) => dropped.push(value));
    map.set('a', 1).set('b', 2);
  });

  it('drops the value that was set longest ago for another', () => {
    map.set('c', 3);
    assert.deepEqual([[...map], dropped], [Object.entries({ b: 2, c: 3 }), [1]]);
  });

  it('takes a value that is set again for the latest one, and drops nothing for it', () => {
    map.set('a', 4);
    assert.deepEqual([[...map], dropped], [Object.entries({ b: 2, a: 4 }), []]);
    map.set('c', 3);
    assert.deepEqual([[...map], dropped], [Object.entries({ a: 4, c: 3 }), [2]]);
  });

  it('makes a value only when there is none, and takes it for the latest one', () => {
    const never = (): number => assert.fail('there is a value');
    assert.equal(map.latest('a', never), 1);
    assert.equal(
      map.latest('c', () => 3),
      3,
    );
    assert.deepEqual([[...map.keys()], dropped], [['a', 'c'], [2]]);
  });
});
