import assert from 'node:assert/strict';
import { RowChanges } from '../../../../src/editor/lists/rowChanges';

describe('the changes of rows', () => {
  let told: (string[] | undefined)[];
  let changes: RowChanges<string>;

  beforeEach(() => {
    told = [];
    changes = new RowChanges((rows) => {
      told.push(rows);
    });
  });

  const nextTurn = (): Promise<void> => new Promise((done) => void setImmediate(done));

  it('of one turn are told at once, each row once', async () => {
    changes.some(['a', 'b']);
    changes.some(['b', 'c']);
    assert.deepEqual(told, []);
    await nextTurn();
    assert.deepEqual(told, [['a', 'b', 'c']]);
  });

  it('to all rows include those to some', async () => {
    changes.some(['a']);
    changes.all();
    changes.some(['b']);
    await nextTurn();
    assert.deepEqual(told, [undefined]);
  });

  it('of two turns are told apart', async () => {
    changes.all();
    await nextTurn();
    changes.some(['a']);
    await nextTurn();
    assert.deepEqual(told, [undefined, ['a']]);
  });

  it('are told before the next turn when that is asked for, and once', async () => {
    changes.some(['a']);
    changes.flush();
    changes.flush();
    await nextTurn();
    assert.deepEqual(told, [['a']]);
  });

  it('are not told after the end', async () => {
    changes.all();
    changes.dispose();
    await nextTurn();
    assert.deepEqual(told, []);
  });
});
