import type { Clock, Timer } from '../../base/clock';
import { viewScale, type ShownSize } from '../../screen/pageSizes';
import type { CDPSession } from '../protocol/connect';

/**
 * After which the size is given again when the pictures still have another one, in milliseconds, each time after twice as long; and how often at
 * most, for another client that gives the page a size, too: the last time 38 s after the first.
 */
const RESTORE_MS = 300;
const MOST_RESTORES = 7;

/** The size of a page's view, in pixels. */
interface ViewSize {
  width: number;
  height: number;
}

/** The size that a page has been given in place of its window's, as long as its session lasts. */
export class PageSize {
  #size: ShownSize | undefined;
  #restore: Timer | undefined;
  #restores = 0;
  /** The last view that the browser gave in place of this size, as long as that was not right since. */
  #other: ViewSize | undefined;
  /** The view of the size before this one. */
  #before: ViewSize | undefined;

  /** `requestFrame` has the browser send a picture of the page as it is. */
  constructor(
    private readonly session: CDPSession,
    private readonly clock: Clock,
    private readonly requestFrame: () => void,
  ) {}

  /** How many pixels the view of the page has for each CSS pixel of its size. */
  get scale(): number {
    return viewScale(this.#size);
  }

  /**
   * Shows the page in another size than its window's; in the window's again for undefined. So that the display does not blur the picture, the view is
   * made larger, and the page in it, which notices nothing (C-FRAME-PIXELS).
   */
  async set(size: ShownSize | undefined): Promise<void> {
    this.#before = this.#view();
    this.#size = size;
    this.#settle();
    this.#restoreLater();
    await this.#send();
  }

  /**
   * To be called with the size of the page's view in each frame. Where the browser lays out its window, as for a side panel, it gives the view
   * another size and tells nobody (C-VIEW-LAYOUT): then the size is given again.
   */
  noteView(view: ViewSize): void {
    const wanted = this.#view();
    if (!wanted) {
      // Any view can be that of the window; a frame with the size of before may have been under way.
      if (this.#restores > 0 || !this.#before || !isNear(view, this.#before)) this.#settle();
      return;
    }
    if (isNear(view, wanted)) {
      this.#settle();
      return;
    }
    // A panel that slides in is laid out several times, the last time after seconds in a busy browser.
    if (this.#other && !isNear(view, this.#other)) this.#settle();
    this.#other = view;
    // Frames that were under way still have the size of before.
    if (!this.#restore) this.#restoreLater();
  }

  /** Gives the size no more until another view is noted. */
  #settle(): void {
    this.#restore?.clear();
    this.#restore = undefined;
    this.#restores = 0;
    this.#other = undefined;
  }

  /**
   * Also without a frame: after one change of the size on another, Chromium may send none, and keep the size that it had in between (C-VIEW-CHANGES).
   * A page that is not drawn again has none, either, while a busy browser may still lay out its window.
   */
  #restoreLater(): void {
    if (this.#restores >= MOST_RESTORES) return;
    this.#restore = this.clock
      .after(RESTORE_MS * 2 ** this.#restores, () => {
        this.#restores += 1;
        // The first answer to a frame of another size is a frame of this one, which need not be requested.
        const isAnswered = this.#restores === 1 && this.#other !== undefined;
        const sent = this.#send().catch(() => undefined);
        // The view may have its size by now, without a frame: the page is not drawn again where it has kept its own.
        if (!isAnswered) void sent.then(() => this.#restore && this.requestFrame());
        this.#restoreLater();
      })
      .unref();
  }

  dispose(): void {
    this.#size = undefined;
    this.#restore?.clear();
  }

  /** What the view of the page is to have, in pixels. */
  #view(): ViewSize | undefined {
    if (!this.#size) return undefined;
    const { width, height } = this.#size;
    return { width: Math.round(width * this.scale), height: Math.round(height * this.scale) };
  }

  async #send(): Promise<void> {
    const view = this.#view();
    if (!this.#size || !view) {
      await this.session.send('Emulation.clearDeviceMetricsOverride');
      return;
    }
    const { width, height, ratio } = this.#size;
    const metrics = { width, height, deviceScaleFactor: ratio, mobile: false };
    if (this.scale === 1) {
      await this.session.send('Emulation.setDeviceMetricsOverride', metrics);
      return;
    }
    const larger = { ...metrics, scale: this.scale, dontSetVisibleSize: true };
    await Promise.all([
      this.session.send('Emulation.setDeviceMetricsOverride', larger),
      this.session.send('Emulation.setVisibleSize', view),
    ]);
  }
}

function isNear(one: ViewSize, other: ViewSize): boolean {
  return Math.abs(one.width - other.width) <= 1 && Math.abs(one.height - other.height) <= 1;
}
