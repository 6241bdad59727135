import { present } from '../../base/fields';
import { type Browser, type CreateBrowserRequest } from '../../service/model';
import { MEMORY_SIZES } from '../../service/interface';
import { browserLabel } from '../lists/labels';

/** A browser that the user chose, with what is needed to name it, and to start one like it, after it has ended. */
export interface RememberedBrowser {
  browserId: string;
  label: string;
  /** Starts a browser with the same name, profile, screen, mode and machine. */
  request: CreateBrowserRequest;
}

/** The same as workspaces have stored it since before browsers had their name here. */
export type StoredBrowser = Omit<RememberedBrowser, 'browserId'> & { sessionId: string };

/** A remembered browser as it is stored. */
export function stored({ browserId, ...rest }: RememberedBrowser): StoredBrowser {
  return { sessionId: browserId, ...rest };
}

/** The remembered browser that was stored. */
export function restored({ sessionId, ...rest }: StoredBrowser): RememberedBrowser {
  return { browserId: sessionId, ...rest };
}

/** These browsers as the service describes them now, where it gives one of them another name; undefined when no name is another one. */
export function renamed(
  known: readonly RememberedBrowser[],
  browsers: readonly Browser[],
): RememberedBrowser[] | undefined {
  let isOther = false;
  const now = known.map((browser) => {
    const described = browsers.find(({ id }) => id === browser.browserId);
    if (!described || browserLabel(described) === browser.label) return browser;
    isOther = true;
    return remembered(described);
  });
  return isOther ? now : undefined;
}

/** The names of browsers in a sentence. */
export function labelsOf(browsers: readonly RememberedBrowser[]): string {
  return browsers.map(({ label }) => label).join(', ');
}

/** What is remembered of a browser; none of its addresses, which are credentials. */
export function remembered(browser: Browser): RememberedBrowser {
  const { name, profile, viewport, headless, stealth, kioskMode, timeoutSeconds, region, memory } = browser;
  return {
    browserId: browser.id,
    label: browserLabel(browser),
    request: {
      ...present({ headless, stealth, timeoutSeconds }),
      ...(name ? { name } : {}),
      ...(profile ? { profile: { id: profile.id, saveChanges: browser.profileSaveChanges ?? false } } : {}),
      ...(viewport ? { viewport } : {}),
      ...(kioskMode ? { kioskMode } : {}),
      ...(region ? { region } : {}),
      // Sizes that cannot be asked for are the service's own choice.
      ...(memory && !headless && MEMORY_SIZES.some((size) => size === memory) ? { memory } : {}),
    },
  };
}
