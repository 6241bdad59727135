import { textOf } from '../../src/devtools/protocol/pageCall';

/** A function of `src/devtools/inPage/`. */
type InPage = (...args: never[]) => unknown;

/** Whether an expression calls a function of `src/devtools/inPage/`. */
export function isCallOf(expression: unknown, fn: InPage): boolean {
  return String(expression).startsWith(`(${textOf(fn)})(`);
}

/**
 * The arguments with which an expression calls a function of `src/devtools/inPage/`, after the functions that it is given first; undefined for
 * another expression.
 */
export function argumentsOf(expression: unknown, fn: InPage, ...first: readonly InPage[]): unknown[] | undefined {
  const before = `(${textOf(fn)})(${first.map((one) => `${textOf(one)}, `).join('')}`;
  const text = String(expression);
  if (!text.startsWith(before) || !text.endsWith(')')) return undefined;
  return JSON.parse(`[${text.slice(before.length, -1)}]`) as unknown[];
}
