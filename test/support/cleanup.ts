/**
 * What a process must end before it ends itself: servers, browsers, temporary folders.
 *
 * Each is registered when it is made. They are closed latest first: by `endAll` when the work is done, and by the
 * signal handlers when it is interrupted.
 */

interface Ending {
  readonly name: string;
  readonly close: () => Promise<void>;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof EXIT_CODES;

const endings: Ending[] = [];
let listening = false;
let interrupted = false;
let ending: Promise<void> | undefined;
let words: { readonly first: () => void; readonly last: () => Promise<void> } | undefined;

/**
 * Registers something to close. The returned function closes it now and forgets it; it may be called many times.
 * `endAll` prints a rejection of `close` on stderr and closes the others all the same.
 */
export function atEnd(name: string, close: () => Promise<void>): () => Promise<void> {
  listen();
  let closed: Promise<void> | undefined;
  const entry: Ending = { name, close: () => (closed ??= close()) };
  endings.push(entry);
  return async () => {
    try {
      await entry.close();
    } finally {
      const index = endings.indexOf(entry);
      if (index >= 0) endings.splice(index, 1);
    }
  };
}

/** Closes all that is registered, latest first. Never rejects. */
export function endAll(): Promise<void> {
  ending ??= closeAll().finally(() => (ending = undefined));
  return ending;
}

/** Called at the first signal, and after everything was closed because of it. */
export function onInterruption(first: () => void, last: () => Promise<void>): void {
  words = { first, last };
}

/** Whether a signal is ending this process: later failures are a consequence. */
export function isInterrupted(): boolean {
  return interrupted;
}

async function closeAll(): Promise<void> {
  for (let entry = endings.pop(); entry; entry = endings.pop()) {
    try {
      await entry.close();
    } catch (error) {
      console.error(`Closing ${entry.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function listen(): void {
  if (listening) return;
  listening = true;
  for (const signal of Object.keys(EXIT_CODES) as EndSignal[]) {
    process.on(signal, () => void leave(signal));
  }
}

async function leave(signal: EndSignal): Promise<void> {
  if (!interrupted) words?.first();
  interrupted = true;
  // A second signal gets the same promise: nothing is closed twice.
  await endAll();
  await words?.last();
  process.exit(EXIT_CODES[signal]);
}
