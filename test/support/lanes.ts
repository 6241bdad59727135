/** Something to run once it may. */
export interface LaneWork {
  /** Settles when it may begin; must not reject. */
  readonly ready: Promise<unknown>;
  /** Whether it mostly waits, for browsers or for time to pass: then it needs no core of its own. */
  readonly isIdle: boolean;
  /** Must not reject. */
  readonly run: () => Promise<void>;
}

/**
 * Runs work side by side: `lanes` pieces that need a core, and beside them one that mostly waits. Of what is ready, the
 * first in the list begins first. Resolves when all has run.
 */
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
    const isRoomFor = ({ isIdle }: LaneWork): boolean =>
      [...running].filter((other) => other.isIdle === isIdle).length < (isIdle ? 1 : lanes);
    for (const one of work) {
      void one.ready.then(() => {
        ready.add(one);
        begin();
      });
    }
    begin();
  });
}
