import { EventEmitter, type Disposable } from 'vscode';
import type { BuildFolders } from '../../console/errorSpots';
import type { Aspect } from '../../manifest/aspects';
import type { Browser } from '../../service/model';

/** What is known now about the last push to a browser that this window has pushed to. */
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
  /** Digest of the build. */
  digest?: string;
  /** Duration of the push, in milliseconds. */
  ms?: number;
  /** Whether it is the browser that has ended, not only what was pushed to it. */
  hasEnded?: boolean;
  /** Whether another program has pushed, after this window. */
  byOther?: boolean;
  /** What the manifest of the build does not have. */
  lacks?: readonly Aspect[];
}

/** The build that this window has put into a browser. */
export interface PushedBuild extends BuildFolders {
  /** The browser, as the service described it then. */
  browser: Browser;
}

/** What is known of the browsers of one service, by their ids. */
class Book {
  readonly records = new Map<string, PushRecord>();
  readonly builds = new Map<string, PushedBuild>();
  /** How many errors the pushed extension has had in each browser since. */
  readonly errors = new Map<string, number>();
  /** How many pushes run to each browser. */
  readonly running = new Map<string, number>();
}

/**
 * The last push of this window to each browser of the service in use. What is known of those of other services, which may have the same ids, is
 * kept for when they are in use again. Forgotten with the window.
 */
export class PushRecords implements Disposable {
  readonly #changed = new EventEmitter<string>();
  /** Fires with the id of the browser whose record has changed, or to which a push has begun. */
  readonly onDidChange = this.#changed.event;
  readonly #books = new Map<string, Book>();

  /** `service` identifies the service in use. */
  constructor(private readonly service: () => string) {}

  get(browserId: string): PushRecord | undefined {
    return this.#book().records.get(browserId);
  }

  /** `service`: whose browser it is; the service in use by default. */
  set(browserId: string, record: PushRecord, service = this.service()): void {
    this.#book(service).records.set(browserId, record);
    this.#fire(browserId, service);
  }

  /** What this window has put into a browser last, also when a later push has failed. */
  build(browserId: string): PushedBuild | undefined {
    return this.#book().builds.get(browserId);
  }

  /** Another program has pushed the extension from another folder: where the files of the build are is not known. */
  dropBuild(browserId: string): void {
    this.#book().builds.delete(browserId);
  }

  get builds(): readonly PushedBuild[] {
    return [...this.#book().builds.values()];
  }

  /** The workspace folders of all builds, in browsers of whichever service. */
  get roots(): ReadonlySet<string> {
    return new Set([...this.#books.values()].flatMap(({ builds }) => [...builds.values()].map(({ root }) => root)));
  }

  /** Call it before `set`, which tells others of the change. `service`: whose browser it is; the service in use by default. */
  setBuild(build: PushedBuild, service = this.service()): void {
    this.#book(service).builds.set(build.browser.id, build);
  }

  /** Takes the descriptions over that the service gives of browsers now. */
  follow(browsers: readonly Browser[]): void {
    const { builds } = this.#book();
    for (const browser of browsers) {
      const build = builds.get(browser.id);
      if (build) builds.set(browser.id, { ...build, browser });
    }
  }

  /** How many different errors the pushed extension has had in a browser since, warnings not counted. */
  errorsOf(browserId: string): number {
    return this.#book().errors.get(browserId) ?? 0;
  }

  setErrors(browserId: string, count: number): void {
    const { errors } = this.#book();
    if (count === this.errorsOf(browserId)) return;
    if (count === 0) errors.delete(browserId);
    else errors.set(browserId, count);
    this.#changed.fire(browserId);
  }

  /** Removes the record of a browser, for example because it was deleted. */
  delete(browserId: string): void {
    const { builds, records } = this.#book();
    builds.delete(browserId);
    if (records.delete(browserId)) this.#changed.fire(browserId);
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

  dispose(): void {
    this.#changed.dispose();
  }

  #book(service = this.service()): Book {
    const book = this.#books.get(service) ?? new Book();
    this.#books.set(service, book);
    return book;
  }

  /** Those who listen ask for what is known of a browser of the service in use. */
  #fire(browserId: string, service: string): void {
    if (service === this.service()) this.#changed.fire(browserId);
  }

  #count(browserId: string, change: 1 | -1, service: string): void {
    const { running } = this.#book(service);
    const count = (running.get(browserId) ?? 0) + change;
    if (count > 0) running.set(browserId, count);
    else running.delete(browserId);
    this.#fire(browserId, service);
  }
}
