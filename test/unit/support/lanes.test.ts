import assert from 'node:assert/strict';
import { runInLanes, type LaneKind, type LaneWork } from '../../support/lanes';

/** Work that ends when it is told to. */
interface Held extends LaneWork {
  readonly end: () => void;
}

describe('runInLanes', () => {
  it('runs as many busy items as there are lanes, beside one that waits and one in the background', async () => {
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
    const late = new Promise<void>((resolve) => (release = resolve));
    const work = [
      held('late', 'busy', late),
      ...['a', 'b', 'c'].map((name) => held(name, 'busy')),
      ...['d', 'e'].map((name) => held(name, 'waiting')),
      ...['f', 'g'].map((name) => held(name, 'background')),
    ];
    const [, a, b] = work;
    const all = runInLanes(work, 2);
    const now = async (): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...running].sort().join('');
    };
    assert.equal(await now(), 'abdf');
    release();
    a?.end();
    assert.equal(await now(), 'bdflate');
    b?.end();
    assert.equal(await now(), 'cdflate');
    for (const { end } of work) end();
    await all;
    assert.equal(await now(), '');
  });
});
