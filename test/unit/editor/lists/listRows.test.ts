import assert from 'node:assert/strict';
import { ListRows } from '../../../../src/editor/lists/listRows';
import { browserNode, type Node } from '../../../../src/editor/lists/nodes';
import type { Browser } from '../../../../src/service/model';
import { turnsDuring } from '../../../support/turns';
import { BROWSER, NOW } from './sampleBrowser';

const MANY: readonly Browser[] = Array.from({ length: 4000 }, (_, at) => ({ ...BROWSER, id: `s${at}` }));
const NO_ACTIONS = { canRetry: false, hasMore: false };

function rowOf(browser: Browser): Node<Browser> {
  return browserNode(browser, { role: 'none', now: NOW });
}

describe('the rows of a list', () => {
  it('are few: they are shown without a turn of the event loop', async () => {
    const rows = new ListRows<Browser>();
    assert.ok((await turnsDuring(() => rows.update(MANY.slice(0, 5), rowOf, NO_ACTIONS))).turns <= 1);
    assert.equal(rows.shown.length, 5);
  });

  it('are many: they are made with turns of the event loop in between, and shown together', async () => {
    const rows = new ListRows<Browser>();
    await rows.update(MANY, rowOf, NO_ACTIONS);
    const seen = new Set<string>();
    const target = (browser: Browser): Node<Browser> => {
      seen.add(rows.items[0]?.description ?? '');
      return browserNode(browser, { role: 'target', now: NOW });
    };
    const { turns, result } = await turnsDuring(() => rows.update(MANY.slice(0, 3999), target, NO_ACTIONS));
    assert.ok(turns > 2);
    assert.equal(seen.size, 1, 'no row has another text before all are there');
    assert.equal(result, undefined);
    assert.deepEqual([rows.items.length, rows.items.at(-1)?.description.startsWith('target')], [3999, true]);
  });

  it('are cleared at once, and what was being made is not shown any more', async () => {
    const rows = new ListRows<Browser>();
    const updating = rows.update(MANY, rowOf, { canRetry: true, hasMore: true });
    rows.clear();
    assert.deepEqual(await updating, []);
    assert.deepEqual([rows.items, rows.shown], [[], []]);
  });

  it('are the same objects after an update, which resolves to those with other texts', async () => {
    const rows = new ListRows<Browser>();
    const few = MANY.slice(0, 3);
    assert.equal(await rows.update(few, rowOf, NO_ACTIONS), undefined);
    const [first] = rows.items;
    const renamed = few.map((browser, at) => (at === 1 ? { ...browser, name: 'other' } : browser));
    assert.deepEqual(await rows.update(renamed, rowOf, NO_ACTIONS), [rows.items[1]]);
    assert.equal(rows.items[0], first);
    assert.equal(rows.items[1]?.label, 'other');
  });
});
