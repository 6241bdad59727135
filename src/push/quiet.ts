/** Quiet time after the last save before a push begins, in milliseconds: a Save All is one push. */
export const QUIET_MS = 50;
