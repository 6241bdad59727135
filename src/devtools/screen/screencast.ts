import type { Clock, Timer } from '../../base/clock';
import type { PageFrame, PictureSize } from '../pages/pageModel';
import type { CDPSession, Protocol } from '../protocol/connect';
import type { PageSize } from './pageSize';
import { BEST_QUALITY, StreamQuality } from './streamQuality';

/**
 * How long the first frame of a stream may take before that begins again, in milliseconds, each time twice as long, and how often: of a popup that was
 * drawn just before, none may come (C-FRAME-POPUP), nor of a page that another site's has replaced just then (C-FRAME-SITE).
 */
const FIRST_FRAME_MS = 1000;
const FIRST_FRAME_ATTEMPTS = 6;

/**
 * Chromium lets two frames of a stream be under way (C-FRAME-TWO). From afar that is less than a display can show, since each is acknowledged a round
 * trip later: then some are acknowledged ahead, one for each of these milliseconds of the round trip, up to a limit.
 */
const FRAME_MS = 33;
const MOST_AHEAD = 6;

/**
 * So many frames under way may be the most that Chromium lets be, and it forgets what it would have sent meanwhile: the last change of a page, if no
 * other follows (C-FRAME-TWO). When no frame has come for this time, in milliseconds, the stream begins again, with a picture of what the page shows
 * by then.
 */
const MANY_UNDER_WAY = 2;
const QUIET_MS = 250;

/**
 * A page without a new frame for this time, in milliseconds, has stopped changing: one frame of it is then requested in the best quality, which a slow
 * network or a busy machine did not allow during the changes.
 */
const STILL_MS = 1000;

/** The largest picture that is asked for, in device pixels. */
const MAX_PICTURE_PX = 4096;

/**
 * The pictures of a page: streams of frames, of which each has one quality and begins with a picture of what the page shows. The next one begins when
 * the last frame may be missing, or could be better. Behind what `session` is attached to, another page may take the place of this one at any time.
 */
export class Screencast {
  readonly #quality = new StreamQuality();
  #largest: PictureSize = { width: 1280, height: 800 };
  #isStreaming = false;
  /** How many streams have been begun. */
  #begun = 0;
  /** Which stream the last frame was of, by Chromium's count, and which one that was when the stream began. */
  #stream = 0;
  #streamBefore = 0;
  /** Whether a frame of this stream has come. */
  #hasFrame = false;
  #first: Timer | undefined;
  /** Frames that were not acknowledged. */
  #underWay = 0;
  /** How many frames of the stream are still to be acknowledged ahead. */
  #ahead = 0;
  /** The shortest answer to a command so far, in milliseconds. */
  #roundTripMs = Number.POSITIVE_INFINITY;
  /**
   * The quality has changed: the stream restarts once every frame is acknowledged, because those of the previous stream do not count
   * (C-FRAME-STREAMS).
   */
  #isOutdated = false;
  /** Whether Chromium may have left out a frame since the last one (C-FRAME-TWO). */
  #mayMiss = false;
  #quiet: Timer | undefined;
  /** The stream has the best quality because the page stood still: the frame after its first shows that it moves. */
  #isStill = false;

  /** `onFrame`: with the position of the page in pixels of the picture. */
  constructor(
    private readonly session: CDPSession,
    private readonly clock: Clock,
    private readonly size: PageSize,
    private readonly onFrame: (frame: PageFrame) => void,
  ) {
    session.on('Page.screencastFrame', this.#onFrame);
  }

  /**
   * Sends pictures from now on, none larger than `largest` in device pixels; again with another size while it does. Resolves when the browser has
   * confirmed that, which it may never do (C-FRAME-SITE).
   */
  async start(largest: PictureSize): Promise<void> {
    this.#largest = largest;
    this.#isStreaming = true;
    await this.#begin();
  }

  /** Sends a picture of the page as it is, if it sends any. Never rejects. */
  async renew(): Promise<void> {
    await this.#again({ isStill: false });
  }

  /** Reports no more pictures: the session is about to end, and the browser's stream with it. */
  end(): void {
    this.#isStreaming = false;
    this.#begun += 1;
    this.#first?.clear();
    this.#quiet?.clear();
  }

  /** A frame of this stream was drawn, so that the browser may send another one. */
  acknowledge(stream: number): void {
    this.#underWay = Math.max(this.#underWay - 1, 0);
    if (this.#isOutdated) {
      if (this.#underWay === 0) this.#begin().catch(() => undefined);
      return;
    }
    this.session.send('Page.screencastFrameAck', { sessionId: stream }).catch(() => undefined);
    this.#quiet?.clear();
    if (this.#underWay > 0) return;
    if (this.#mayMiss) this.#quiet = this.clock.after(QUIET_MS, () => void this.renew()).unref();
    else if (!this.#quality.isBest && !this.#isStill) {
      this.#quiet = this.clock.after(STILL_MS, () => void this.#again({ isStill: true })).unref();
    }
  }

  /** Begins the stream again, since its first or last frame may be missing, or could be better. Never rejects. */
  async #again(way: { isStill: boolean; attempt?: number }): Promise<void> {
    if (this.#isStreaming) await this.#begin(way).catch(() => undefined);
  }

  /** `attempt`: how often the stream has begun again without a frame. Neither command may be answered (C-FRAME-SITE). */
  async #begin({ isStill = false, attempt = 0 } = {}): Promise<void> {
    const limit = (px: number): number => Math.min(Math.max(Math.ceil(px), 1), MAX_PICTURE_PX);
    const { quality, isCoarse } = isStill ? BEST_QUALITY : this.#quality;
    this.#isStill = isStill;
    const share = isCoarse ? this.size.scale : 1;
    const [width, height] = [this.#largest.width / share, this.#largest.height / share];
    this.#underWay = 0;
    this.#isOutdated = false;
    this.#mayMiss = false;
    this.#quiet?.clear();
    this.#awaitFirst(isStill, attempt);
    const begun = ++this.#begun;
    // Frames of the stream before that were not acknowledged would count for this one, too.
    const stopped = this.clock.now();
    await this.session.send('Page.stopScreencast');
    if (begun !== this.#begun) return;
    this.#roundTripMs = Math.min(this.#roundTripMs, this.clock.now() - stopped);
    this.#noFrameYet();
    this.#ahead = Math.min(Math.floor(this.#roundTripMs / FRAME_MS), MOST_AHEAD);
    await this.session.send('Page.startScreencast', {
      format: 'jpeg',
      quality,
      maxWidth: limit(width),
      maxHeight: limit(height),
    });
  }

  /** Frames of the stream before may still come: one may show what is no longer so. */
  #noFrameYet(): void {
    this.#streamBefore = this.#stream;
    this.#hasFrame = false;
  }

  /** Begins the stream again when no frame of it comes in time. */
  #awaitFirst(isStill: boolean, attempt: number): void {
    this.#noFrameYet();
    this.#first?.clear();
    if (attempt === FIRST_FRAME_ATTEMPTS) return;
    const again = { isStill, attempt: attempt + 1 };
    const start = (): void => void (this.#hasFrame || this.#again(again));
    this.#first = this.clock.after(FIRST_FRAME_MS * 2 ** attempt, start).unref();
  }

  readonly #onFrame = ({ data, metadata, sessionId }: Protocol.Page.ScreencastFrameEvent): void => {
    if (!this.#isStreaming) return;
    this.#stream = sessionId;
    const { deviceWidth, deviceHeight, scrollOffsetX, scrollOffsetY, timestamp } = metadata;
    this.size.noteView({ width: deviceWidth, height: deviceHeight });
    const isChanged = this.#isStill
      ? this.#hasFrame
      : timestamp !== undefined && this.#quality.note({ takenMs: timestamp * 1000, arrivedMs: this.clock.now() });
    this.#hasFrame ||= sessionId !== this.#streamBefore;
    this.#quiet?.clear();
    this.#underWay += 1;
    this.#mayMiss ||= this.#underWay >= MANY_UNDER_WAY;
    for (; this.#ahead > 0; this.#ahead -= 1) {
      this.session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    }
    this.#isOutdated ||= isChanged;
    this.onFrame({
      stream: sessionId,
      base64: data,
      width: deviceWidth / this.size.scale,
      height: deviceHeight / this.size.scale,
      scrollX: scrollOffsetX,
      scrollY: scrollOffsetY,
    });
  };
}
