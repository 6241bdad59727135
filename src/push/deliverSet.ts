import { basename, dirname } from 'node:path/posix';
import { LoadRefusedError } from '../devtools/protocol/loadRefused';
import type { Placed } from './activate/activate';
import { folderTimeOf, needsOf } from './activate/placed';
import { needsOfLoad, takeSnapshot } from './activate/snapshot';
import { runBuild } from './activate/runBuild';
import { type Delivery, RestartDeclinedError } from './browserDelivery';
import { type Plan, planOf } from './deliveryPlan';
import { isFolderOf, nextFolderName } from './folderName';
import type { DeliveryOutcome } from './outcome';
import { find, unverified } from './place/findExtension';
import { clearLeftovers } from './place/leftovers';
import { folderPath, placeWithoutRestart, stage, type StagedBuild, type StagedFolder, stagedAt } from './place/place';
import { placeAllByUpload } from './place/placeByUpload';
import { unblockAfter } from './place/unblock';
import { type Upload, uploadOf } from './place/upload';

/** What is known of an extension of a set before its files are placed. */
interface Planned extends Pick<Placed, 'delivery' | 'path' | 'loaded' | 'previous'> {
  upload: Upload;
  plan: Plan;
}

/** An extension of a set whose files are in place. */
interface PlacedItem extends Planned {
  staged: StagedBuild;
}

/**
 * Brings several extensions into one browser together, by deliveries that are cancelled together: by one upload and one restart where some of
 * them are new there, and each verified on its own. When Chromium refuses one, what ran before is restored for all. Resolves to their outcomes,
 * in their order. Rejects when the service or the browser fails.
 */
export async function deliverSet(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
  const [first] = deliveries;
  if (!first) return [];
  try {
    return await deliverAll(first, deliveries);
  } catch (error) {
    if (error instanceof LoadRefusedError) return refusedTogether(deliveries, error);
    if (error instanceof RestartDeclinedError) return deliveries.map(() => error.outcome);
    if (first.signal.aborted) return deliveries.map(() => ({ kind: 'cancelled' }));
    throw error;
  } finally {
    first.cancellation.commit();
  }
}

async function deliverAll(first: Delivery, deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
  if (deliveries.some(({ demands }) => demands.withoutFiles)) throw new Error('A set cannot be kept from files.');
  const { service, browser, known, signal } = first;
  const { machines } = known;
  for (const { prepared } of deliveries) await prepared.localhost?.open(browser, signal);
  const listing = machines.list(service, browser.id, signal);
  listing.catch(() => undefined);
  // The first one finds out whether DevTools can be reached.
  const reached = await find(first, listing);
  const others = reached ? await Promise.all(deliveries.slice(1).map((delivery) => find(delivery, listing))) : [];
  const found = [reached, ...others];
  if (machines.lacksFiles || !found.every((state) => state !== undefined)) {
    await listing.catch(() => undefined);
    return await deliverToNewFolders(first, deliveries, reached !== undefined);
  }
  const entries = await listing;
  const planned: Planned[] = [];
  for (const [index, delivery] of deliveries.entries()) {
    const { folderName, loaded } = found[index] ?? { folderName: delivery.folderName, loaded: undefined };
    const path = folderPath(machines, folderName);
    const upload = await uploadOf(delivery, folderName);
    const running = loaded?.enabled
      ? await known.build(browser, path, folderTimeOf(path, delivery, signal))
      : undefined;
    if (!running) await clearLeftovers(upload, entries, signal);
    // Of several extensions, no push uses the spares: all files are sent.
    const spare = await known.takeSpare(browser, path);
    if (spare) void stagedAt(upload, spare.path).discard();
    const [isLoaded, isCertain] = [loaded !== undefined, running !== undefined];
    const seen = { isReached: true, lacksFiles: false, isLoaded, isCertain, isKeptByService: delivery.isKeptByService };
    // A set is delivered also where nothing has changed.
    const plan = planOf({ mode: delivery.mode, isUnchanged: false, ...seen });
    planned.push({ delivery, upload, path, loaded, previous: plan === 'next' ? running : undefined, plan });
  }
  return await run(await place(first, planned), first);
}

/** Places the files of all, or of none. @throws LoadRefusedError, RestartDeclinedError, ServiceError */
async function place(first: Delivery, planned: readonly Planned[]): Promise<PlacedItem[]> {
  const { browser, known, log, signal, cancellation } = first;
  const fresh = planned.filter(({ plan }) => plan !== 'next');
  const mayRestart = fresh.length > 0 && fresh.every(({ plan }) => plan === 'first');
  const answers = mayRestart
    ? await Promise.all(fresh.map(({ delivery }) => delivery.askToRestart({ canAvoid: true })))
    : [];
  const isRestart = answers[0] === 'restart';
  const isKept = fresh.length > 0 && fresh.every(({ plan }) => plan === 'firstKept');
  const folders = new Map<Planned, StagedFolder>();
  const builds = new Map<Planned, StagedBuild>();
  const undo = async (): Promise<void> => {
    for (const folder of folders.values()) await folder.discard();
    for (const build of [...builds.values()].reverse()) {
      await build.rollback().catch((failure: unknown) => {
        log.warn(`A previous build could not be restored: ${String(failure)}`);
      });
    }
  };
  try {
    for (const item of planned) if (item.plan === 'next') folders.set(item, await stage(item.upload, signal));
    if (isRestart || isKept) {
      const placed = await placeAllByUpload(
        fresh.map(({ upload }) => upload),
        signal,
        first.uploadRestart({ restarts: isRestart }),
      );
      for (const [index, build] of placed.entries()) setAt(builds, fresh[index], build);
      if (isRestart) await reconnect(first, builds);
    } else {
      for (const item of fresh) {
        if (item.loaded) folders.set(item, await stage(item.upload, signal));
        else builds.set(item, await placeWithoutRestart(item.upload, signal));
      }
    }
    signal.throwIfAborted();
    cancellation.commit();
    for (const [item, folder] of [...folders]) {
      known.drop(browser, item.path);
      builds.set(item, await folder.swap());
      folders.delete(item);
    }
  } catch (error) {
    await undo();
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
async function reconnect(delivery: Delivery, builds: Map<Planned, StagedBuild>): Promise<void> {
  const { browser, connections, signal } = delivery;
  const answers = (): Promise<unknown> => connections.use(browser, (link) => link.extensions(), signal);
  try {
    // A connection that the restart has broken may be noticed only now.
    await answers().catch(answers);
  } catch (error) {
    const restoreFiles = async (): Promise<void> => {
      for (const [item, build] of [...builds]) {
        await build.rollback();
        // A second rollback would discard what the first has restored.
        builds.delete(item);
      }
    };
    await unblockAfter(error, delivery, restoreFiles, signal);
  }
}

/** Has Chromium load all of them, one after the other, and verifies each. */
async function run(
  placed: readonly PlacedItem[],
  { browser, connections, known, cancellation }: Delivery,
): Promise<DeliveryOutcome[]> {
  const outcomes: DeliveryOutcome[] = [];
  let setKept: (isKept: boolean) => void = () => undefined;
  const isKept = new Promise<boolean>((resolve) => (setKept = resolve));
  cancellation.commit();
  try {
    for (const item of placed) {
      const { delivery, upload, path, loaded, previous } = item;
      known.drop(browser, path);
      const usual = await needsOf(delivery, previous);
      const { tabs } = usual;
      const { restarted: isAfterRestart } = item.staged;
      const needs = isAfterRestart ? { ...needsOfLoad(tabs, delivery.prepared.manifest), isAfterRestart } : usual;
      const snapshot = await connections.use(browser, (link) => takeSnapshot(link, loaded?.id, needs));
      const staged = keptUntil(item.staged, isKept);
      await delivery.prepared.localhost?.allow(browser, path);
      const { archive } = upload;
      outcomes.push(await runBuild({ delivery, archive, path, loaded, previous, staged, snapshot }));
    }
    setKept(true);
    return outcomes;
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) {
      setKept(true);
      throw error;
    }
    setKept(false);
    const refused = placed[outcomes.length];
    for (const item of placed) if (item !== refused) await restore(item);
    return outcomesOfRefusal(
      placed.map(({ delivery }) => delivery),
      (delivery) => delivery === refused?.delivery,
      error,
    );
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
async function restore({ delivery, staged, path, loaded }: PlacedItem): Promise<void> {
  const { browser, connections, known, log } = delivery;
  try {
    await staged.rollback();
    known.drop(browser, path);
    await connections.use(browser, async (link) => {
      const here = (await link.extensions()).filter((extension) => extension.path === path);
      if (loaded) {
        await link.loadFolder(path);
        return;
      }
      // An extension of the command line is removed after DevTools has loaded its folder (C-UNINSTALL-LOADED), which now holds one that does nothing.
      const stub = staged.restarted ? await link.loadFolder(path) : undefined;
      for (const id of new Set([...here.map((extension) => extension.id), ...(stub === undefined ? [] : [stub])])) {
        await link.uninstall(id);
      }
    });
  } catch (error) {
    log.warn(`${path} could not be restored: ${String(error)}`);
  }
}

/** The outcomes of a set of which Chromium has refused some: those keep its text, and the others were held back by the first of them. */
function outcomesOfRefusal(
  deliveries: readonly Delivery[],
  isRefused: (delivery: Delivery) => boolean,
  { chromium }: LoadRefusedError,
): DeliveryOutcome[] {
  const by = deliveries.find(isRefused)?.prepared.manifest.name ?? '';
  return deliveries.map((delivery) =>
    isRefused(delivery) ? { kind: 'refusedByBrowser', chromium } : { kind: 'heldBack', by, isRestored: true },
  );
}

/** The outcomes after the refusal of an upload: of those that its text names, or of all when it names none. */
function refusedTogether(deliveries: readonly Delivery[], error: LoadRefusedError): DeliveryOutcome[] {
  const named = deliveries.filter(({ folderName }) => namesFolder(error.chromium, folderName));
  return outcomesOfRefusal(deliveries, (delivery) => named.length === 0 || named.includes(delivery), error);
}

/** Whether a text names a folder of extensions, which may be one that was made for a single push. */
function namesFolder(text: string, folderName: string): boolean {
  const at = text.split(/[\s/\\:"']+/);
  return at.some((word) => isFolderOf(folderName, word));
}

/** Delivers by the documented upload alone, each extension in a folder that no push has used; verified where DevTools is reached. */
async function deliverToNewFolders(
  first: Delivery,
  deliveries: readonly Delivery[],
  isReached: boolean,
): Promise<DeliveryOutcome[]> {
  const { signal } = first;
  signal.throwIfAborted();
  const uploads = await Promise.all(
    deliveries.map((delivery) => uploadOf(delivery, nextFolderName(delivery.folderName))),
  );
  await Promise.all(deliveries.map((delivery) => delivery.askToRestart({ canAvoid: false })));
  const builds = await placeAllByUpload(uploads, signal);
  if (isReached) return await run(await inNewFolders(first, deliveries, uploads, builds), first);
  return deliveries.map(unverified);
}

/** The extensions as Chromium has loaded them from new folders, whose paths it knows. */
async function inNewFolders(
  { browser, connections, known }: Delivery,
  deliveries: readonly Delivery[],
  uploads: readonly Upload[],
  builds: readonly StagedBuild[],
): Promise<PlacedItem[]> {
  const { machines } = known;
  const extensions = await connections.use(browser, (link) => link.extensions());
  return deliveries.flatMap((delivery, index) => {
    const [upload, staged] = [uploads[index], builds[index]];
    if (!upload || !staged) return [];
    const { folderName } = upload;
    const shown = extensions.find(({ path }) => basename(path) === folderName)?.path;
    const path = shown ?? folderPath(machines, folderName);
    machines.noteLoaded(shown === undefined ? [] : [`${dirname(shown)}/${folderName}`]);
    return [{ delivery, upload, staged, path, loaded: undefined, previous: undefined, plan: 'newFolder' }];
  });
}
