declare const self: object;
declare const URL: {
  createObjectURL: ((this: void, object: Blob) => string) | undefined;
  revokeObjectURL: (this: void, address: string) => void;
};

/**
 * In a page or worker, before its own code: workers made of blobs have their sockets carried as well; `carry` is `carrySockets`. Nobody else can
 * put that in front of their code: they are no answer of a server, and no file. A second call changes nothing.
 */
export function carryInBlobWorkers(
  carry: (hosts: readonly string[], folder: string) => void,
  hosts: readonly string[],
  folder: string,
): void {
  const mark = `sideload workers ${folder}`;
  if (Reflect.has(self, mark)) return;
  Reflect.set(self, mark, true);
  const { createObjectURL, revokeObjectURL } = URL;
  // Service workers have neither.
  if (!createObjectURL) return;
  const args = `${JSON.stringify(hosts)}, ${JSON.stringify(folder)}`;
  const first = `(${String(carry)})(${args});(${String(carryInBlobWorkers)})(${String(carry)}, ${args});`;
  /** Blobs by their addresses, and the address of each with what comes first: a shared worker is had again by that. */
  const blobs = new Map<string, { blob: Blob; carried?: string }>();
  URL.createObjectURL = new Proxy(createObjectURL, {
    apply(target, _receiver, given: [Blob]) {
      const address = target(...given);
      if (given[0] instanceof Blob) blobs.set(address, { blob: given[0] });
      return address;
    },
  });
  URL.revokeObjectURL = new Proxy(revokeObjectURL, {
    apply(target, _receiver, given: [string]) {
      const { carried } = blobs.get(String(given[0])) ?? {};
      blobs.delete(String(given[0]));
      if (carried !== undefined) target(carried);
      target(...given);
    },
  });
  for (const kind of ['Worker', 'SharedWorker']) {
    const Real: unknown = Reflect.get(self, kind);
    if (typeof Real !== 'function') continue;
    const carrying = new Proxy(Real, {
      construct(target, given: unknown[], newTarget) {
        const made = blobs.get(String(given[0]));
        if (!made) return Reflect.construct(target, given, newTarget) as object;
        made.carried ??= createObjectURL(new Blob([first, made.blob], { type: made.blob.type }));
        return Reflect.construct(target, [made.carried, ...given.slice(1)], newTarget) as object;
      },
    });
    Reflect.set(self, kind, carrying);
  }
}
