/** Of an object in a page, as a function of `Runtime.callFunctionOn`: the object itself. */
export function sameObject(this: unknown): unknown {
  return this;
}

/** Of a list of websockets: whether one of them is open to a server of the browser's own machine. */
export function hasOpenSocket(this: readonly unknown[]): boolean {
  return this.some((socket) => {
    try {
      const { hostname } = new URL(String(Reflect.get(Object(socket), 'url')));
      return Reflect.get(Object(socket), 'readyState') === 1 && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    } catch {
      // A prototype, which has neither.
      return false;
    }
  });
}
