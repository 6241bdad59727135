declare const self: {
  chrome?: object;
  browser?: object;
  /** What {@link noteApiCalls} has seen. */
  sideloadCalls?: Set<string>;
};

/**
 * In a worker or page of an extension, before its first statement: notes which functions of the API it calls, at most `most` of them. They stay what they
 * are but for a proxy around each; namespaces are gone through four deep.
 */
export function noteApiCalls(most: number): void {
  if (self.sideloadCalls) return;
  const seen = new Set<string>();
  self.sideloadCalls = seen;
  const proxies = new Set<object>();
  const own = {
    note(name: string): void {
      if (seen.size < most) seen.add(name);
    },
    proxyOf(target: (...args: unknown[]) => unknown, name: string): object {
      const proxy = new Proxy(target, {
        apply(called, receiver: unknown, args: unknown[]): unknown {
          own.note(name);
          return Reflect.apply(called, receiver, args);
        },
        construct(called, args: unknown[], created): object {
          own.note(name);
          return Reflect.construct(called, args, created) as object;
        },
      });
      proxies.add(proxy);
      return proxy;
    },
    /** The names of members, also those of prototypes, as functions of events may be; not what every object has. */
    namesOf(namespace: object): Set<string> {
      const names = new Set<string>();
      for (let at: object | null = namespace; at && Reflect.getPrototypeOf(at); at = Reflect.getPrototypeOf(at))
        for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
      return names;
    },
    wrap(namespace: object, path: readonly string[]): void {
      for (const name of own.namesOf(namespace)) {
        try {
          const value: unknown = Reflect.get(namespace, name);
          const inner = [...path, name];
          if (typeof value === 'function') {
            if (proxies.has(value)) continue;
            Reflect.set(namespace, name, own.proxyOf(value as (...args: unknown[]) => unknown, inner.join('.')));
          } else if (typeof value === 'object' && value !== null && inner.length < 4) own.wrap(value, inner);
        } catch {
          // Some members are not for this extension, and say so when they are read.
        }
      }
    },
  };
  for (const api of [self.chrome, self.browser]) if (api) own.wrap(api, []);
}

/** There: the functions that were called so far, such as `tabs.query`. */
export function calledApi(): string[] {
  return [...(self.sideloadCalls ?? [])];
}
