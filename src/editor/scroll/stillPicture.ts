/** How long after the last change the picture is taken, so that smooth scrolling has come to rest, in milliseconds. */
const SETTLE_MS = 150;

export interface StillPictureOptions {
  /** Whether a picture is of use now. */
  isWanted: () => boolean;
  /** Takes a picture and shows it. */
  take: () => Promise<void>;
  onFailure: (error: unknown) => Promise<void>;
}

/** The still pictures of a screen without a live one: one at a time, and a wish during one is fulfilled after it. */
export class StillPicture {
  readonly #options: StillPictureOptions;
  #settling: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isAgain = false;

  constructor(options: StillPictureOptions) {
    this.#options = options;
  }

  /** Takes a picture after a moment. */
  takeSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.take(), SETTLE_MS);
  }

  /** Takes a picture; none when it is of no use. Never rejects. */
  async take(): Promise<void> {
    const { isWanted, take, onFailure } = this.#options;
    if (!isWanted()) return;
    this.#isAgain = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await take();
    } catch (error) {
      await onFailure(error);
    } finally {
      this.#isBusy = false;
    }
    if (this.#isAgain) await this.take();
  }

  dispose(): void {
    clearTimeout(this.#settling);
  }
}
