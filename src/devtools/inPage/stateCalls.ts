import type { ApiAlarm, ApiPermissions, ExtensionApi, RegisteredScript } from './chromeApi';

declare const chrome: ExtensionApi;
declare const self: { chrome?: Partial<ExtensionApi> };

/** In a page of the extension: its alarms; undefined when it has no permission for any. */
export async function alarmsOf(): Promise<ApiAlarm[] | undefined> {
  return await chrome.alarms?.getAll();
}

/** In the worker: calls the listeners for alarms as if one had gone off. */
export function dispatchAlarm(alarm: ApiAlarm): 'fired' | 'noListener' | 'unsupported' {
  const event = self.chrome?.alarms?.onAlarm;
  if (typeof event?.dispatch !== 'function') return 'unsupported';
  if (!event.hasListeners()) return 'noListener';
  event.dispatch(alarm);
  return 'fired';
}

/** A permission that the manifest lists as optional. */
export interface OptionalPermission {
  name: string;
  isHost: boolean;
  isGranted: boolean;
}

/** In a page of the extension: its optional permissions, each once. */
export async function optionalsOf(): Promise<OptionalPermission[]> {
  const { optional_permissions = [], optional_host_permissions = [] } = chrome.runtime.getManifest();
  const names = [...new Set([...optional_permissions, ...optional_host_permissions])];
  return await Promise.all(
    names.map(async (name) => {
      const isHost = name === '<all_urls>' || name.includes('://');
      const asked = isHost ? { origins: [name] } : { permissions: [name] };
      return { name, isHost, isGranted: await chrome.permissions.contains(asked).catch(() => false) };
    }),
  );
}

/** In a page of the extension: revokes granted permissions; resolves to whether Chromium did it, and rejects with its text. */
export async function removePermissions(permissions: ApiPermissions): Promise<boolean> {
  return await chrome.permissions.remove(permissions);
}

/** In a page or the worker of an extension: the files of its registered content and user scripts; null where these cannot be asked for. */
export async function registeredPaths(): Promise<unknown[] | null> {
  const { scripting, userScripts } = chrome;
  if (!scripting && !userScripts) return null;
  const scripts: RegisteredScript[][] = await Promise.all([
    scripting?.getRegisteredContentScripts() ?? [],
    userScripts?.getScripts() ?? [],
  ]);
  return scripts
    .flat()
    .flatMap(({ js = [], css = [] }) => [...js, ...css])
    .map((script) => (typeof script === 'string' ? script : (script.file ?? script)));
}

/** The fields of a `content_scripts` entry that an injection needs, by their names in the manifest. */
export interface ContentScripts {
  matches: string[];
  exclude_matches: string[];
  js: string[];
  css: string[];
  all_frames: boolean;
  world: 'ISOLATED' | 'MAIN';
}

/**
 * In the worker: injects content scripts into the tabs with these addresses; resolves to the addresses of those that it has injected into, or to
 * the reason why there are none.
 */
export async function injectScripts(
  entries: readonly ContentScripts[],
  urls: readonly string[],
): Promise<string[] | string> {
  const { scripting, tabs } = chrome;
  if (!scripting) return 'it has no "scripting" permission';
  const reached = new Set<string>();
  let reason = 'it has no permission for the hosts of these pages';
  for (const { matches, exclude_matches, js, css, all_frames, world } of entries) {
    const excluded = exclude_matches.length > 0 ? await tabs.query({ url: exclude_matches }) : [];
    for (const { id, url } of await tabs.query({ url: matches })) {
      if (url === undefined || !urls.includes(url) || excluded.some((tab) => tab.id === id)) continue;
      const target = { tabId: id, allFrames: all_frames };
      try {
        if (css.length > 0) await scripting.insertCSS({ target, files: css });
        if (js.length > 0) await scripting.executeScript({ target, files: js, world, injectImmediately: true });
        reached.add(url);
      } catch (error) {
        reason = (error as Error).message;
      }
    }
  }
  return reached.size > 0 || urls.length === 0 ? [...reached] : reason;
}
