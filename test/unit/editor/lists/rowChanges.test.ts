import assert from 'node:assert/strict';
import { RowChanges } from '../../../../src/editor/lists/rowChanges';

describe('the changes of rows', () => {
  let fired: (string[] | undefined)[];
  let changes: RowChanges<string>;

  beforeEach(() => {
    fired = [];
    changes = new RowChanges((rows) => {
      fired.push(rows);
    });
  });

  const nextTurn = (): Promise<void> => new Promise((done) => void setImmediate(done));

  it('of one turn are one event, with each row once', async () => {
    changes.some(['a', 'b']);
    changes.some(['b', 'c']);
    assert.deepEqual(fired, []);
    await nextTurn();
    assert.deepEqual(fired, [['a', 'b', 'c']]);
  });

  it('to all rows include those to some', async () => {
    changes.some(['a']);
    changes.all();
    changes.some(['b']);
    await nextTurn();
    assert.deepEqual(fired, [undefined]);
  });

  it('of two turns are two events', async () => {
    changes.all();
    await nextTurn();
    changes.some(['a']);
    await nextTurn();
    assert.deepEqual(fired, [undefined, ['a']]);
  });

  it('are one event before the next turn after a flush', async () => {
    changes.some(['a']);
    changes.flush();
    changes.flush();
    await nextTurn();
    assert.deepEqual(fired, [['a']]);
  });

  it('are no event after dispose', async () => {
    changes.all();
    changes.dispose();
    await nextTurn();
    assert.deepEqual(fired, []);
  });
});
