import type { Suite } from 'mocha';

const NOBODY = 65_534;

/** Whether this process can make files of another user, and become one. */
export const isRoot = process.getuid?.() === 0;

/** Runs the tests of a suite, and its own `beforeEach` hooks, as a user whom permissions keep out, as they do not root. */
export function asOrdinaryUser(suite: Suite): void {
  if (!isRoot) return;
  suite.beforeEach(() => become(NOBODY));
  suite.afterEach(() => become(0));
}

/** Runs `work` as an ordinary user, in a test that is run by root. */
export function asNobody<T>(work: () => Promise<T>): Promise<T> {
  return as(NOBODY, work);
}

/** Runs `work` with all rights that this process had at its start. */
export function asRoot<T>(work: () => Promise<T>): Promise<T> {
  return isRoot ? as(0, work) : work();
}

async function as<T>(id: number, work: () => Promise<T>): Promise<T> {
  const before = process.geteuid?.() ?? id;
  become(id);
  try {
    return await work();
  } finally {
    become(before);
  }
}

function become(id: number): void {
  // Only root may change its group.
  process.seteuid?.(0);
  process.setegid?.(id);
  process.seteuid?.(id);
}
