import { randomBytes } from 'node:crypto';
import type { Logger } from '../../service/logger';
import { type BrowserKey, browserKey } from '../../service/browserKey';
import { takeTurn, type Turn } from './browserTurn';
import { type DeliveryNote, isSame, readNotes, watchNotes, writeNote } from './deliveryNotes';
import type { BrowserOutcome } from '../pushRun';
import { browserFolder, sharedFolder, sweep } from './sharedFolder';

/** The turn where the disk keeps nothing: programs then find out afterwards what others have done. */
const NO_TURN: Turn = { end: () => Promise.resolve() };

/** How long a delivery that runs is waited for, in milliseconds: one may wait for the answer of a person. */
const SETTLE_LIMIT_MS = 10_000;

/** The last delivery of an extension. */
export interface PastDelivery extends DeliveryNote {
  /** Whether this engine has delivered it, not another program. */
  isOwn: boolean;
}

/**
 * What this engine and the engines of other programs of the user, other windows above all, know of each other: they deliver to a browser one
 * after another, and note what they have delivered. Without a folder to write to, it knows nothing of them, and no push fails for it.
 */
export class OtherPrograms {
  readonly #shared = sharedFolder();
  /** This engine in notes. */
  readonly #engine = randomBytes(8).toString('hex');
  /** The mark of the last notes that were seen. */
  readonly #marks = new Map<BrowserKey, string>();
  #isSwept = false;

  constructor(private readonly log: Logger) {}

  /** Waits for the turn to deliver to a browser; see {@link takeTurn}. Rejects with the signal's reason only. */
  async turn(browser: BrowserKey, onWait: () => void, signal?: AbortSignal): Promise<Turn> {
    try {
      const turn = await takeTurn(await browserFolder(this.#shared, browser), onWait, signal);
      this.#sweepOnce();
      return turn;
    } catch (error) {
      signal?.throwIfAborted();
      this.log.debug(`Pushes of other programs are not waited for: ${String(error)}`);
      return NO_TURN;
    }
  }

  /** Whether another program has delivered to the browser since this was asked last, or since the last `note`. Never rejects. */
  async haveDelivered(browser: BrowserKey): Promise<boolean> {
    const notes = await this.#read(browser);
    const known = this.#marks.get(browser);
    if (notes) this.#marks.set(browser, notes.mark);
    return notes !== undefined && notes.mark !== known;
  }

  /** Notes how a delivery to a browser of the service at `baseUrl` has ended, if it may have changed what runs. Never rejects. */
  async note(baseUrl: URL, { browser, folder, outcome, archive, isForAll }: BrowserOutcome): Promise<void> {
    if (
      !archive ||
      isForAll ||
      outcome.kind === 'cancelled' ||
      outcome.kind === 'unchanged' ||
      outcome.kind === 'heldBack'
    )
      return;
    const key = browserKey(baseUrl, browser.id);
    const { name, version, digest } = archive;
    const extensionId = 'extensionId' in outcome ? { extensionId: outcome.extensionId } : {};
    const note = {
      name,
      version,
      digest,
      folder,
      outcome: outcome.kind,
      ...extensionId,
      at: Date.now(),
      engine: this.#engine,
    };
    try {
      this.#marks.set(key, await writeNote(await browserFolder(this.#shared, key), note));
    } catch (error) {
      this.log.debug(`The push is not noted for other programs: ${String(error)}`);
    }
  }

  /** The last delivery of an extension to a browser, if it was by another program and after `since`. Never rejects. */
  async lastOf(
    browser: BrowserKey,
    extension: { name?: string; extensionId?: string },
    since: number,
  ): Promise<DeliveryNote | undefined> {
    const found = (await this.#read(browser))?.notes.find((note) => isSame(note, extension));
    return found && found.engine !== this.#engine && found.at > since ? found : undefined;
  }

  /** The last delivery of each extension to a browser, and whether it was by this engine. Never rejects. */
  async deliveries(browser: BrowserKey): Promise<readonly PastDelivery[]> {
    const notes = (await this.#read(browser))?.notes ?? [];
    return notes.map((note) => ({ ...note, isOwn: note.engine === this.#engine }));
  }

  /** As {@link deliveries}, once those that run now have ended, or after {@link SETTLE_LIMIT_MS}. Never rejects. */
  async settledDeliveries(browser: BrowserKey, signal: AbortSignal): Promise<readonly PastDelivery[]> {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_LIMIT_MS)]);
    const turn = await this.turn(browser, () => undefined, ended).catch(() => NO_TURN);
    const deliveries = await this.deliveries(browser);
    await turn.end();
    return deliveries;
  }

  /** Calls `onChange` after each delivery to a browser, also by this program. Resolves to what ends that. Never rejects. */
  async watch(browser: BrowserKey, onChange: () => void): Promise<() => void> {
    try {
      return watchNotes(await browserFolder(this.#shared, browser), onChange);
    } catch (error) {
      this.log.debug(`Pushes of other programs are not reported: ${String(error)}`);
      return () => undefined;
    }
  }

  async #read(browser: BrowserKey): ReturnType<typeof readNotes> {
    try {
      return await readNotes(await browserFolder(this.#shared, browser));
    } catch {
      return undefined;
    }
  }

  #sweepOnce(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    void sweep(this.#shared);
  }
}
