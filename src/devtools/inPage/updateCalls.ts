import type { ExtensionApi } from './chromeApi';

declare const chrome: ExtensionApi;
declare const self: {
  chrome?: Partial<ExtensionApi>;
  indexedDB: { databases(): Promise<{ name?: string; version?: number }[]> };
  /** What {@link noteInstalled} has seen. */
  sideloadInstalled?: InstallNote;
  /** How often storage has changed since {@link watchData}. */
  sideloadChanges?: number;
};

/** Whether a worker listens to `runtime.onInstalled`, and what the event has said; null while it has not come. */
export interface InstallNote {
  listens: boolean;
  came: { reason: string; previousVersion: string } | null;
}

/**
 * In a worker, before its first statement: notes the event `runtime.onInstalled` when it comes. It adds a listener with the first one of the
 * extension, and only then, since Chromium remembers which events a worker listens to.
 */
export function noteInstalled(): void {
  const note: InstallNote = { listens: false, came: null };
  self.sideloadInstalled = note;
  const event = self.chrome?.runtime?.onInstalled;
  if (!event) return;
  const add = event.addListener.bind(event);
  event.addListener = (...listener) => {
    add(...listener);
    if (note.listens) return;
    note.listens = true;
    add(({ reason, previousVersion = '' }) => {
      note.came ??= { reason, previousVersion };
    });
  };
}

/** In that worker: what was noted so far; null where nothing notes it. */
export function installedNote(): InstallNote | null {
  return self.sideloadInstalled ?? null;
}

/** In a page of an extension: what Chromium says to users about the permissions of a manifest, which is given as JSON. Rejects with its text. */
export async function permissionWarnings(manifest: string): Promise<string[]> {
  return await chrome.management.getPermissionWarningsByManifest(manifest);
}

/** In a page of an extension: the names and versions of its IndexedDB databases. */
export async function databasesOf(): Promise<{ name: string; version: number }[]> {
  const found = await self.indexedDB.databases();
  return found.map(({ name = '', version = 0 }) => ({ name, version }));
}

/** In a page of an extension: notes from now on that its storage changes, but for that of the session, which no update keeps. */
export function watchData(): void {
  self.sideloadChanges = 0;
  self.chrome?.storage?.onChanged.addListener((_changes, area) => {
    if (area !== 'session') self.sideloadChanges = (self.sideloadChanges ?? 0) + 1;
  });
}

/** In that page: a text that stays the same while the extension stores nothing, and has the same databases and alarms. */
export async function dataState(): Promise<string> {
  const [databases, alarms = []] = await Promise.all([self.indexedDB.databases(), self.chrome?.alarms?.getAll()]);
  const known = databases.map(({ name, version }) => [name, version]);
  const set = alarms.map(({ name, periodInMinutes }) => [name, periodInMinutes]);
  return JSON.stringify([self.sideloadChanges, known.map(String).sort(), set.map(String).sort()]);
}
