import type { BrowserService } from './browserService';

/** The concurrency limits of services, of which each is asked until it has answered: the limit is the account's and lasts. */
export class ConcurrencyLimits {
  readonly #answers = new WeakMap<BrowserService, number | undefined>();

  /**
   * The most browsers that may run at the same time; undefined where the service reports no limit. Rejects as the request does, with the
   * signal's reason for example: the next call asks again.
   */
  async of(service: BrowserService, signal?: AbortSignal): Promise<number | undefined> {
    if (!this.#answers.has(service)) this.#answers.set(service, await service.concurrencyLimit(signal));
    return this.#answers.get(service);
  }
}
