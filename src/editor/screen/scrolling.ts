import { KEYSYMS, type End, type Modifier } from '../../screen/protocol';
import { MAX_TICKS } from '../../screen/wheel/scrollQueue';
import type { Ticks } from '../../screen/wheel/wheel';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { ScrollChoice } from './scrollChoices';

/** Keys that scroll a page to its ends, as X keysym names. */
export const END_KEYS: Readonly<Record<End, string>> = { top: 'Home', bottom: 'End' };

/** The field of a request with the keys that are held, as X keysym names; nothing for none. */
export function heldKeys(hold: readonly Modifier[]): { holdKeys?: string[] } {
  return hold.length > 0 ? { holdKeys: hold.map((key) => KEYSYMS[key]) } : {};
}

/** Turns the wheel at a pixel of the browser's screen by any number of ticks, in one request after the other. */
export async function turnWheel(
  client: BrowserService,
  { id }: Browser,
  { point: { x, y }, hold }: ScrollChoice,
  ticks: Ticks,
): Promise<void> {
  for (const { right, down } of requestsOf(ticks)) {
    await client.scroll(id, { x, y, deltaX: right, deltaY: down, ...heldKeys(hold) });
  }
}

/** Divides ticks into requests of at most `MAX_TICKS` each way; none for no ticks. */
export function requestsOf({ right, down }: Ticks): Ticks[] {
  const count = Math.ceil(Math.max(Math.abs(right), Math.abs(down)) / MAX_TICKS);
  return Array.from({ length: count }, (_, sent) => ({ right: nthPart(right, sent), down: nthPart(down, sent) }));
}

/** Presses Home or End, which scrolls the page unless a text field in it has the focus. */
export async function goToEnd(client: BrowserService, { id }: Browser, end: End): Promise<void> {
  await client.pressKey(id, { keys: [END_KEYS[end]] });
}

/** The ticks of the request after `sent` full ones. */
function nthPart(ticks: number, sent: number): number {
  const rest = Math.max(Math.abs(ticks) - sent * MAX_TICKS, 0);
  // Never -0.
  return Math.min(rest, MAX_TICKS) * Math.sign(ticks) + 0;
}
