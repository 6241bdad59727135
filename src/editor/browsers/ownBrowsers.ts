import type { Memento } from 'vscode';

/** How many browsers are remembered; older ones have ended long ago. */
const MAX_REMEMBERED = 200;

type Deed = 'started' | 'pushedTo';

/**
 * What this workspace has done with browsers, by their ids, so that a push by itself restarts none that somebody else uses. Kept over
 * restarts of the window.
 */
export class OwnBrowsers {
  constructor(private readonly memory: Memento) {}

  /** Whether Sideload has started the browser. */
  wasStarted(sessionId: string): boolean {
    return this.#ids('started').includes(sessionId);
  }

  /** Whether the user has pushed to the browser. */
  wasPushedTo(sessionId: string): boolean {
    return this.#ids('pushedTo').includes(sessionId);
  }

  async remember(deed: Deed, sessionId: string): Promise<void> {
    const ids = this.#ids(deed).filter((id) => id !== sessionId);
    await this.memory.update(keyOf(deed), [sessionId, ...ids].slice(0, MAX_REMEMBERED));
  }

  #ids(deed: Deed): readonly string[] {
    return this.memory.get<readonly string[]>(keyOf(deed), []);
  }
}

function keyOf(deed: Deed): string {
  return `browsers.${deed}`;
}
