/** Of an object in a page, as a function of `Runtime.callFunctionOn`: the object itself. */
export function sameObject(this: unknown): unknown {
  return this;
}
