import { keyInService } from '../service/keyInService';

/** What the person is asked about a call of an agent. */
export interface Question {
  /** The id of the browser that the call reaches. */
  browser: string;
  /** Whether it is also about pages that agents do not see otherwise: files of this machine, pages of Chromium, other extensions. */
  isOfAllPages: boolean;
}

/** What the person has allowed agents in this window, and what they were asked for calls that have not begun. */
export class Consent {
  readonly #browsers = new Set<string>();
  readonly #allPages = new Set<string>();
  /** By the call: VS Code does not say which question a call was confirmed by. */
  readonly #asked = new Map<string, Question[]>();

  /** `service` identifies the service in use: what was allowed in a browser is not allowed in one of another service with the same id. */
  constructor(private readonly service: () => string) {}

  isAllowed(browser: string): boolean {
    return this.#browsers.has(this.#keyOf(browser));
  }

  maySeeAllPages(browser: string): boolean {
    return this.#allPages.has(this.#keyOf(browser));
  }

  /** The person is asked before a call. */
  ask(call: string, question: Question): void {
    const { isOfAllPages } = question;
    const asked = { browser: this.#keyOf(question.browser), isOfAllPages };
    this.#asked.set(call, [...(this.#asked.get(call) ?? []), asked]);
  }

  /** Nothing is asked before a call: what the person was asked for an equal one before, and has refused, says nothing of this one. */
  askNothing(call: string): void {
    this.#asked.delete(call);
  }

  /**
   * A call begins, so that whatever the person was asked for it is confirmed. Returns whether the call may reach the browser: one that was
   * allowed before, or the one that the person was asked about. A call for which they were asked about several is not.
   */
  begin(call: string, browser: string): boolean {
    const asked = this.#asked.get(call) ?? [];
    this.#asked.delete(call);
    const key = this.#keyOf(browser);
    const isSame = asked.length > 0 && asked.every((question) => question.browser === key);
    if (!isSame) return this.isAllowed(browser);
    this.#browsers.add(key);
    if (asked.every(({ isOfAllPages }) => isOfAllPages)) this.#allPages.add(key);
    return true;
  }

  #keyOf(browser: string): string {
    return keyInService(this.service(), browser);
  }
}
