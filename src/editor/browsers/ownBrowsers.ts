import type { Memento } from 'vscode';

/** How many browsers are remembered; older ones have ended long ago. */
const MAX_REMEMBERED = 200;

type Deed = 'started' | 'pushedTo';

/**
 * What this workspace has done with browsers of the service in use, by their ids, so that a push by itself restarts none that somebody else
 * uses. Kept over restarts of the window.
 */
export class OwnBrowsers {
  /** `service` identifies the service in use: the ids of another one may be the same. */
  constructor(
    private readonly memory: Memento,
    private readonly service: () => string,
  ) {}

  /** Whether Sideload has started the browser. `service`: whose browser it is; the service in use by default. */
  wasStarted(browserId: string, service = this.service()): boolean {
    return this.#ids('started', service).includes(browserId);
  }

  /** Whether the user has pushed to the browser. `service`: whose browser it is. */
  wasPushedTo(browserId: string, service: string): boolean {
    return this.#ids('pushedTo', service).includes(browserId);
  }

  /** `service`: whose browser it is; the service in use by default. */
  async remember(deed: Deed, browserId: string, service = this.service()): Promise<void> {
    const ids = this.#ids(deed, service).filter((id) => id !== browserId);
    await this.memory.update(keyOf(deed, service), [browserId, ...ids].slice(0, MAX_REMEMBERED));
  }

  #ids(deed: Deed, service: string): readonly string[] {
    return this.memory.get<readonly string[]>(keyOf(deed, service), []);
  }
}

function keyOf(deed: Deed, service: string): string {
  return `browsers.${deed}:${service}`;
}
