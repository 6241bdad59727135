import type { PushOrder } from '../../src/push/pushRun';

/** How a push is packed and delivered that asks for nothing special and restarts a browser without a question. */
export const USUAL_ORDER = {
  delivery: 'auto',
  tabs: 'visible',
  folderName: '',
  exclude: [],
  include: [],
  skipUnchanged: false,
  confirmRestart: () => Promise.resolve('restart' as const),
  onStep: () => undefined,
} as const satisfies Partial<PushOrder>;
