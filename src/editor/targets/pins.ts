import type { Browser } from '../../service/model';
import type { ServiceWiring } from '../service/connection';
import { Choice } from './rememberedChoice';
import { remembered, renamed, restored, stored, type RememberedBrowser, type StoredBrowser } from './remembered';

/** The browsers that pushes of this workspace go to together, instead of the one target. Remembered per workspace. */
export class PushPins extends Choice<readonly StoredBrowser[]> {
  constructor(wiring: ServiceWiring) {
    super('pinned', wiring);
  }

  get browsers(): readonly RememberedBrowser[] {
    return (this.chosen ?? []).map(restored);
  }

  get isEmpty(): boolean {
    return this.browsers.length === 0;
  }

  has(browserId: string): boolean {
    return this.browsers.some((pin) => pin.browserId === browserId);
  }

  async add(browser: Browser): Promise<void> {
    if (!this.has(browser.id)) await this.#replace([...this.browsers, remembered(browser)]);
  }

  async remove(browserId: string): Promise<void> {
    if (this.has(browserId)) await this.#replace(this.browsers.filter((pin) => pin.browserId !== browserId));
  }

  /** Pins another browser in the place of a pinned one. */
  async exchange(browserId: string, browser: Browser): Promise<void> {
    await this.#replace(this.browsers.map((pin) => (pin.browserId === browserId ? remembered(browser) : pin)));
  }

  /** Pins these browsers and no others. */
  async replace(browsers: readonly Browser[]): Promise<void> {
    if (browsers.length > 0 || !this.isEmpty) await this.#replace(browsers.map(remembered));
  }

  /** Takes the names over that the service gives pinned browsers now, which are among these. */
  async follow(browsers: readonly Browser[]): Promise<void> {
    const now = renamed(this.browsers, browsers);
    if (now) await this.describe(now.map(stored));
  }

  async #replace(now: readonly RememberedBrowser[]): Promise<void> {
    await this.choose(now.map(stored));
  }
}
