/** A function of `inPage/` with its arguments, as an expression that a page can evaluate; `R` is what it returns there. */
export interface PageCall<R> {
  readonly expression: string;
  /** Never there: what the type `R` is in. */
  readonly returns?: R;
}

/**
 * Calls a function of `inPage/` with these arguments: JSON values, or other functions of `inPage/` that it calls. A key `__proto__` of an object would
 * be its prototype: what may have one goes as JSON.
 */
export function callOf<A extends unknown[], R>(fn: (...args: A) => R, ...args: A): PageCall<Awaited<R>> {
  return { expression: `(${textOf(fn)})(${args.map(argumentText).join(', ')})` };
}

/** The text of a function of `inPage/`, which stands for itself: as the bundler has made it, or as it runs in tests. */
export function textOf(fn: (...args: never[]) => unknown): string {
  return String(fn);
}

function argumentText(value: unknown): string {
  return typeof value === 'function' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}
