import assert from 'node:assert/strict';
import type { Node } from '../../../../src/editor/lists/nodes';
import { RowChildren } from '../../../../src/editor/lists/rowChildren';

describe('the rows below a row', () => {
  const parent = rowOf('browser');
  /** Ends the readings in their order, each with one row of that id. */
  let answers: ((id: string) => void)[];
  let children: RowChildren<string>;

  beforeEach(() => {
    answers = [];
    children = new RowChildren<string>(
      () =>
        new Promise((resolve) => {
          answers.push((id) => {
            resolve(() => [rowOf(id)]);
          });
        }),
    );
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

  it('stay what they are while they are read again', async () => {
    await expand();
    const again = children.readAgain(parent, true);
    assert.deepEqual(await idsOf(), ['first']);
    answers[1]?.('second');
    assert.equal(await again, true);
    assert.deepEqual(await idsOf(), ['second']);
  });

  it('are those of the newest reading, also when an earlier one ends later', async () => {
    await expand();
    const earlier = children.readAgain(parent, true);
    const newest = children.readAgain(parent, true);
    answers[2]?.('newest');
    assert.equal(await newest, true);
    answers[1]?.('earlier');
    assert.equal(await earlier, false);
    assert.deepEqual(await idsOf(), ['newest']);
  });

  it('are read when they are drawn, where nobody sees them', async () => {
    await expand();
    assert.equal(await children.readAgain(parent, false), true);
    assert.equal(answers.length, 1);
    void children.of(parent);
    assert.equal(answers.length, 2);
  });

  it('are not read below a row that is not expanded, and not kept for one that was collapsed meanwhile', async () => {
    assert.equal(await children.readAgain(parent, true), false);
    assert.equal(answers.length, 0);
    await expand();
    const again = children.readAgain(parent, true);
    children.delete(parent.id);
    answers[1]?.('second');
    assert.equal(await again, false);
  });
});

function rowOf(id: string): Node<string> {
  return { id, label: id, description: '', tooltip: id, icon: '', spoken: id, contextValue: '', item: id };
}
