import assert from 'node:assert/strict';
import { runInLanes, type LaneKind, type LaneWork } from '../../runner/lanes';

/** Work that ends when it is told to. */
interface Held extends LaneWork {
  readonly end: () => void;
}

describe('runInLanes', () => {
  it('keeps a lane for the longest work until that begins', async () => {
    const running = new Set<string>();
    const ends = new Map<string, () => void>();
    const work = (name: string, ready: Promise<unknown>, isLongest = false): LaneWork => {
      const run = async (): Promise<void> => {
        running.add(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.delete(name);
      };
      return { ready, lane: 'busy', isLongest, run };
    };
    let prepare = (): void => undefined;
    const prepared = new Promise<void>((resolve) => (prepare = resolve));
    const now = Promise.resolve();
    const all = runInLanes([work('long', prepared, true), work('a', now), work('b', now), work('c', now)], () => 2);
    const seen = async (): Promise<string> => {
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      return [...running].sort().join(' ');
    };
    assert.equal(await seen(), 'a');
    prepare();
    assert.equal(await seen(), 'a long');
    for (const [ended, next] of [
      ['a', 'b long'],
      ['b', 'c long'],
      ['long', 'c'],
      ['c', ''],
    ] as const) {
      ends.get(ended)?.();
      assert.equal(await seen(), next);
    }
    await all;
  });

  it('runs one item that waits and one in the background beside all lanes', async () => {
    const running = new Set<string>();
    const held = (name: string, lane: LaneKind, ready: Promise<unknown> = Promise.resolve()): Held => {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const run = async (): Promise<void> => {
        running.add(name);
        await ended;
        running.delete(name);
      };
      return { ready, lane, run, end };
    };
    let release = (): void => undefined;
    // The readiness of a suite that needs another one resolves several promises later.
    const late = Promise.all([Promise.all([new Promise<void>((resolve) => (release = resolve))])]);
    const work = [
      held('late', 'busy', late),
      ...['a', 'b', 'c', 'h', 'i'].map((name) => held(name, 'busy')),
      ...['d', 'e'].map((name) => held(name, 'waiting')),
      ...['f', 'g'].map((name) => held(name, 'background')),
    ];
    const [, a, b, , , , d, e] = work;
    const all = runInLanes(work, () => 2);
    const now = async (): Promise<string> => {
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      return [...running].sort().join('');
    };
    assert.equal(await now(), 'abdf');
    release();
    a?.end();
    assert.equal(await now(), 'bdflate');
    b?.end();
    assert.equal(await now(), 'cdflate');
    d?.end();
    assert.equal(await now(), 'ceflate');
    e?.end();
    assert.equal(await now(), 'cflate');
    for (const { end } of work) end();
    await all;
    assert.equal(await now(), '');
  });

  it('asks how many lanes there are whenever something may begin', async () => {
    const ends: (() => void)[] = [];
    const run = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const work = ['a', 'b', 'c'].map((): LaneWork => ({ ready: Promise.resolve(), lane: 'busy', run }));
    const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    let lanes = 1;
    const all = runInLanes(work, () => lanes);
    await turn();
    assert.equal(ends.length, 1);
    lanes = 2;
    ends[0]?.();
    await turn();
    assert.equal(ends.length, 3);
    for (const end of ends) end();
    await all;
  });

  it('has a lane for others, also when all are kept: the longest may need them', async () => {
    const order: string[] = [];
    const done = (
      name: string,
      ready: Promise<unknown>,
      more: Partial<LaneWork> = {},
    ): LaneWork & { ended: Promise<void> } => {
      let settle = (): void => undefined;
      const ended = new Promise<void>((resolve) => (settle = resolve));
      const run = (): Promise<void> => {
        order.push(name);
        settle();
        return Promise.resolve();
      };
      return { ready, lane: 'busy', run, ended, ...more };
    };
    let end = (): void => undefined;
    const waiting: LaneWork = {
      ready: Promise.resolve(),
      lane: 'waiting',
      run: () => new Promise<void>((resolve) => (end = resolve)),
    };
    const needed = done('needed', Promise.resolve());
    const longest = done('longest', needed.ended, { isLongest: true });
    const all = runInLanes([waiting, needed, longest], () => 1);
    await longest.ended;
    end();
    await all;
    assert.deepEqual(order, ['needed', 'longest']);
  });
});
