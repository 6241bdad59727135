import type { StreamState } from '../../screen/screenMessages';
import type { Browser } from '../../service/model';

/** The way to a browser that is not connected. */
export interface Way {
  readonly browser: Browser;
  /** Whether the browser may have another address by now than the panel knows: after a connection was lost, or could not be made. */
  readonly isMoved: boolean;
  /** How often in a row the connection was lost or could not be made. */
  readonly failures: number;
}

/** Ends what was begun in a state when that is left: timers, a connection, and answers that come later. */
interface Stay {
  readonly stay: AbortController;
}

/** Connected: pictures of the page are awaited or sent, or the service sends the whole screen. */
interface Connected<Screen> extends Stay {
  readonly at: 'waiting' | 'live' | 'whole';
  readonly browser: Browser;
  readonly screen: Screen;
}

/** Not connected: being connected, or connected again later. Meanwhile the service may send still pictures, or only turn the wheel. */
interface Unconnected extends Stay {
  readonly at: 'connecting' | 'lost';
  readonly way: Way;
  readonly shown: 'connecting' | 'still' | 'controls';
}

/**
 * The state of a stream. `ended`: there is no browser; `idle`: the panel is hidden, or was not shown yet; `paused`: nobody looks. One stay
 * reaches from `connecting` to the end of that connection.
 */
export type StreamPhase<Screen> =
  | { readonly at: 'ended' }
  | { readonly at: 'idle' | 'paused'; readonly way: Way }
  | Unconnected
  | Connected<Screen>;

/** What happens to a stream. `leave`: the panel is hidden, or reconnects; `controls`: the service has no still pictures. */
export type StreamEvent<Screen> =
  | { readonly kind: 'begin'; readonly browser: Browser }
  | { readonly kind: 'leave' | 'pause' | 'end' | 'picture' | 'controls' }
  | ({ readonly kind: 'connect' | 'lost' | 'failed' } & Stay)
  | { readonly kind: 'connected'; readonly browser: Browser; readonly screen: Screen; readonly isWhole: boolean };

/** The state after an event; the same object when the event changes nothing. */
export function nextPhase<Screen>(phase: StreamPhase<Screen>, event: StreamEvent<Screen>): StreamPhase<Screen> {
  if (event.kind === 'begin') return { at: 'idle', way: wayTo(event.browser) };
  if (phase.at === 'ended') return phase;
  switch (event.kind) {
    case 'end':
      return { at: 'ended' };
    case 'leave':
      return { at: 'idle', way: wayOf(phase) };
    case 'pause':
      return { at: 'paused', way: wayOf(phase) };
    case 'connect': {
      if (phase.at === 'connecting' || 'screen' in phase) return phase;
      // With the still picture, the page turns the wheel through the service, which must go on meanwhile.
      const shown = shownIn(phase) === 'still' ? 'still' : 'connecting';
      return { at: 'connecting', way: phase.way, shown, stay: event.stay };
    }
    case 'connected': {
      if (phase.at !== 'connecting') return phase;
      const { browser, screen, isWhole } = event;
      return { at: isWhole ? 'whole' : 'waiting', browser, screen, stay: phase.stay };
    }
    case 'picture':
      return phase.at === 'waiting' ? { ...phase, at: 'live' } : phase;
    case 'lost':
      // What is lost while it is being connected fails.
      return 'screen' in phase ? lostFrom(phase, 'connecting', event.stay) : phase;
    case 'failed':
      return 'screen' in phase || phase.at === 'connecting' ? lostFrom(phase, 'still', event.stay) : phase;
    case 'controls':
      return 'shown' in phase && phase.shown === 'still' ? { ...phase, shown: 'controls' } : phase;
  }
}

/** The state as the page shows it. */
export function shownIn(phase: StreamPhase<unknown>): StreamState {
  if ('shown' in phase) return phase.shown;
  return phase.at === 'ended' || phase.at === 'idle' ? 'none' : phase.at;
}

/** The browser of a stream; undefined after its end. */
export function browserIn(phase: StreamPhase<unknown>): Browser | undefined {
  return phase.at === 'ended' ? undefined : wayOf(phase).browser;
}

function wayTo(browser: Browser): Way {
  return { browser, isMoved: false, failures: 0 };
}

function wayOf(phase: Exclude<StreamPhase<unknown>, { at: 'ended' }>): Way {
  return 'screen' in phase ? wayTo(phase.browser) : phase.way;
}

function lostFrom(
  phase: Connected<unknown> | Unconnected,
  shown: Unconnected['shown'],
  stay: AbortController,
): Unconnected {
  const { browser, failures } = wayOf(phase);
  return { at: 'lost', way: { browser, isMoved: true, failures: failures + 1 }, shown, stay };
}
