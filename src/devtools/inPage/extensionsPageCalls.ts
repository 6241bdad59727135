import type { ApiHostAccess, ConfigurationChange, ExtensionsPageApi } from './chromeApi';

declare const chrome: ExtensionsPageApi;
declare const location: { protocol: string };
declare const self: {
  /** How often each extension was loaded, by its id. */
  loads?: Record<string, number>;
  extensionsChanged?: (text: string) => void;
};

/**
 * Switches Developer mode of the profile on, by the script interface of chrome://extensions: `on`, or `refused` where that is not allowed.
 * `loading` until the page has that interface; `none` of a page that is not there, for which an error page is shown (C-PAGE-ERROR).
 */
export async function switchOnDeveloperMode(): Promise<'on' | 'refused' | 'loading' | 'none'> {
  const api: Partial<ExtensionsPageApi> | undefined = chrome;
  if (typeof api?.developerPrivate?.reload !== 'function') {
    return location.protocol === 'chrome-error:' ? 'none' : 'loading';
  }
  try {
    await api.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
    return 'on';
  } catch {
    return 'refused';
  }
}

/**
 * Makes the page count the loads of each extension, and report by the function `binding` that one was loaded, unloaded, installed or removed.
 * The events of `developerPrivate` report the same, but delay the new worker (C-RELOAD-EVENTS).
 */
export function countLoads(binding: 'extensionsChanged'): void {
  const loads: Record<string, number> = {};
  self.loads = loads;
  const { management } = chrome;
  management.onEnabled.addListener(({ id }) => {
    loads[id] = (loads[id] ?? 0) + 1;
    self[binding]?.('');
  });
  for (const event of [management.onDisabled, management.onInstalled, management.onUninstalled]) {
    event.addListener(() => self[binding]?.(''));
  }
}

/** How often an extension was loaded since {@link countLoads}. */
export function loadsOf(id: string): number {
  if (!self.loads) throw new Error('The page does not count loads.');
  return self.loads[id] ?? 0;
}

/**
 * Reloads an extension from its folder. Resolves to true, to Chromium's text when it refuses the files, or to false when it does not answer
 * within `limitMs` milliseconds: it never does for an extension that was disabled just now (C-RELOAD-DISABLED).
 */
export async function reloadExtension(id: string, limitMs: number): Promise<string | boolean> {
  return await Promise.race([
    chrome.developerPrivate
      .reload(id, { failQuietly: true, populateErrorForUnpacked: true })
      .then((failure) => failure?.error ?? true),
    new Promise<false>((resolve) => {
      setTimeout(resolve, limitMs, false);
    }),
  ]);
}

/** Enables or disables an extension; resolves to true. */
export async function setExtensionEnabled(id: string, isEnabled: boolean): Promise<true> {
  await chrome.management.setEnabled(id, isEnabled);
  return true;
}

/** Changes what a user can allow an extension; resolves to true. Chromium may reload it for that (C-RELOAD-SETTING). */
export async function changeConfiguration(change: ConfigurationChange): Promise<true> {
  await chrome.developerPrivate.updateExtensionConfiguration(change);
  return true;
}

/** Lets an extension run on the sites of a match pattern; resolves to true, and rejects with Chromium's text. */
export async function allowHost(id: string, pattern: string): Promise<true> {
  await chrome.developerPrivate.addHostPermission(id, pattern);
  return true;
}

/** What Chromium's own extensions page knows of the parts of an extension. */
export interface DescribedParts {
  views: { type: string; url: string }[];
  optionsUrl: string;
  hasWorkerFailed: boolean;
}

/** The views of an extension, its options page, and whether its worker has failed. */
export async function describeParts(id: string): Promise<DescribedParts> {
  const { views, optionsPage, runtimeErrors } = await chrome.developerPrivate.getExtensionInfo(id);
  return {
    views: views.map(({ type, url }) => ({ type, url })),
    optionsUrl: optionsPage?.url ?? '',
    hasWorkerFailed: runtimeErrors.some(({ isServiceWorker }) => isServiceWorker),
  };
}

/** A setting of an extension that its page in chrome://extensions switches. */
export interface Toggle {
  isOn: boolean;
  /** Whether it can be switched. */
  isPossible: boolean;
}

/** What a user can allow an extension. */
export interface ExtensionState {
  incognito: Toggle;
  fileAccess: Toggle;
  pinned: Toggle;
  /** Absent when the extension asks for no sites. */
  hosts?: { access: ApiHostAccess; granted: readonly string[]; asked: readonly string[] };
}

/** What a user has allowed an extension. */
export async function allowedOf(id: string): Promise<ExtensionState> {
  const { incognitoAccess, fileAccess, pinnedToToolbar, permissions } =
    await chrome.developerPrivate.getExtensionInfo(id);
  const sites = permissions.runtimeHostPermissions;
  return {
    incognito: { isOn: incognitoAccess.isActive, isPossible: incognitoAccess.isEnabled },
    fileAccess: { isOn: fileAccess.isActive, isPossible: fileAccess.isEnabled },
    pinned: { isOn: pinnedToToolbar === true, isPossible: pinnedToToolbar !== undefined },
    ...(sites && {
      hosts: {
        access: sites.hostAccess,
        granted: sites.hosts.filter(({ granted }) => granted).map(({ host }) => host),
        asked: sites.hosts.map(({ host }) => host),
      },
    }),
  };
}

/** The folder of an extension, as Chromium names it; undefined of a packed one. */
export async function folderOf(id: string): Promise<string | undefined> {
  const { path } = await chrome.developerPrivate.getExtensionInfo(id);
  return path;
}
