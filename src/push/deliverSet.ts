import { basename, dirname } from 'node:path/posix';
import { listExtensions, type LoadedExtension, loadUnpacked, uninstall } from '../devtools/extensions/loadedExtensions';
import { LoadRefusedError } from '../devtools/protocol/loadRefused';
import { needsOfLoad, takeSnapshot } from './activate/activate';
import type { BrowserMachines } from './place/browserMachines';
import { Cancellation } from './pointOfNoReturn';
import type { KnownBuild } from './prepare/changes';
import type { DeliverRequest } from './deliverRequest';
import { find, whyUnverified } from './place/findExtension';
import { folderNameOf, isFolderOf, nextFolderName } from './folderName';
import { clearLeftovers } from './place/leftovers';
import type { DeliveryOutcome } from './outcome';
import { folderPath, placeWithoutRestart, stage, type StagedBuild, type StagedFolder, stagedAt } from './place/place';
import { placeAllByUpload } from './place/placeByUpload';
import { folderTimeOf, needsOf } from './activate/placed';
import type { Prepared } from './prepare/prepare';
import { runBuild } from './activate/runBuild';
import { mayBeBlocked, unblock } from './place/unblock';
import { RestartDeclinedError, type Upload, uploadOf } from './place/upload';

/** One extension of a set, and how it is delivered. */
export interface SetItem {
  prepared: Prepared;
  request: DeliverRequest;
}

/** What is known of an extension of a set before its files are placed. */
interface Planned extends SetItem {
  upload: Upload;
  path: string;
  loaded: LoadedExtension | undefined;
  /** The build that runs, where that is certain. */
  previous: KnownBuild | undefined;
  /** Whether its files replace those of a loaded extension without a restart. */
  isNext: boolean;
}

/** An extension of a set whose files are in place. */
interface PlacedItem extends Planned {
  staged: StagedBuild;
}

/**
 * Brings several extensions into one browser together: by one upload and one restart where some of them are new there, and each verified
 * on its own. When Chromium refuses one, what ran before is restored for all. Resolves to their outcomes, in their order. Rejects when the
 * service or the browser fails.
 */
export async function deliverSet(items: readonly SetItem[], signal?: AbortSignal): Promise<DeliveryOutcome[]> {
  const cancellation = new Cancellation(signal);
  try {
    return await deliverAll(items, cancellation);
  } catch (error) {
    if (error instanceof LoadRefusedError) return refusedTogether(items, error);
    if (error instanceof RestartDeclinedError || cancellation.signal.aborted) {
      return items.map(() => ({ outcome: 'cancelled' }));
    }
    throw error;
  } finally {
    cancellation.commit();
  }
}

async function deliverAll(items: readonly SetItem[], cancellation: Cancellation): Promise<DeliveryOutcome[]> {
  const [first, ...rest] = items;
  if (!first) return [];
  if (items.some(({ request }) => request.withoutFiles)) throw new Error('A set cannot be kept from files.');
  const { signal } = cancellation;
  const { service, session, known } = first.request;
  const { machines } = known;
  const listing = machines.list(service, session.id, signal);
  listing.catch(() => undefined);
  const search = ({ prepared, request }: SetItem): ReturnType<typeof find> =>
    find(prepared.manifest.name, request, listing, signal);
  // The first one finds out whether DevTools can be reached.
  const reached = await search(first);
  const found = [reached, ...(reached ? await Promise.all(rest.map(search)) : [])];
  if (machines.lacksFiles || !found.every((state) => state !== undefined)) {
    await listing.catch(() => undefined);
    return await deliverToNewFolders(items, reached !== undefined, cancellation);
  }
  const entries = await listing;
  const planned: Planned[] = [];
  for (const [index, item] of items.entries()) {
    const { request, prepared } = item;
    const loaded = found[index]?.loaded;
    const folderName = found[index]?.folderName ?? folderNameOf(prepared.manifest.name, request.folderName);
    const path = folderPath(machines, folderName);
    const upload = await uploadOf(prepared, request, folderName, cancellation);
    const running = loaded?.enabled ? await known.build(session, path, folderTimeOf(path, request)) : undefined;
    if (!running) await clearLeftovers(upload.placement, entries, signal);
    await dropSpare(item, upload, path);
    const isNext = loaded !== undefined && request.delivery !== 'restart';
    planned.push({ ...item, upload, path, loaded, previous: isNext ? running : undefined, isNext });
  }
  return await run(await place(planned, cancellation), cancellation);
}

/** Of several extensions, no push looks at the spares: all files are sent. */
async function dropSpare({ request: { session, known } }: SetItem, { placement }: Upload, path: string): Promise<void> {
  const spare = await known.takeSpare(session, path);
  if (spare) void stagedAt(placement, spare.path).discard();
}

/** Places the files of all, or of none. @throws LoadRefusedError, RestartDeclinedError, ServiceError */
async function place(planned: readonly Planned[], cancellation: Cancellation): Promise<PlacedItem[]> {
  const { signal } = cancellation;
  const fresh = planned.filter(({ isNext }) => !isNext);
  const mayRestart = fresh.length > 0 && fresh.every(({ request }) => request.delivery !== 'inPlace');
  const answers = mayRestart ? await Promise.all(fresh.map(({ upload }) => upload.askToRestart(true))) : [];
  const isRestart = answers[0] === 'restart';
  const folders = new Map<Planned, StagedFolder>();
  const builds = new Map<Planned, StagedBuild>();
  const undo = async (): Promise<void> => {
    for (const folder of folders.values()) await folder.discard();
    for (const build of [...builds.values()].reverse()) await build.rollback();
  };
  try {
    for (const item of planned) if (item.isNext) folders.set(item, await stage(item.upload.placement, signal));
    if (isRestart) {
      const placed = await placeAllByUpload(
        fresh.map(({ upload }) => upload.placement),
        signal,
      );
      for (const [index, build] of placed.entries()) setAt(builds, fresh[index], build);
      await reconnect(planned, builds, signal);
    } else {
      for (const item of fresh) builds.set(item, await placeWithoutRestart(item.upload.placement, signal));
    }
    signal.throwIfAborted();
    cancellation.commit();
    for (const [item, folder] of [...folders]) {
      item.request.known.drop(item.request.session, item.path);
      builds.set(item, await folder.swap());
      folders.delete(item);
    }
  } catch (error) {
    await undo().catch((failure: unknown) => {
      planned[0]?.request.log.warn(`The previous builds could not all be restored: ${String(failure)}`);
    });
    throw error;
  }
  return planned.flatMap((item) => {
    const staged = builds.get(item);
    // A restart ends the workers of all.
    return staged ? [{ ...item, staged: { ...staged, restarted: isRestart } }] : [];
  });
}

function setAt(builds: Map<Planned, StagedBuild>, item: Planned | undefined, build: StagedBuild): void {
  if (item) builds.set(item, build);
}

/** Connects again after the restart. Unblocks a browser that shows a modal dialog. @throws LoadRefusedError, DevToolsError */
async function reconnect(
  planned: readonly Planned[],
  builds: ReadonlyMap<Planned, StagedBuild>,
  signal: AbortSignal,
): Promise<void> {
  const request = planned[0]?.request;
  if (!request) return;
  const { service, session, connections, log } = request;
  const answers = (): Promise<unknown> =>
    connections.use(session, ({ connection }) => listExtensions(connection), signal);
  try {
    // A connection that the restart has broken may be noticed only now.
    await answers().catch(answers);
  } catch (error) {
    if (!mayBeBlocked(session, error)) throw error;
    const restoreFiles = async (): Promise<void> => {
      for (const build of builds.values()) await build.rollback();
    };
    const end = await unblock({ service, session, restoreFiles, log, parts: connections.parts }, signal);
    if (end === 'silent') throw error;
    if (end === 'unblocked')
      throw new LoadRefusedError('it showed the dialog "Error Loading Extension", which was closed');
  }
}

/** Has Chromium load all of them, one after the other, and verifies each. */
async function run(placed: readonly PlacedItem[], cancellation: Cancellation): Promise<DeliveryOutcome[]> {
  const outcomes: DeliveryOutcome[] = [];
  let decide: (isKept: boolean) => void = () => undefined;
  const decision = new Promise<boolean>((resolve) => (decide = resolve));
  cancellation.commit();
  try {
    for (const item of placed) {
      const { prepared, request, upload, path, loaded, previous } = item;
      const { session, connections, known } = request;
      known.drop(session, path);
      const { tabs } = needsOf(prepared, request, previous);
      const needs = item.staged.restarted ? needsOfLoad(tabs, prepared.manifest) : needsOf(prepared, request, previous);
      const snapshot = await connections.use(session, (link) => takeSnapshot(link, loaded?.id, needs));
      const staged = keptUntil(item.staged, decision);
      outcomes.push(await runBuild(prepared, request, { upload, path, loaded, previous, staged, snapshot, tabs }));
    }
    decide(true);
    return outcomes;
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) {
      decide(true);
      throw error;
    }
    decide(false);
    const refused = placed[outcomes.length];
    for (const item of placed) if (item !== refused) await restore(item);
    return outcomesOfRefusal(placed, (item) => item === refused, error);
  }
}

/** As `staged`, but its backup is kept until it is decided that it is not needed. */
function keptUntil(staged: StagedBuild, isKept: Promise<boolean>): StagedBuild {
  return {
    ...staged,
    commit: async () => {
      if (await isKept) await staged.commit();
    },
    keep: async () => ((await isKept) ? await staged.keep() : undefined),
  };
}

/** Has the browser run what it ran before: the previous build, or nothing. Never rejects. */
async function restore({ request, staged, path, loaded }: PlacedItem): Promise<void> {
  const { session, connections, known, log } = request;
  try {
    await staged.rollback();
    known.drop(session, path);
    await connections.use(session, async ({ connection }) => {
      const here = (await listExtensions(connection)).filter((extension) => extension.path === path);
      if (loaded) {
        await loadUnpacked(connection, path);
        return;
      }
      // An extension of the command line can be removed only after DevTools has loaded its folder, which now holds one that does nothing.
      const stub = staged.restarted ? await loadUnpacked(connection, path) : undefined;
      for (const id of new Set([...here.map((extension) => extension.id), ...(stub === undefined ? [] : [stub])])) {
        await uninstall(connection, id);
      }
    });
  } catch (error) {
    log.warn(`${path} could not be restored: ${String(error)}`);
  }
}

/** The outcomes of a set of which Chromium has refused some: those keep its text, and the others were held back by the first of them. */
function outcomesOfRefusal(
  items: readonly SetItem[],
  isRefused: (item: SetItem) => boolean,
  { chromium }: LoadRefusedError,
): DeliveryOutcome[] {
  const by = items.find(isRefused)?.prepared.manifest.name ?? '';
  return items.map((item) =>
    isRefused(item) ? { outcome: 'refusedByBrowser', chromium } : { outcome: 'heldBack', by, isRestored: true },
  );
}

/** The outcomes after the refusal of an upload: of those that its text names, or of all when it names none. */
function refusedTogether(items: readonly SetItem[], error: LoadRefusedError): DeliveryOutcome[] {
  const named = items.filter(({ prepared: { manifest }, request: { folderName } }) =>
    namesFolder(error.chromium, folderNameOf(manifest.name, folderName)),
  );
  return outcomesOfRefusal(items, (item) => named.length === 0 || named.includes(item), error);
}

/** Whether a text names a folder of extensions, which may be one that was made for a single push. */
function namesFolder(text: string, folderName: string): boolean {
  const at = text.split(/[\s/\\:"']+/);
  return at.some((word) => isFolderOf(folderName, word));
}

/** Delivers by the documented upload alone, each extension in a folder that no push has used; verified where DevTools is reached. */
async function deliverToNewFolders(
  items: readonly SetItem[],
  isReached: boolean,
  cancellation: Cancellation,
): Promise<DeliveryOutcome[]> {
  const [first] = items;
  if (!first) return [];
  cancellation.signal.throwIfAborted();
  const { session, known } = first.request;
  const isSent = items.map(({ prepared: { archive }, request }) => archive.digest !== request.unchangedDigest);
  const sent = items.filter((_item, index) => isSent[index]);
  const uploads = await Promise.all(
    sent.map(({ prepared, request }) => {
      const folderName = nextFolderName(folderNameOf(prepared.manifest.name, request.folderName));
      return uploadOf(prepared, request, folderName, cancellation);
    }),
  );
  const answers = await Promise.all(uploads.map((upload) => upload.askToRestart(false)));
  if (answers.some((answer) => answer !== 'restart')) throw new RestartDeclinedError();
  const builds = await placeAllByUpload(
    uploads.map(({ placement }) => placement),
    cancellation.signal,
  );
  const delivered: DeliveryOutcome[] = isReached
    ? await run(await inNewFolders(sent, uploads, builds, known.machines), cancellation)
    : sent.map(({ prepared: { manifest, archive } }, index) => {
        const { name, version } = manifest;
        const upload = uploads[index];
        upload?.done();
        const ms = upload?.elapsedMs() ?? 0;
        return { outcome: 'unverified', name, version, digest: archive.digest, ms, why: whyUnverified(session) };
      });
  let next = 0;
  return items.map(({ prepared: { archive } }, index) => {
    const outcome = isSent[index] ? delivered[next++] : undefined;
    return outcome ?? { outcome: 'unchanged', digest: archive.digest };
  });
}

/** The extensions as Chromium has loaded them from new folders, whose paths it knows. */
async function inNewFolders(
  items: readonly SetItem[],
  uploads: readonly Upload[],
  builds: readonly StagedBuild[],
  machines: BrowserMachines,
): Promise<PlacedItem[]> {
  const request = items[0]?.request;
  const extensions = request
    ? await request.connections.use(request.session, ({ connection }) => listExtensions(connection))
    : [];
  return items.flatMap((item, index) => {
    const [upload, staged] = [uploads[index], builds[index]];
    if (!upload || !staged) return [];
    const { folderName } = upload.placement;
    const shown = extensions.find(({ path }) => basename(path) === folderName)?.path;
    const path = shown ?? folderPath(machines, folderName);
    machines.noteLoaded(shown === undefined ? [] : [`${dirname(shown)}/${folderName}`]);
    return [{ ...item, upload, staged, path, loaded: undefined, previous: undefined, isNext: false }];
  });
}
