import assert from 'node:assert/strict';
import type { Node } from '../../../../src/editor/lists/nodes';
import { RowChildren, type ReadChildren } from '../../../../src/editor/lists/rowChildren';

describe('the rows below a row', () => {
  const parent = rowOf('browser');
  /** Ends the readings in their order, each with one row of that id. */
  let answers: ((id: string) => void)[];
  let children: RowChildren;

  beforeEach(() => {
    answers = [];
    const read: ReadChildren = () =>
      new Promise((resolve) => {
        const number = answers.length + 1;
        answers.push((id) => {
          resolve(() => [{ ...rowOf(id), item: `${id} of reading ${number}` }]);
        });
      });
    children = new RowChildren(({ id }) => (id.endsWith('leaf') ? undefined : read));
  });

  const idsOf = async (): Promise<string[]> => (await children.of(parent)).map(({ id }) => id);

  async function expand(): Promise<void> {
    const expanding = children.of(parent);
    answers[0]?.('first');
    await expanding;
  }

  it('are read once', async () => {
    await expand();
    assert.deepEqual(await idsOf(), ['first']);
    assert.equal(answers.length, 1);
  });

  it('stay what they are while they are read again, and are asked for by the row above when there are others', async () => {
    await expand();
    const again = children.readAgain(parent.id, true);
    assert.deepEqual(await idsOf(), ['first']);
    answers[1]?.('second');
    assert.deepEqual(await again, [parent]);
    assert.deepEqual(await idsOf(), ['second']);
  });

  it('are not drawn again when they show the same, but lead to what was read last', async () => {
    await expand();
    const [row] = await children.of(parent);
    const again = children.readAgain(parent.id, true);
    answers[1]?.('first');
    assert.deepEqual(await again, []);
    assert.equal(row?.item, 'first of reading 2');
  });

  it('are drawn again alone when their texts have changed', async () => {
    let title = 'Loading';
    const rows = (): Node<string>[] => [rowOf('browser/extension'), { ...rowOf('browser/tab'), label: title }];
    children = new RowChildren(() => () => Promise.resolve(rows));
    const [extension, tab] = await children.of(parent);
    title = 'Example';
    assert.deepEqual(await children.readAgain(parent.id, true), [tab]);
    assert.deepEqual([extension?.label, tab?.label], ['browser/extension', 'Example']);
    title = 'Example 2';
    assert.deepEqual(await children.outdated(parent.id), [tab]);
    assert.equal(tab?.label, 'Example 2');
    assert.deepEqual(await children.outdated(parent.id), []);
  });

  it('are those of the newest reading, also when an earlier one ends later', async () => {
    await expand();
    const earlier = children.readAgain(parent.id, true);
    const newest = children.readAgain(parent.id, true);
    answers[2]?.('newest');
    assert.deepEqual(await newest, [parent]);
    answers[1]?.('earlier');
    assert.deepEqual(await earlier, []);
    assert.deepEqual(await idsOf(), ['newest']);
  });

  it('are read when they are drawn, where nobody sees them', async () => {
    await expand();
    assert.deepEqual(await children.readAgain(parent.id, false), [parent]);
    assert.equal(answers.length, 1);
    void children.of(parent);
    assert.equal(answers.length, 2);
  });

  it('are not read below a row that is not expanded, and not kept for one that was collapsed meanwhile', async () => {
    assert.deepEqual(await children.readAgain(parent.id, true), []);
    assert.equal(answers.length, 0);
    await expand();
    const again = children.readAgain(parent.id, true);
    children.collapse(parent.id);
    answers[1]?.('second');
    assert.deepEqual(await again, []);
  });

  it('are wanted of the newest reading alone, and as long as the row is expanded', async () => {
    const wanted: (() => boolean)[] = [];
    children = new RowChildren(() => (isWanted) => {
      wanted.push(isWanted);
      return Promise.resolve(() => [rowOf('browser/tab')]);
    });
    const areWanted = (): boolean[] => wanted.map((isWanted) => isWanted());
    await children.of(parent);
    await children.of(parent);
    assert.deepEqual(areWanted(), [true]);
    void children.readAgain(parent.id, true);
    assert.deepEqual(areWanted(), [false, true]);
    children.collapse(parent.id);
    assert.deepEqual(areWanted(), [false, false]);
    children.expand(parent.id);
    await children.of(parent);
    assert.deepEqual(areWanted(), [false, false, true]);
  });

  it('are answered, but neither wanted nor read again, where they are asked for after the row was collapsed', async () => {
    const wanted: (() => boolean)[] = [];
    children = new RowChildren(() => (isWanted) => {
      wanted.push(isWanted);
      return Promise.resolve(() => [rowOf('browser/extension')]);
    });
    const inner = rowOf('browser/extension');
    await children.of(parent);
    children.collapse(parent.id);
    for (const row of [parent, inner]) {
      assert.equal((await children.of(row)).length, 1);
      assert.deepEqual(await children.readAgain(row.id, true), []);
    }
    assert.equal(wanted.length, 3);
    assert.ok(wanted.every((isWanted) => !isWanted()));
    children.expand(parent.id);
    await children.of(parent);
    assert.equal(wanted[3]?.(), true);
  });

  it('may have rows below them, which are read again and deleted with them', async () => {
    await expand();
    const inner = rowOf('browser/extension');
    const expanding = children.of(inner);
    answers[1]?.('browser/extension/leaf');
    const [leaf] = await expanding;
    assert.ok(leaf && !children.canExpand(leaf) && children.canExpand(inner));
    assert.equal(children.parentOf(leaf), inner);
    const again = children.readAgain(parent.id, true);
    assert.equal(answers.length, 4);
    answers[2]?.('browser/extension');
    answers[3]?.('browser/extension/other leaf');
    assert.deepEqual(await again, [parent, inner]);
    assert.deepEqual(
      (await children.of(inner)).map(({ id }) => id),
      ['browser/extension/other leaf'],
    );
    children.collapse(parent.id);
    assert.deepEqual(await children.readAgain(inner.id, true), []);
  });

  it('of another row whose id begins alike are left alone', async () => {
    await expand();
    const other = rowOf('browser 2');
    const expanding = children.of(other);
    answers[1]?.('first');
    await expanding;
    children.collapse(parent.id);
    const again = children.readAgain(other.id, true);
    answers[2]?.('second');
    assert.deepEqual(await again, [other]);
  });
});

function rowOf(id: string): Node<string> {
  return { id, label: id, description: '', tooltip: id, icon: '', spoken: id, contextValue: '', item: id };
}
