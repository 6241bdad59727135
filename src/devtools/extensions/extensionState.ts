import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { ApiAlarm, ConfigurationChange } from '../inPage/chromeApi';
import { allowedOf, allowHost, changeConfiguration, type ExtensionState } from '../inPage/extensionsPageCalls';
import { alarmsOf, dispatchAlarm, type OptionalPermission, optionalsOf, removePermissions } from '../inPage/stateCalls';
import { namesWorker } from '../inPage/surfaceCalls';
import { DevToolsError } from '../protocol/connect';
import { evaluate, peek } from '../protocol/evaluate';
import type { LoadedExtension } from '../protocol/loadedExtensions';
import { closeHiddenPages, HiddenPage } from '../protocol/hiddenPage';
import { callOf } from '../protocol/pageCall';
import { findWorker } from './inject';
import type { BrowserLink } from '../connection/link';
import { WorkerWatch } from '../workers/workers';
import type { WorkerStart } from '../workers/startingWorker';

/** How long a worker that was started may take to be found, in milliseconds, and the pause between two polls. */
const WORKER_LIMIT_MS = 3000;
const POLL_MS = 50;

/** How long a reload may take, in milliseconds (C-TIME-RELOAD). */
const RELOAD_LIMIT_MS = 3000;

/** Most alarms and permissions that are listed: there are no more alarms (C-ALARMS-MOST). */
const MOST_ENTRIES = 500;

/** What `configure` changes. */
export type StateChange = Omit<ConfigurationChange, 'extensionId'>;

/** The state of the extension `id`; undefined where the browser does not report it. Rejects when the extension is not loaded. */
export async function readState(
  link: Pick<BrowserLink, 'evaluateOnExtensionsPage'>,
  id: string,
): Promise<ExtensionState | undefined> {
  return await link.evaluateOnExtensionsPage(callOf(allowedOf, id));
}

/**
 * Changes the state of the extension `id`. Chromium reloads the extension for some settings (C-RELOAD-SETTING); then it resolves when the extension
 * is loaded again, or after a time limit.
 */
export async function configure(
  link: Pick<BrowserLink, 'connection' | 'targets' | 'loads' | 'evaluateOnExtensionsPage'>,
  id: string,
  change: StateChange,
): Promise<void> {
  const updating = callOf(changeConfiguration, { extensionId: id, ...change });
  const update = (): Promise<unknown> => link.evaluateOnExtensionsPage(updating);
  if (!('incognitoAccess' in change) && !('fileAccess' in change)) {
    await update();
    return;
  }
  const [loads] = await Promise.all([link.loads(id), closeHiddenPages(link, id)]);
  await update();
  const deadline = performance.now() + RELOAD_LIMIT_MS;
  while ((await link.loads(id)) === loads && performance.now() < deadline) await delay(POLL_MS);
}

/**
 * Lets the extension `id` run on the sites of a match pattern, and on others only where that was allowed before one by one. Rejects with
 * Chromium's text when it accepts no such pattern: the access is then what it was.
 */
export async function allowOnSite(link: BrowserLink, id: string, pattern: string): Promise<void> {
  const before = (await readState(link, id))?.hosts?.access;
  await configure(link, id, { hostAccess: 'ON_SPECIFIC_SITES' });
  try {
    await link.evaluateOnExtensionsPage(callOf(allowHost, id, pattern));
  } catch (error) {
    if (before) await configure(link, id, { hostAccess: before });
    throw error;
  }
}

/** The alarms of the extension; undefined when it has no permission for any. */
export async function listAlarms({ session }: HiddenPage): Promise<ApiAlarm[] | undefined> {
  return (await evaluate(session, callOf(alarmsOf)))?.slice(0, MOST_ENTRIES);
}

/**
 * How the attempt to fire an alarm ended; `unsupported`: this Chromium has no way to do it; `noWorker`: the extension has none, or it cannot
 * be started; `noListener`: the worker does not listen to alarms.
 */
export type FireEnd = 'fired' | 'noListener' | 'noWorker' | 'unsupported';

/** Calls the listeners of the worker of the extension `id` as if an alarm had gone off now; starts the worker if need be. */
export async function fireAlarm(link: BrowserLink, id: string, alarm: ApiAlarm): Promise<FireEnd> {
  const worker = (await findWorker(link.connection, id)) ?? (await startedWorker(link, id));
  if (!worker) return 'noWorker';
  try {
    // Not awaited, as the worker may be paused by a debugger.
    const end = await peek(worker, callOf(dispatchAlarm, { ...alarm, scheduledTime: Date.now() }));
    return end === 'fired' || end === 'noListener' || end === 'unsupported' ? end : 'noWorker';
  } finally {
    await worker.detach().catch(() => undefined);
  }
}

async function startedWorker(link: BrowserLink, id: string): ReturnType<typeof findWorker> {
  const workers = await link.workers();
  if (workers?.stateOf(id) === undefined) return undefined;
  const isStarted = await workers.start(id).catch(() => false);
  if (!isStarted) return undefined;
  const deadline = performance.now() + WORKER_LIMIT_MS;
  for (;;) {
    const worker = await findWorker(link.connection, id);
    if (worker || performance.now() > deadline) return worker;
    await delay(POLL_MS);
  }
}

/** The optional permissions of the extension. */
export async function optionalPermissions({ session }: HiddenPage): Promise<OptionalPermission[]> {
  return (await evaluate(session, callOf(optionalsOf))).slice(0, MOST_ENTRIES);
}

/** Revokes a granted permission. Resolves to whether Chromium did it; rejects with its text. */
export async function revokePermission({ session }: HiddenPage, permission: OptionalPermission): Promise<boolean> {
  const { name, isHost } = permission;
  const revoking = callOf(removePermissions, isHost ? { origins: [name] } : { permissions: [name] });
  return await evaluate(session, revoking);
}

/**
 * Whether a fresh install would give the extension access to files that it does not have: Chromium gives it to every extension that is new to it
 * (C-FLAG-FILE-ACCESS), also to one that an agent has pushed. To take it away again, Chromium loads the extension once more, and `onInstalled` says
 * `update`.
 */
export function wouldGainFiles(state: ExtensionState | undefined): boolean {
  return state?.fileAccess.isOn === false && state.fileAccess.isPossible;
}

/**
 * Uninstalls an extension with all that it has stored, and loads it again from its folder, so that its `onInstalled` says `install`. Its icon
 * stays in the toolbar, as after a push. The worker is undefined of one that has none, and may be paused by a debugger. `mayGainFiles`: a person has
 * allowed what {@link wouldGainFiles} says.
 * @throws DevToolsError when Chromium keeps it, or it would gain access to files; LoadRefusedError when Chromium does not load it again: it is
 * then gone
 */
export async function freshInstall(
  link: BrowserLink,
  { id, path }: LoadedExtension,
  signal: AbortSignal,
  { mayGainFiles = false }: { mayGainFiles?: boolean } = {},
): Promise<{ extension: LoadedExtension; worker: WorkerStart | undefined }> {
  const hasWorker = await hasNamedWorker(link, id);
  const state = await readState(link, id);
  const isPinned = state?.pinned.isOn === true;
  if (!mayGainFiles && wouldGainFiles(state)) {
    throw new DevToolsError(
      l10n.t('a fresh install would give the extension access to files; allow that first by Allow File Access'),
    );
  }
  await closeHiddenPages(link, id);
  try {
    await uninstall(link, { id, path });
    return await loadAgain(link, path, { isPinned, hasWorker }, signal);
  } catch (error) {
    await link.debuggers.restore(id);
    throw error;
  }
}

/** @throws DevToolsError when Chromium keeps the extension */
async function uninstall(link: BrowserLink, { id, path }: Pick<LoadedExtension, 'id' | 'path'>): Promise<void> {
  /** Resolves to whether it is gone. */
  const attempt = async (): Promise<boolean> => {
    // A worker that is paused at its start would not end (C-WORKER-PAUSED).
    await link.debuggers.release(id);
    await link.uninstall(id);
    return !(await link.extensions()).some((one) => one.id === id);
  };
  if (await attempt()) return;
  // It was loaded from the command line (C-UNINSTALL-LOADED).
  await link.loadFolder(path);
  if (!(await attempt())) throw new DevToolsError(l10n.t('Chromium does not uninstall the extension'));
}

/** Loads an extension that was uninstalled, and waits for its worker. */
async function loadAgain(
  link: BrowserLink,
  path: string,
  { isPinned, hasWorker }: { isPinned: boolean; hasWorker: boolean },
  signal: AbortSignal,
): ReturnType<typeof freshInstall> {
  const watch = await WorkerWatch.begin(link.connection, link.debuggers, link.clock);
  try {
    // The former worker may still be listed, and counts as a new one where there are debuggers.
    watch.forget();
    const newId = await link.loadFolder(path);
    if (isPinned) await link.pin(newId);
    const worker = hasWorker ? await watch.started(newId, signal) : undefined;
    const extension = (await link.extensions()).find((one) => one.id === newId);
    if (!extension) throw new DevToolsError(l10n.t('Chromium does not list the extension any more'));
    return { extension, worker };
  } finally {
    await watch.dispose();
  }
}

/** Whether the manifest of the extension `id` names a service worker; false for a disabled one, which has none that runs. */
async function hasNamedWorker({ connection }: BrowserLink, id: string): Promise<boolean> {
  const page = await HiddenPage.open(connection, id);
  const answer = await (page && peek(page.session, callOf(namesWorker)));
  await page?.close();
  return answer === true;
}
