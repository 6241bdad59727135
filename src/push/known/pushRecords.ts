import type { LoopbackPorts } from '../../base/loopback';
import type { Aspect } from '../../manifest/aspects';
import type { Browser } from '../../service/model';
import type { PushOutcome } from '../pushRun';

/** An extension that a push has brought. */
export interface PushedExtension {
  name: string;
  version: string;
  extensionId: string;
}

/** What is known now about the last push to a browser that this program has pushed to. */
export interface PushRecord {
  /**
   * `running`: the extension was seen to run, and nothing was heard since that says otherwise. `unverified`: delivered, but not seen to
   * run. `failed`: the last push failed. `stopped`: the browser has ended, or no longer runs this build.
   */
  state: 'running' | 'unverified' | 'failed' | 'stopped';
  /** When the push ended, in milliseconds since the epoch. */
  at: number;
  /** Why it failed or stopped, as a sentence; empty when it runs. */
  reason: string;
  /** The reason in two or three words; empty when it runs. */
  label: string;
  /** Of the extension, as far as it is known. */
  name?: string;
  version?: string;
  extensionId?: string;
  /** Each by itself of several that were pushed together; `name` then has all of them. */
  together?: readonly PushedExtension[];
  /** The id of the one that no longer runs as it was pushed, of several or of the only one. */
  lacking?: string;
  /** Digest of the build. */
  digest?: string;
  /** Duration of the push, in milliseconds. */
  ms?: number;
  /** Whether it is the browser that has ended, not only what was pushed to it. */
  hasEnded?: boolean;
  /** Whether another program has pushed, after this one. */
  byOther?: boolean;
  /** What the manifest of the build does not have. */
  lacks?: readonly Aspect[];
}

/** The build that this program has put into a browser. */
export interface PushedBuild {
  /** The browser, as the service described it then. */
  browser: Browser;
  /** The extension folder that was pushed, absolute. */
  folder: string;
  /** The workspace folder that holds it and its sources, absolute. */
  root: string;
  extensionId: string;
  /** The extension's name, and what its manifest does not have, where that is known. */
  name?: string;
  lacks?: readonly Aspect[];
  /** The ports of development servers that the browser reaches now, whose code the build may run. */
  servers?: () => LoopbackPorts;
}

/** What is known of the browsers of one service, by their ids. */
class Book {
  readonly records = new Map<string, PushRecord>();
  readonly builds = new Map<string, PushedBuild>();
  /** Digests of the archives that each browser was last seen to run, by extension folder. */
  readonly digests = new Map<string, Map<string, string>>();
  /** How many errors the pushed extensions have had in each browser since, by the workspace folders of the builds. */
  readonly errors = new Map<string, ReadonlyMap<string, number>>();
  /** How many pushes run to each browser. */
  readonly running = new Map<string, number>();
}

/**
 * What runs where, by the pushes of this program and what was heard since: rows, status bar, history, tools and "nothing has changed" read it here.
 * Of the service in use; what is known of browsers of other services, which may have the same ids, is kept for when they are in use again.
 * Forgotten with the program.
 */
export class PushRecords {
  readonly #listeners = new Set<(browserId: string) => void>();
  readonly #books = new Map<string, Book>();

  /** `service` identifies the service in use. */
  constructor(private readonly service: () => string) {}

  /** Calls `listener` with the id of a browser whose record has changed, or to which a push has begun or ended, until that is disposed. */
  onDidChange(listener: (browserId: string) => void): { dispose: () => void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  get(browserId: string, service = this.service()): PushRecord | undefined {
    return this.#book(service).records.get(browserId);
  }

  /** `service`: whose browser it is; the service in use by default. */
  set(browserId: string, record: PushRecord, service = this.service()): void {
    this.#book(service).records.set(browserId, record);
    // A save without changes brings back what has stopped.
    if (record.state === 'stopped') this.dropDigests(browserId, service);
    this.#fire(browserId, service);
  }

  /** Digest of the archive of an extension folder that a browser was last seen to run; undefined when that is not known. */
  digest(browserId: string, folder: string, service = this.service()): string | undefined {
    return this.#book(service).digests.get(browserId)?.get(folder);
  }

  /** Notes how the push of a folder to a browser has ended, for {@link digest}. */
  noteOutcome(browserId: string, folder: string, outcome: PushOutcome, service = this.service()): void {
    const { digests } = this.#book(service);
    const ofBrowser = digests.get(browserId) ?? new Map<string, string>();
    digests.set(browserId, ofBrowser);
    if ('digest' in outcome) ofBrowser.set(folder, outcome.digest);
    else if (outcome.kind !== 'cancelled' && outcome.kind !== 'heldBack') ofBrowser.delete(folder);
  }

  /** What a browser runs is no longer known, for example because another program has delivered to it. */
  dropDigests(browserId: string, service: string): void {
    this.#book(service).digests.delete(browserId);
  }

  /** What this program has put into a browser last, also when a later push has failed. */
  build(browserId: string): PushedBuild | undefined {
    return this.#book().builds.get(browserId);
  }

  /**
   * The extension of the last push to a browser. After a failed push it is that of the previous build, which may still run. Undefined when this program
   * has pushed none.
   */
  pushed(browserId: string): Pick<PushedBuild, 'extensionId' | 'name' | 'lacks'> | undefined {
    const record = this.get(browserId);
    if (record?.extensionId !== undefined) return { ...record, extensionId: record.extensionId };
    return record?.state === 'failed' ? this.build(browserId) : undefined;
  }

  /** Another program has pushed the extension from another folder: where the files of the build are is not known. */
  dropBuild(browserId: string): void {
    this.#book().builds.delete(browserId);
  }

  get builds(): readonly PushedBuild[] {
    return [...this.#book().builds.values()];
  }

  /** Call it before `set`, which reports the change to others. `service`: whose browser it is. */
  setBuild(build: PushedBuild, service: string): void {
    this.#book(service).builds.set(build.browser.id, build);
  }

  /** Takes the descriptions over that the service in use gives of browsers now; another name is reported as a change. */
  follow(browsers: readonly Browser[]): void {
    const { builds } = this.#book();
    for (const browser of browsers) {
      const build = builds.get(browser.id);
      if (!build) continue;
      builds.set(browser.id, { ...build, browser });
      if (build.browser.name !== browser.name) this.#fire(browser.id);
    }
  }

  /** How many different errors all extensions that were pushed to a browser have had there since, warnings not counted. */
  errorsIn(browserId: string): number {
    return [...this.#errors(browserId).values()].reduce((sum, count) => sum + count, 0);
  }

  /** The same of those alone that were pushed from the workspace folder of the last build there; 0 where that is not known. */
  errorsOfLast(browserId: string): number {
    return this.#errors(browserId).get(this.build(browserId)?.root ?? '') ?? 0;
  }

  /** Notes how many errors the extensions in a browser have had, by the workspace folders of their builds. */
  setErrors(browserId: string, counts: ReadonlyMap<string, number>): void {
    const known = this.#errors(browserId);
    if (counts.size === known.size && [...counts].every(([root, count]) => known.get(root) === count)) return;
    this.#book().errors.set(browserId, counts);
    this.#fire(browserId);
  }

  /** Removes the record of a browser, for example because it was deleted. */
  delete(browserId: string): void {
    const { builds, digests, errors, records } = this.#book();
    for (const known of [builds, digests, errors]) known.delete(browserId);
    if (records.delete(browserId)) this.#fire(browserId);
  }

  /** Whether a push to the browser runs now. */
  isPushing(browserId: string): boolean {
    return this.#book().running.has(browserId);
  }

  /** Counts `act` as a push to these browsers of the service in use. */
  async during<T>(browserIds: readonly string[], act: () => Promise<T>): Promise<T> {
    const service = this.service();
    for (const id of browserIds) this.#count(id, 1, service);
    try {
      return await act();
    } finally {
      for (const id of browserIds) this.#count(id, -1, service);
    }
  }

  #errors(browserId: string): ReadonlyMap<string, number> {
    return this.#book().errors.get(browserId) ?? new Map<string, number>();
  }

  #book(service = this.service()): Book {
    const book = this.#books.get(service) ?? new Book();
    this.#books.set(service, book);
    return book;
  }

  /** Those who listen ask for what is known of a browser of the service in use. */
  #fire(browserId: string, service = this.service()): void {
    if (service !== this.service()) return;
    for (const listener of this.#listeners) listener(browserId);
  }

  #count(browserId: string, change: 1 | -1, service: string): void {
    const { running } = this.#book(service);
    const count = (running.get(browserId) ?? 0) + change;
    if (count > 0) running.set(browserId, count);
    else running.delete(browserId);
    this.#fire(browserId, service);
  }
}
