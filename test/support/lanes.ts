/**
 * What runs beside what: up to `lanes` items that need a core (`busy`), one that mostly waits for timeouts (`waiting`), and one that
 * takes what the others leave of the cores (`background`).
 */
export type LaneKind = 'busy' | 'waiting' | 'background';

/** Work that runs once it is ready. */
export interface LaneWork {
  /** Resolves when the work can begin; must not reject. */
  readonly ready: Promise<unknown>;
  readonly lane: LaneKind;
  /** Must not reject. */
  readonly run: () => Promise<void>;
}

/** Runs work in parallel, with `lanes` busy items at a time. Ready items begin in the order of the list. Resolves when all have run. */
export function runInLanes(work: readonly LaneWork[], lanes: number): Promise<void> {
  const waiting = [...work];
  const ready = new Set<LaneWork>();
  const running = new Set<LaneWork>();
  return new Promise((resolve) => {
    const begin = (): void => {
      for (const next of [...waiting]) {
        if (!ready.has(next) || !isRoomFor(next)) continue;
        waiting.splice(waiting.indexOf(next), 1);
        running.add(next);
        void next.run().then(() => {
          running.delete(next);
          begin();
        });
      }
      if (waiting.length === 0 && running.size === 0) resolve();
    };
    const isRoomFor = ({ lane }: LaneWork): boolean =>
      [...running].filter((other) => other.lane === lane).length < (lane === 'busy' ? lanes : 1);
    for (const one of work) {
      void one.ready.then(() => {
        ready.add(one);
        begin();
      });
    }
    begin();
  });
}
