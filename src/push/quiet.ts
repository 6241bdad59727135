import type { DeliveryMode } from './deliverRequest';

/**
 * Quiet time after the last save before a push begins, in milliseconds. Saves of one action come closer together; a Save All is
 * recognised by documents that are still unsaved, so a longer time would only be felt.
 */
export const QUIET_MS = 5;

/** The same after the last write of a build, whose writes come in bursts. */
export const BUILD_QUIET_MS = 120;

/** The same where each push restarts the browser. */
const RESTART_QUIET_MS = 1000;

/** The quiet time before a push: `usual` milliseconds, or more where it restarts the browser. */
export function quietMs(usual: number, delivery: DeliveryMode): number {
  return delivery === 'restart' ? Math.max(usual, RESTART_QUIET_MS) : usual;
}
