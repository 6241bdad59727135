import type { BuildFolders } from '../console/errorSpots';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import type { BrowserLink } from '../devtools/connection/link';
import { isNamed } from '../service/identifier';
import { ServiceError } from '../service/serviceErrors';
import type { Browser } from '../service/model';
import { oneLine, quoted } from './bounds';
import { words, type ValueSchema } from './valueSchema';
import { ToolError, type ToolWindow } from './tool';

/** Most browsers that are read from the service: more may run. */
export const MOST_BROWSERS = 200;

/** Most names in an error. */
const MOST_NAMES = 20;

/** The member of an input that names a browser. */
export const BROWSER: ValueSchema = words(
  'Name or id of the browser. Without it, the one that the user has chosen for pushes; where none is chosen, the only one that runs.',
  255,
);

/** The member of an input that names an extension in a browser. */
export const EXTENSION: ValueSchema = words(
  'Id or name of the extension in the browser. Without it, the one that was pushed there last.',
  255,
);

/** How answers name a browser: in a way that calls understand. */
export function browserName({ name, id }: Pick<Browser, 'name' | 'id'>): string {
  return oneLine(name ?? id, 255);
}

/** The running browsers of the service, {@link MOST_BROWSERS} of them at most. @throws ServiceError */
export async function runningBrowsers(window: ToolWindow, signal: AbortSignal): Promise<Browser[]> {
  const found: Browser[] = [];
  for await (const browser of (await window.client()).listBrowsers({}, signal)) {
    if (!browser.deletedAt) found.push(browser);
    if (found.length >= MOST_BROWSERS) break;
  }
  return found;
}

/** The browser that an input names, else the chosen one, else the only one. @throws ToolError, ServiceError */
export async function findBrowser(
  window: ToolWindow,
  named: string | undefined,
  signal: AbortSignal,
): Promise<Browser> {
  const running = await runningBrowsers(window, signal).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'unsupported') return undefined;
    throw error;
  });
  if (!running) return await unlistedBrowser(window, named, signal);
  if (running.length === 0) throw new ToolError('No browser is running.', 'Call create_extension_browser first.');
  const names = running.slice(0, MOST_NAMES).map(browserName).join(', ');
  const isPart = running.length >= MOST_BROWSERS;
  if (named !== undefined) {
    const [found, ...others] = running.filter((browser) => isNamed(browser, named));
    if (!found && isPart) return await unlistedBrowser(window, named, signal);
    if (!found) {
      const wanted = oneLine(named, 100);
      throw new ToolError(
        `No browser "${wanted}" is running. Those are: ${names}.`,
        'Or call create_extension_browser.',
      );
    }
    if (others.length > 0) throw new ToolError('Several browsers have this name. Name one by its id.');
    return found;
  }
  const ids = window.chosenBrowsers((browserId) => isPart || running.some(({ id }) => id === browserId));
  const chosen = running.filter(({ id }) => ids.includes(id));
  if (isPart && chosen.length === 0 && ids.length === 1) return await unlistedBrowser(window, undefined, signal);
  // What is asked for one browser is done in no other.
  if (ids.length > 0 && chosen.length === 0)
    throw new ToolError(`The browser that the user has chosen has ended. Name one with "browser": ${names}.`);
  const [only, ...others] = chosen.length > 0 ? chosen : running;
  if (!only || others.length > 0)
    throw new ToolError(`Several browsers are running. Name one with "browser": ${names}.`);
  return only;
}

/** The same where no list has it: the browser that is named, else the chosen one. @throws ToolError, ServiceError */
async function unlistedBrowser(window: ToolWindow, named: string | undefined, signal: AbortSignal): Promise<Browser> {
  const [chosen, ...others] = window.chosenBrowsers();
  const id = named ?? (others.length === 0 ? chosen : undefined);
  if (id === undefined) {
    throw new ToolError('The service lists no browsers. Ask the user for the id of one, and name it with "browser".');
  }
  const browser = await (await window.client()).findBrowser(id, signal);
  if (!browser) throw new ToolError(`No browser "${oneLine(id, 100)}" is running.`);
  return browser;
}

/** Runs `act` with the connection to a browser. @throws DevToolsError, ServiceError */
export async function withLink<T>(
  window: ToolWindow,
  browser: Browser,
  act: (link: BrowserLink) => Promise<T>,
): Promise<T> {
  return await (await window.connections()).use(browser, act);
}

/** The build of an extension that this window has pushed to a browser. */
export function buildOf(window: ToolWindow, browser: Browser, extensionId: string): BuildFolders | undefined {
  return window.builds(browser.id).find((build) => build.extensionId === extensionId);
}

/** An extension in a browser. */
export interface FoundExtension {
  browser: Browser;
  extension: LoadedExtension;
}

/** The extension that an input names in a browser, else the one that was pushed last, else the only one. @throws ToolError, DevToolsError */
export async function findExtension(
  window: ToolWindow,
  input: { text: (name: string) => string | undefined },
  signal: AbortSignal,
): Promise<FoundExtension> {
  const browser = await findBrowser(window, input.text('browser'), signal);
  const all = await withLink(window, browser, (link) => link.extensions());
  const named = input.text('extension') ?? window.build(browser.id)?.extensionId;
  const label = browserName(browser);
  const candidates = named === undefined ? all : all.filter((one) => isNamed(one, named));
  const [extension, ...others] = candidates;
  if (!extension) {
    const names = all.slice(0, MOST_NAMES).map(({ name }) => quoted(name, 60));
    const what = named === undefined ? 'No extension' : `No extension "${oneLine(named, 60)}"`;
    const there = names.length === 0 ? '' : ` There are: ${names.join(', ')}.`;
    throw new ToolError(`${what} is loaded in ${label}.${there}`, 'Call push_extension first.');
  }
  if (others.length > 0) {
    const names = candidates.slice(0, MOST_NAMES).map(({ id, name }) => `${quoted(name, 60)} (${id})`);
    throw new ToolError(`Several extensions are loaded in ${label}. Name one with "extension": ${names.join(', ')}.`);
  }
  if (!extension.enabled) throw new ToolError(`${quoted(extension.name, 60)} is disabled in ${label}. Push it again.`);
  return { browser, extension };
}
