import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { ServiceClient } from '../../service/client';
import type { Browser } from '../../service/model';
import type { ServiceConnection, ServiceParts } from '../service/connection';
import type { PushPins } from './pins';
import { remembered, renamed, type RememberedBrowser } from './remembered';

const TARGET_KEY = 'targetBrowser';

/** The browser that pushes of this workspace go to without asking. Remembered per workspace. */
export class PushTarget implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #renamed = new EventEmitter<void>();
  /** Fires when the chosen browser has another name. */
  readonly onDidRename = this.#renamed.event;
  readonly #memory: Memento;
  readonly #connection: ServiceConnection;
  readonly #subscription: Disposable;

  constructor({ context, connection }: ServiceParts) {
    this.#memory = context.workspaceState;
    this.#connection = connection;
    this.#subscription = connection.onDidChange(() => {
      this.#changed.fire();
    });
  }

  get browser(): RememberedBrowser | undefined {
    return this.#memory.get<RememberedBrowser>(this.#key);
  }

  get sessionId(): string | undefined {
    return this.browser?.sessionId;
  }

  async remember(session: Browser): Promise<void> {
    const known = this.browser;
    const now = remembered(session);
    await this.#memory.update(this.#key, now);
    if (now.sessionId !== known?.sessionId) this.#changed.fire();
    else if (now.label !== known.label) this.#renamed.fire();
  }

  /** Takes the name over that the service gives the browser now, if it is among these. */
  async follow(sessions: readonly Browser[]): Promise<void> {
    const { browser } = this;
    const [now] = (browser && renamed([browser], sessions)) ?? [];
    if (!now) return;
    await this.#memory.update(this.#key, now);
    this.#renamed.fire();
  }

  async forget(): Promise<void> {
    if (this.browser === undefined) return;
    await this.#memory.update(this.#key, undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#renamed.dispose();
  }

  /** Each service has browsers of its own. */
  get #key(): string {
    return `${TARGET_KEY}:${this.#connection.key}`;
  }
}

/** The browsers that the user chose for the pushes of this workspace. */
export interface ChosenBrowsers {
  running: Browser[];
  /** Those that have ended. */
  ended: RememberedBrowser[];
}

/**
 * The browsers that pushes go to without asking: the pinned ones, else the target. Both lists are empty when none was chosen. The service is
 * not asked for those that `connected` returns.
 */
export async function findChosen(
  client: ServiceClient,
  { pins, target }: { pins: PushPins; target: PushTarget },
  connected: (sessionId: string) => Browser | undefined = () => undefined,
): Promise<ChosenBrowsers> {
  const chosen = pins.isEmpty ? [target.browser] : pins.browsers;
  const found: ChosenBrowsers = { running: [], ended: [] };
  await Promise.all(
    chosen.map(async (browser) => {
      if (!browser) return;
      const session = connected(browser.sessionId) ?? (await client.findBrowser(browser.sessionId));
      if (session) found.running.push(session);
      else found.ended.push(browser);
    }),
  );
  return found;
}

/**
 * Makes a browser that has just started the push target, unless a chosen one runs: pushes go on to that one. When the service does not say
 * what runs, the choice stays.
 */
export async function adoptAsTarget(
  client: ServiceClient,
  chosen: { pins: PushPins; target: PushTarget },
  started: Browser,
): Promise<void> {
  const found = await findChosen(client, chosen).catch(() => undefined);
  if (found?.running.length === 0) await chosen.target.remember(started);
}

/** The browser to act on without asking: the target while it runs. Undefined when there is none. */
export async function findTarget(
  client: ServiceClient,
  target: PushTarget,
  signal?: AbortSignal,
): Promise<Browser | undefined> {
  return target.sessionId === undefined ? undefined : await client.findBrowser(target.sessionId, signal);
}
