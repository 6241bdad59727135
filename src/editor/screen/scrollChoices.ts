import { viewScale, type ShownSize } from '../../screen/pageSizes';
import { pointOn } from '../../screen/rememberedState';
import type { Modifier, Point, Screen } from '../../screen/protocol';
import { type Browser } from '../../service/model';
import { DEFAULT_VIEWPORT } from '../../service/interface';

/** Where the wheel is turned, and which keys are held meanwhile. */
export interface ScrollChoice {
  point: Point;
  hold: readonly Modifier[];
}

/** The choices of a window. Forgotten with it. */
export class AllChoices {
  readonly #all = new Map<string, ScrollChoices>();

  /** Those for the browsers of a service: another one may have browsers of the same ids. `service`: see `ServiceConnection.key`. */
  of(service: string): ScrollChoices {
    const choices = this.#all.get(service) ?? new ScrollChoices();
    this.#all.set(service, choices);
    return choices;
  }
}

/** The choices for each browser of a service, made in its panel or by commands. */
export class ScrollChoices {
  readonly #choices = new Map<string, ScrollChoice>();
  /** The sizes of pages that a screen shows in another size than their window's. */
  readonly #sizes = new Map<string, ShownSize>();

  /** The choice for a browser, with the point inside its screen; at first the centre, without keys. */
  get(browser: Browser): ScrollChoice {
    const choice = this.#choices.get(browser.id);
    return { point: pointOn(this.screenOf(browser), choice?.point), hold: choice?.hold ?? [] };
  }

  set(browser: Browser, choice: Partial<ScrollChoice>): void {
    this.#choices.set(browser.id, { ...this.get(browser), ...choice });
  }

  /** A screen shows the page of a browser in a size; in that of the browser's window again for undefined. */
  showIn(browserId: string, size: ShownSize | undefined): void {
    if (size) this.#sizes.set(browserId, size);
    else this.#sizes.delete(browserId);
  }

  /**
   * The part of a browser's page that is on its screen, in CSS pixels of the size that the page has: nothing can be done through the service at a point
   * outside of it.
   */
  screenOf(browser: Browser): Screen {
    const { width, height } = browser.viewport ?? DEFAULT_VIEWPORT;
    const shown = this.#sizes.get(browser.id);
    const scale = viewScale(shown);
    return shown
      ? {
          width: Math.min(Math.floor(width / scale), shown.width),
          height: Math.min(Math.floor(height / scale), shown.height),
        }
      : { width, height };
  }

  /** The whole page of a browser, in CSS pixels of the size that it has. */
  pageOf({ id, viewport }: Browser): Screen {
    const { width, height } = this.#sizes.get(id) ?? viewport ?? DEFAULT_VIEWPORT;
    return { width, height };
  }

  /** The pixel of a browser's screen at a point of its page, as the service takes it. */
  pixelAt({ id }: Browser, { x, y }: Point): Point {
    const scale = viewScale(this.#sizes.get(id));
    return { x: Math.floor(x * scale), y: Math.floor(y * scale) };
  }
}
