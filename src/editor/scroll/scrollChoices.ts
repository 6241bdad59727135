import { pointOn } from '../../scroll/state';
import type { Modifier, Point, Screen } from '../../scroll/protocol';
import { DEFAULT_VIEWPORT, type BrowserSession } from '../../service/model';

/** Where the wheel is turned, and which keys are held meanwhile. */
export interface ScrollChoice {
  point: Point;
  hold: readonly Modifier[];
}

/** The choices for each browser, made in its panel or by commands. Forgotten with the window. */
export class ScrollChoices {
  readonly #choices = new Map<string, ScrollChoice>();

  /** The choice for a browser, with the point inside its screen; at first the centre, without keys. */
  get(session: BrowserSession): ScrollChoice {
    const choice = this.#choices.get(session.session_id);
    return { point: pointOn(screenOf(session), choice?.point), hold: choice?.hold ?? [] };
  }

  set(session: BrowserSession, choice: Partial<ScrollChoice>): void {
    this.#choices.set(session.session_id, { ...this.get(session), ...choice });
  }
}

/** The screen of a browser, in pixels. */
export function screenOf({ viewport }: BrowserSession): Screen {
  const { width, height } = viewport ?? DEFAULT_VIEWPORT;
  return { width, height };
}
