import { basename } from 'node:path';
import { type Clock, realClock } from '../base/clock';
import type { FolderPoll } from '../archive/folderPoll';
import { errorText } from '../agents/errorText';
import { SavedPushes, type SaveFolder } from '../push/turns/savedPushes';

/** What the pushes of a program that watches folders need of it. */
export interface BuildsHost {
  /** Whether all files are there that the manifest in a folder names: see {@link PushEngine.isComplete}. */
  readonly isComplete: (folder: string, written: readonly string[]) => Promise<boolean>;
  readonly push: (folder: string) => Promise<void>;
  /** Gets a sentence about a push that was not begun. */
  readonly warn: (reason: string) => void;
}

/** Pushes folders whenever something is written there, as the editor pushes builds. */
export class WrittenBuilds {
  readonly #pushes: SavedPushes<SaveFolder, { path: string }, { running: true[]; ended: never[] }>;
  /** The pushes that are under way. */
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly polls: readonly FolderPoll[],
    host: BuildsHost,
    clock: Clock = realClock,
  ) {
    this.#pushes = new SavedPushes(
      {
        settings: () => ({ pushOnSave: 'onBuild', pushOnAutoSave: false, delivery: 'auto' }),
        findExtension: ({ key }) => Promise.resolve({ path: key }),
        isWithoutExtension: () => false,
        hasUnsaved: () => false,
        // What a push leaves out, a poll leaves out, too.
        deliveredBy: () => Promise.resolve(() => true),
        isComplete: ({ path }, written) => host.isComplete(path, written),
        changed: () => undefined,
        findTargets: () => Promise.resolve({ running: [true], ended: [] }),
        push: async ({ path }) => {
          const push = host.push(path);
          this.#running.add(push);
          await push.finally(() => this.#running.delete(push));
        },
        showWaiting: () => undefined,
        warn: host.warn,
        endedText: () => '',
        offerStartAgain: () => Promise.resolve(),
        sentenceOf: (error) => errorText(error, 'person'),
      },
      clock,
    );
    for (const poll of polls) {
      poll.follow(this.#pushes.collectWrites({ key: poll.folder, name: basename(poll.folder) }));
    }
  }

  /** Resolves when all that was written until now is pushed, or is not going to be. */
  async untilPushed(): Promise<void> {
    await Promise.all(this.polls.map((poll) => poll.look()));
    await this.#pushes.untilPushed();
  }

  /** Begins no more pushes, and resolves when those that are under way have ended. */
  async end(): Promise<void> {
    for (const poll of this.polls) poll.dispose();
    this.#pushes.dispose();
    await Promise.allSettled(this.#running);
  }
}
