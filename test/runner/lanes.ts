/**
 * What runs beside what: items that need a core (`busy`), one that mostly waits for timeouts (`waiting`), and one that takes what the
 * others leave of the cores (`background`).
 */
export type LaneKind = 'busy' | 'waiting' | 'background';

/** Work that runs once it is ready. */
export interface LaneWork {
  /** Resolves when the work can begin; must not reject. */
  readonly ready: Promise<unknown>;
  readonly lane: LaneKind;
  /** Whether it takes longer than all others, so that a lane is kept for it until it begins: it would run alone at the end. */
  readonly isLongest?: boolean;
  /** Must not reject. */
  readonly run: () => Promise<void>;
}

/** How often it is asked whether there are more lanes now, in milliseconds. */
const RECHECK_MS = 5000;

/**
 * Runs work in parallel: one item in the background, one that waits, and as many others as there are `lanes` when they would begin, of which one lane
 * is kept for the longest of all until it begins. Ready items begin in the order of the list. Resolves when all have run.
 */
export function runInLanes(work: readonly LaneWork[], lanes: () => number): Promise<void> {
  const waiting = [...work];
  const ready = new Set<LaneWork>();
  const running = new Set<LaneWork>();
  return new Promise((resolve) => {
    const rechecking = setInterval(() => begin(), RECHECK_MS);
    const begin = (): void => {
      for (const next of [...waiting]) {
        if (!ready.has(next) || !isRoomFor(next)) continue;
        waiting.splice(waiting.indexOf(next), 1);
        running.add(next);
        void next.run().then(() => {
          running.delete(next);
          // What waited for its end becomes ready first, and may stand before others in the list.
          setImmediate(begin);
        });
      }
      if (waiting.length > 0 || running.size > 0) return;
      clearInterval(rechecking);
      resolve();
    };
    const isRoomFor = ({ lane, isLongest }: LaneWork): boolean => {
      const beside = [...running].filter((other) => other.lane === lane).length;
      if (lane !== 'busy') return beside === 0;
      const keptForLongest = isLongest ? 0 : waiting.filter((other) => other.isLongest).length;
      // What the longest waits for must have one in any case.
      return beside < Math.max(1, lanes() - keptForLongest);
    };
    for (const one of work) {
      void one.ready.then(() => {
        ready.add(one);
        begin();
      });
    }
    begin();
  });
}
