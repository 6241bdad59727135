import assert from 'node:assert/strict';
import { Notice } from '../../../src/editor/notice';
import { PauseNotice } from '../../../src/editor/push/pauseNotice';
import { TestClock } from '../../support/testClock';

/** Texts that are open, in the order in which they were opened. */
function opened(): { open: Set<string>; show: (text: string) => () => void } {
  const open = new Set<string>();
  const show = (text: string): (() => void) => {
    open.add(text);
    return () => void open.delete(text);
  };
  return { open, show };
}

describe('a notice', () => {
  it('says one thing at a time, as long as it holds', () => {
    const { open, show } = opened();
    const notice = new Notice(show);
    notice.show('one');
    notice.show('two');
    assert.deepEqual([...open], ['two']);
    notice.withdraw();
    assert.deepEqual([[...open], notice.text], [[], undefined]);
  });

  it('is not repeated, since the user may have closed it, unless that is wanted', () => {
    let count = 0;
    const notice = new Notice(() => {
      count += 1;
      return () => undefined;
    });
    notice.show('one');
    notice.show('one');
    assert.equal(count, 1);
    notice.show('one', { mustShow: true });
    assert.equal(count, 2);
  });

  it('ends after its time, and a later one has a time of its own', async () => {
    const clock = new TestClock();
    const { open, show } = opened();
    const notice = new Notice(show, clock);
    notice.show('one', { forMs: 100 });
    await clock.advance(60);
    notice.show('two', { forMs: 100 });
    await clock.advance(60);
    assert.deepEqual([...open], ['two']);
    await clock.advance(60);
    assert.deepEqual([...open], []);
  });
});

describe('the notice of a worker that a debugger has paused', () => {
  /** A debugger that has paused the worker of the extension `x`, until it goes on. */
  class Pause {
    isPaused = (extensionId: string): boolean => extensionId === 'x' && this.isOn;
    isOn = true;
    readonly #listeners = new Set<() => void>();
    onChange = (listener: () => void): (() => void) => {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    };
    get listeners(): number {
      return this.#listeners.size;
    }
    goOn(): void {
      this.isOn = false;
      for (const listener of this.#listeners) listener();
    }
  }

  let clock: TestClock;
  let open: Set<string>;
  let notice: PauseNotice;
  let pause: Pause;
  beforeEach(() => {
    clock = new TestClock();
    const window = opened();
    ({ open } = window);
    notice = new PauseNotice(window.show, clock);
    pause = new Pause();
  });

  it('is not shown for the moments in which a debugger that attaches reads source maps', async () => {
    notice.show('paused', 'x', pause);
    await clock.advance(1000);
    pause.goOn();
    await clock.advance(10_000);
    assert.deepEqual([...open], []);
  });

  it('is shown while a pause lasts, and no longer', async () => {
    notice.show('paused', 'x', pause);
    await clock.advance(2000);
    assert.deepEqual([...open], ['paused']);
    pause.goOn();
    assert.deepEqual([[...open], pause.listeners, clock.pending], [[], 0, 0]);
  });

  it('goes with the next push, shown or not', async () => {
    notice.show('one', 'x', pause);
    await clock.advance(2000);
    notice.show('two', 'x', pause);
    assert.deepEqual([...open], []);
    notice.withdraw();
    await clock.advance(2000);
    assert.deepEqual([[...open], pause.listeners], [[], 0]);
  });
});
