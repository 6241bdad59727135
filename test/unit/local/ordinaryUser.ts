import type { Suite } from 'mocha';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs the tests of a suite as a user whom permissions keep out: root becomes another user for their time, except in its hooks before. */
export function asOrdinaryUser(suite: Suite): void {
  if (!isRoot) return;
  suite.beforeEach(becomeOrdinary);
  suite.afterEach(becomeRoot);
}

/** Runs `work` with all rights that this process had at its start. */
export async function asRoot<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  becomeRoot();
  try {
    return await work();
  } finally {
    becomeOrdinary();
  }
}

/** Runs `work` as an ordinary user, in a test that is run by root. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  becomeOrdinary();
  try {
    return await work();
  } finally {
    becomeRoot();
  }
}

/** Whether files of another user can be made for a test. */
export const canChangeOwner = isRoot;

function becomeOrdinary(): void {
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
}

function becomeRoot(): void {
  process.seteuid?.(0);
  process.setegid?.(0);
}
