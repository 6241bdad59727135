import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { ServiceWiring } from '../service/connection';
import { Choice } from './rememberedChoice';
import type { PushPins } from './pins';
import { remembered, renamed, restored, stored, type RememberedBrowser, type StoredBrowser } from './remembered';

/** The browser that pushes of this workspace go to without asking. Remembered per workspace. */
export class PushTarget extends Choice<StoredBrowser> {
  constructor(wiring: ServiceWiring) {
    super('targetBrowser', wiring);
  }

  get browser(): RememberedBrowser | undefined {
    const { chosen } = this;
    return chosen && restored(chosen);
  }

  get browserId(): string | undefined {
    return this.browser?.browserId;
  }

  async remember(browser: Browser): Promise<void> {
    const known = this.browser;
    const now = remembered(browser);
    if (now.browserId === known?.browserId) await this.describe(stored(now), now.label !== known.label);
    else await this.choose(stored(now));
  }

  /** Takes the name over that the service gives the browser now, if it is among these. */
  async follow(browsers: readonly Browser[]): Promise<void> {
    const { browser } = this;
    const [now] = (browser && renamed([browser], browsers)) ?? [];
    if (now) await this.describe(stored(now));
  }

  async forget(): Promise<void> {
    if (this.browser !== undefined) await this.choose(undefined);
  }
}

/** Whether pushes go to a browser without asking: to the pinned ones, else to the target. */
export function isChosen({ pins, target }: { pins: PushPins; target: PushTarget }, browserId: string): boolean {
  return pins.isEmpty ? target.browserId === browserId : pins.has(browserId);
}

/** The browsers that the user chose for the pushes of this workspace. */
export interface ChosenBrowsers {
  running: Browser[];
  ended: RememberedBrowser[];
}

/**
 * The browsers that pushes go to without asking: the pinned ones, else the target. Both lists are empty when none was chosen. The service is
 * not asked for those that `connected` returns.
 */
export async function findChosen(
  client: BrowserService,
  { pins, target }: { pins: PushPins; target: PushTarget },
  connected: (browserId: string) => Browser | undefined = () => undefined,
): Promise<ChosenBrowsers> {
  const chosen = pins.isEmpty ? [target.browser] : pins.browsers;
  const found: ChosenBrowsers = { running: [], ended: [] };
  await Promise.all(
    chosen.map(async (browser) => {
      if (!browser) return;
      const running = connected(browser.browserId) ?? (await client.findBrowser(browser.browserId));
      if (running) found.running.push(running);
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
  client: BrowserService,
  chosen: { pins: PushPins; target: PushTarget },
  started: Browser,
): Promise<void> {
  const found = await findChosen(client, chosen).catch(() => undefined);
  if (found?.running.length === 0) await chosen.target.remember(started);
}
