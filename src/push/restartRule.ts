import type { DeliveryMode, RestartAnswer } from './browserDelivery';

/**
 * What started a push: one by `command` may ask questions and shows its result; one for a `test` that the user has started may ask, and the test shows its
 * result; one on `save` is silent unless something fails; one by an `agent`, or another program, asks and shows nothing, because the program gets its
 * result.
 */
export type PushOrigin = 'command' | 'test' | 'save' | 'agent';

/** A browser that a delivery would restart, and who delivers. */
interface RestartCase {
  origin: PushOrigin;
  /** Whether Sideload has started the browser. */
  wasStarted: boolean;
  /** Whether the user has pushed to it by hand. */
  wasPushedTo: boolean;
  delivery: DeliveryMode;
  /** Whether it may have more than blank pages. */
  isInUse: boolean;
  /** Whether the build can be delivered without a restart. */
  canAvoid: boolean;
}

/**
 * Whether a push may restart a browser; `ask`: the user decides. One of Sideload's own that has only blank pages may be, since nothing is lost.
 * Else the user is asked about a push by hand. An agent restarts Sideload's own browsers, and others only where there is no other way. A save
 * restarts none that the user has not pushed to by hand, and those only where there is no other way or the setting wants a restart each time.
 */
export function restartRule({
  origin,
  wasStarted,
  wasPushedTo,
  delivery,
  isInUse,
  canAvoid,
}: RestartCase): RestartAnswer | 'ask' {
  if (wasStarted && !isInUse) return 'restart';
  switch (origin) {
    case 'command':
    case 'test':
      return 'ask';
    case 'agent':
      return canAvoid && !wasStarted ? 'inPlace' : 'restart';
    case 'save':
      if (!wasPushedTo) return 'notAsked';
      return canAvoid && delivery !== 'restart' ? 'inPlace' : 'restart';
  }
}
