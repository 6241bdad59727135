import * as l10n from '@vscode/l10n';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { showInformation, showStatus } from '../notify';
import type { ServiceWiring } from '../service/connection';
import { Choice } from './rememberedChoice';
import type { PushPins } from './pins';
import {
  labelsOf,
  remembered,
  renamed,
  restored,
  stored,
  type RememberedBrowser,
  type StoredBrowser,
} from './remembered';

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

/** Where the choices of a workspace are remembered. */
export interface Choices {
  readonly pins: PushPins;
  readonly target: PushTarget;
}

/** The browsers that pushes go to without asking, also those that have ended: the pinned ones, else the target. */
export function chosenOf({ pins, target }: Choices): readonly RememberedBrowser[] {
  if (!pins.isEmpty) return pins.browsers;
  return target.browser ? [target.browser] : [];
}

/** Whether pushes go to a browser without asking. */
export function isChosen(choices: Choices, id: string): boolean {
  return chosenOf(choices).some(({ browserId }) => browserId === id);
}

/** Makes a browser the only one that pushes go to. Says which others are no longer pinned, and returns whether there were any. */
export async function chooseOnly({ pins, target }: Choices, browser: Browser): Promise<boolean> {
  const others = pins.browsers.filter(({ browserId }) => browserId !== browser.id);
  await pins.replace([]);
  await target.remember(browser);
  if (others.length === 0) return false;
  showInformation(l10n.t('{0}. No longer pinned: {1}.', chosenText(browserLabel(browser)), labelsOf(others)));
  return true;
}

/** As {@link chooseOnly}, and always says so. */
export async function setTarget(choices: Choices, browser: Browser): Promise<void> {
  if (!(await chooseOnly(choices, browser))) showStatus(chosenText(browserLabel(browser)));
}

/** The sentence that pushes go to browsers from now on, by their labels. */
export function chosenText(labels: string): string {
  return l10n.t('Sideload pushes to {0}', labels);
}

/** The browsers that the user chose for the pushes of this workspace. */
export interface ChosenBrowsers {
  running: Browser[];
  ended: RememberedBrowser[];
}

/**
 * The browsers of {@link chosenOf}, by whether they run. Both lists are empty when none was chosen. The service is not asked for those that
 * `connected` returns.
 */
export async function findChosen(
  client: BrowserService,
  choices: Choices,
  connected: (browserId: string) => Browser | undefined = () => undefined,
): Promise<ChosenBrowsers> {
  const found: ChosenBrowsers = { running: [], ended: [] };
  await Promise.all(
    chosenOf(choices).map(async (browser) => {
      const running = connected(browser.browserId) ?? (await client.findBrowser(browser.browserId));
      if (running) found.running.push(running);
      else found.ended.push(browser);
    }),
  );
  return found;
}

/**
 * Makes a browser that has just started the only one that pushes go to, unless a chosen one runs: pushes go on to that one. When the service
 * does not say what runs, the choice stays.
 */
export async function adoptAsTarget(client: BrowserService, choices: Choices, started: Browser): Promise<void> {
  const found = await findChosen(client, choices).catch(() => undefined);
  if (found?.running.length === 0) await chooseOnly(choices, started);
}
