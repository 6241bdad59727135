import type { ShownSize } from '../../screen/pageSizes';
import type { HostMessage } from '../../screen/protocol';
import type { Browser } from '../../service/model';
import type { ScrollChoices } from './scrollChoices';

/** What {@link PagePart} needs of a panel. */
export interface PagePartOptions {
  /** Of the service of its browser. */
  choices: () => ScrollChoices;
  browser: () => Browser | undefined;
  /** Sends a message to the page of the panel, when there is one. */
  post: (message: HostMessage) => Promise<void>;
}

/** The part of a browser's screen that its page takes, as long as a panel shows the page in another size than its window's. */
export class PagePart {
  /** Takes the size back. */
  #forget: () => void = () => undefined;

  constructor(private readonly options: PagePartOptions) {}

  /** Points of the browser's screen are those of its page in the size that it has now; undefined: that of its window. */
  async note(size: ShownSize | undefined): Promise<void> {
    const browser = this.options.browser();
    if (!browser) return;
    const choices = this.options.choices();
    const before = choices.screenOf(browser);
    this.forget();
    if (size) {
      choices.showIn(browser.id, size);
      this.#forget = () => choices.showIn(browser.id, undefined);
    }
    const screen = choices.screenOf(browser);
    if (screen.width === before.width && screen.height === before.height) return;
    await this.options.post({ kind: 'screen', screen, point: choices.get(browser).point });
  }

  /** The page has the size of its window again. */
  forget(): void {
    this.#forget();
    this.#forget = () => undefined;
  }
}
