import { LatestRun } from '../../base/latestRun';

/** How long after the last change the picture is taken, so that smooth scrolling has come to rest, in milliseconds. */
const SETTLE_MS = 150;

/** When it is taken once more, since menus and prompts of a browser slide in, in milliseconds. */
const AGAIN_MS = 1200;

export interface StillPictureOptions {
  /** Whether a picture is of use now. */
  isWanted: () => boolean;
  /** Takes a picture and shows it. */
  take: () => Promise<void>;
  onFailure: (error: unknown) => Promise<void>;
}

/** The still pictures of a screen without a live one: one at a time, and a wish during one is fulfilled after it. */
export class StillPicture {
  #timers: NodeJS.Timeout[] = [];
  readonly #takes = new LatestRun(() => this.#takeNow());

  constructor(private readonly options: StillPictureOptions) {}

  /** Takes a picture after a moment, and once more when all has come to rest. */
  takeSoon(): void {
    this.dispose();
    this.#timers = [SETTLE_MS, AGAIN_MS].map((ms) => setTimeout(() => void this.take(), ms));
  }

  /** Takes a picture; none when it is of no use. Never rejects. */
  async take(): Promise<void> {
    await this.#takes.run();
  }

  dispose(): void {
    this.#timers.forEach(clearTimeout);
  }

  async #takeNow(): Promise<void> {
    const { isWanted, take, onFailure } = this.options;
    if (!isWanted()) return;
    try {
      await take();
    } catch (error) {
      await onFailure(error);
    }
  }
}
