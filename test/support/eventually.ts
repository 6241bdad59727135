import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** How often it is asked whether something has happened, in milliseconds: at first often, since most things take a moment. */
const FIRST_POLL_MS = 2;
const POLL_MS = 50;

/**
 * Resolves once something has happened. Rejects with `what` after `limitMs`: what a failed test leaves must not go on beside the tests
 * that follow. `act` is repeated until then, such as a key that is lost while a list is still drawn.
 */
export async function eventually(
  what: string | (() => unknown),
  happened: () => boolean | Promise<boolean>,
  limitMs: number,
  act?: () => Promise<unknown>,
): Promise<void> {
  const limit = performance.now() + limitMs;
  // What is repeated keeps its pace.
  for (let pollMs = act ? POLL_MS : FIRST_POLL_MS; !(await happened()); pollMs = Math.min(2 * pollMs, POLL_MS)) {
    if (performance.now() > limit) {
      const text = typeof what === 'string' ? what : String(await what());
      assert.fail(`not within ${limitMs} ms: ${text}`);
    }
    await act?.();
    await delay(pollMs);
  }
}
