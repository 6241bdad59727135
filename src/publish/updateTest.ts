import * as l10n from '@vscode/l10n';
import { folderNameOf } from '../push/folderName';
import { realClock } from '../base/clock';
import { type ErrorRecord, locateError, recordOf } from '../console/errorSpots';
import type { BrowserLink } from '../devtools/connection/link';
import { findWorker } from '../devtools/extensions/inject';
import {
  dataState,
  installedNote,
  permissionWarnings,
  type InstallNote,
  watchData,
} from '../devtools/inPage/updateCalls';
import { whenLoaded } from '../devtools/pages/pageLoad';
import { closeTab } from '../devtools/pages/tabs';
import { evaluate, peek } from '../devtools/protocol/evaluate';
import type { HiddenPage } from '../devtools/protocol/hiddenPage';
import { callOf } from '../devtools/protocol/pageCall';
import type { ExportedStorage } from '../devtools/storage/exportFormat';
import { pagesOf } from '../manifest/namedPages';
import { pageAddress } from '../manifest/typedAddress';
import {
  type CheckedVersion,
  checkedVersion,
  checkRulesets,
  compareVersionsOf,
  type ComparedVersions,
} from './comparedVersions';
import {
  type DataDifference,
  differencesOf,
  type ExtensionData,
  fillStorage,
  openPage,
  readData,
  withPage,
} from './extensionData';
import { getOldVersion, type OldVersion, type OldVersionName, type OldVersionWiring } from './oldVersion';
import { type LoadedOutcome, TestedBrowser, type TestedBrowserOptions, type UpdateService } from './testedBrowser';
import { checksOf } from './updateChecks';
import type { UpdateReport } from './updateReport';
import { atStep, UpdateTestError, type UpdateStep } from './updateStep';

/** How long a page of the old version may take to load, in milliseconds. */
const PAGE_LIMIT_MS = 5000;

/** How long after that it stays open and may still write, in milliseconds. */
const PAGE_SETTLE_MS = 300;

/** When data has not changed for this time, in milliseconds, it counts as complete; and how long that is waited for at most. */
const QUIET_MS = 600;
const DATA_LIMIT_MS = 6000;

/** How long errors are waited for, in milliseconds (C-TIME-ERRORS). */
const ERRORS_MS = 700;

/** How long `runtime.onInstalled` may take to come to a worker that listens, in milliseconds, and the pause between two polls. */
const INSTALLED_LIMIT_MS = 5000;
const POLL_MS = 100;

/** The most errors of a report. */
const MOST_ERRORS = 50;

/** What is tested. */
export interface UpdateTestOrder extends Omit<TestedBrowserOptions, 'service' | 'log'> {
  /** The folder of the new build, absolute. */
  folder: string;
  /** The folder that holds its sources, absolute. */
  root: string;
  from: OldVersionName;
  /** What the old version has stored; without it, what it stores when its pages are opened. */
  storage?: ExportedStorage;
}

/** What a test works with. */
export interface UpdateTestWiring extends Omit<OldVersionWiring, 'service'>, Pick<TestedBrowserOptions, 'log'> {
  service: UpdateService & OldVersionWiring['service'];
  /** Called when a step begins. */
  onStep?: (step: UpdateStep) => void;
}

/**
 * Runs the old version of an extension in a new browser, updates it to the new build, and reports what that does to those who have it. Whatever
 * happens, the browser is ended and nothing is left on disk.
 * @throws UpdateTestError; the reason of `signal`
 */
export async function runUpdateTest(
  order: UpdateTestOrder,
  wiring: UpdateTestWiring,
  signal?: AbortSignal,
): Promise<UpdateReport> {
  const started = performance.now();
  const step = async <T>(name: UpdateStep, act: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    wiring.onStep?.(name);
    const began = performance.now();
    try {
      return await atStep(name, act, signal);
    } finally {
      wiring.log.debug(`Update test: the step ${name} took ${Math.round(performance.now() - began)} ms.`);
    }
  };
  const { service, log } = wiring;
  const { from, folder, settings } = order;
  const over = new AbortController();
  const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  // The new build is checked while the old one is got, its rulesets until it is loaded, and the browser starts once there surely is an old one.
  const checkingNext = checkedVersion('next', folder, settings, until);
  const checkingRulesets = checkingNext.then((next) => checkRulesets(next, settings, until));
  for (const checking of [checkingNext, checkingRulesets]) checking.catch(() => undefined);
  let starting: Promise<TestedBrowser> | undefined;
  const start = (): Promise<TestedBrowser> => {
    starting ??= TestedBrowser.start({ ...order, service, log }, signal);
    starting.catch(() => undefined);
    return starting;
  };
  let old: OldVersion | undefined;
  try {
    const got = await step('oldVersion', () =>
      getOldVersion(from, folder, { ...wiring, onFound: () => void start() }, signal),
    );
    old = got;
    void start().then(
      (browser) => browser.packAhead(got.folder),
      () => undefined,
    );
    const versions = await step('newBuild', () => compareVersionsOf(got, checkingNext, settings, signal));
    const browser = await step('browser', start);
    const test = new UpdateTest(order, { old: got, versions, browser }, signal);
    const loaded = await step('oldRuns', () => test.loadOld());
    browser.packAhead(folder);
    await step('data', () => test.fill(loaded));
    const updated = await step('update', async () => {
      await checkingRulesets;
      return await test.update();
    });
    return await step('report', () => test.report(loaded, updated, started));
  } finally {
    over.abort();
    const ended = starting?.then(
      (browser) => browser.end(),
      () => undefined,
    );
    await Promise.all([ended, old?.dispose()]);
  }
}

/** What a test has found before it needs the browser. */
interface Found {
  old: OldVersion;
  versions: ComparedVersions;
  browser: TestedBrowser;
}

/** What the new build has done. */
interface Updated {
  outcome: LoadedOutcome;
  /** Undefined where no worker could be asked. */
  note: InstallNote | undefined;
}

class UpdateTest {
  readonly #clock = realClock;
  readonly #placed: { key: string | undefined; folderName: string };

  constructor(
    private readonly order: UpdateTestOrder,
    private readonly found: Found,
    private readonly signal: AbortSignal | undefined,
  ) {
    const { key, next } = found.versions;
    // One folder for both, since it makes the id of an extension without a key.
    this.#placed = { key, folderName: folderNameOf(next.manifest.name, order.settings.folderName) };
  }

  async loadOld(): Promise<LoadedOutcome> {
    return await this.found.browser.push('old', this.found.versions.old, this.#placed, this.signal);
  }

  /** Gives the old version its storage, and reads what it has then. */
  async fill({ extensionId }: LoadedOutcome): Promise<void> {
    const { storage } = this.order;
    if (storage) this.#refuseForeign(storage, extensionId);
    this.#before = await this.found.browser.use(async (link) => {
      if (!storage) await this.#openPages(link, extensionId);
      return await withPage(link, extensionId, async (page) => {
        if (storage) await fillStorage(page, storage.areas);
        return await this.#settledData(page);
      });
    });
  }

  #before: ExtensionData | undefined;

  async update(): Promise<Updated> {
    const { browser } = this.found;
    const outcome = await browser.push('next', this.found.versions.next, this.#placed, this.signal);
    const note = await browser.use((link) => this.#installed(link, outcome.extensionId));
    return { outcome, note };
  }

  async report(loaded: LoadedOutcome, { outcome, note }: Updated, started: number): Promise<UpdateReport> {
    const { browser, old, versions } = this.found;
    const { extensionId } = outcome;
    const [{ after, oldWarnings, newWarnings }, { product }] = await browser.use((link) =>
      Promise.all([this.#seen(link, extensionId), link.connection.send('Browser.getVersion')]),
    );
    const before = this.#before ?? after;
    // With the list of public suffixes.
    const { permissionChange } = await import('../manifest/update/permissionChange');
    const permissions = permissionChange(versions.old.document, versions.next.document);
    const differences: DataDifference[] = differencesOf(before, after);
    const facts = {
      name: versions.next.manifest.name,
      extensionId,
      chromium: product,
      old: { version: versions.old.manifest.version, origin: old.origin, warnings: oldWarnings },
      next: { version: versions.next.manifest.version, origin: this.order.folder, warnings: newWarnings },
      permissions,
      installed: note?.listens === true ? note.came : undefined,
      errors: await this.#errors(extensionId),
      before,
      after,
      differences,
    };
    const checks = checksOf(facts, { versions, loaded, outcome, note });
    return { ...facts, checks, ms: Math.round(performance.now() - started) };
  }

  /** What is seen from a page of the new build: its data, and what the browser says to users of both versions; undefined where it does not say. */
  async #seen(
    link: BrowserLink,
    extensionId: string,
  ): Promise<Record<'oldWarnings' | 'newWarnings', string[] | undefined> & { after: ExtensionData }> {
    const { old, next } = this.found.versions;
    // It ends with the browser: Chromium would describe the whole extension once more, when it closes while errors are listened for.
    const page = await openPage(link, extensionId);
    const warningsOf = ({ manifest: { raw } }: CheckedVersion): Promise<string[] | undefined> =>
      evaluate(page.session, callOf(permissionWarnings, JSON.stringify(raw))).catch(() => undefined);
    const [after, oldWarnings, newWarnings] = await Promise.all([
      this.#settledData(page),
      warningsOf(old),
      warningsOf(next),
      this.found.browser.listErrors(extensionId),
      this.#clock.delay(ERRORS_MS, { signal: this.signal }),
    ]);
    return { after, oldWarnings, newWarnings };
  }

  /** @throws UpdateTestError for storage of another extension */
  #refuseForeign({ extension }: ExportedStorage, extensionId: string): void {
    const { old, key } = this.found.versions;
    // Without a key, the id depends on the machine, so the names are compared.
    const isSame = extension.id === extensionId || (key === undefined && extension.name === old.manifest.name);
    if (isSame) return;
    throw new UpdateTestError(
      'data',
      l10n.t(
        'The storage is of {0} ({1}), and the old version is {2} ({3}). Export the storage of the same extension.',
        extension.name,
        extension.id,
        old.manifest.name,
        extensionId,
      ),
    );
  }

  /** Opens the pages that the old version names, each in a tab that is closed again, so that they store what they store. */
  async #openPages(link: BrowserLink, id: string): Promise<void> {
    const paths = new Set(pagesOf(this.found.versions.old.manifest.raw).map(({ path }) => path));
    const closing: Promise<unknown>[] = [];
    for (const path of paths) {
      const url = pageAddress(id, path, () => true);
      if (url === undefined) continue;
      const { targetId } = await link.connection.send('Target.createTarget', { url });
      await whenLoaded(link, { url, targetId }, this.signal, PAGE_LIMIT_MS);
      // The next one loads meanwhile.
      const close = (): Promise<unknown> => closeTab(link.connection, { targetId, url });
      closing.push(
        this.#clock
          .delay(PAGE_SETTLE_MS, { signal: this.signal })
          .then(close)
          .catch(() => undefined),
      );
    }
    await Promise.all(closing);
    this.signal?.throwIfAborted();
  }

  /** What the extension has stored once that no longer changes, or after a time limit. */
  async #settledData(page: HiddenPage): Promise<ExtensionData> {
    const deadline = this.#clock.now() + DATA_LIMIT_MS;
    await evaluate(page.session, callOf(watchData));
    const stateOf = (): Promise<string> => evaluate(page.session, callOf(dataState));
    let state = await stateOf();
    for (let since = this.#clock.now(); this.#clock.now() - since < QUIET_MS && this.#clock.now() < deadline;) {
      await this.#clock.delay(POLL_MS, { signal: this.signal });
      const now = await stateOf();
      if (now !== state) since = this.#clock.now();
      state = now;
    }
    return await readData(page);
  }

  /** What the worker has noted of the event, which is waited for where it listens. */
  async #installed({ connection }: BrowserLink, id: string): Promise<InstallNote | undefined> {
    const worker = await findWorker(connection, id, this.#clock);
    if (!worker) return undefined;
    try {
      const deadline = this.#clock.now() + INSTALLED_LIMIT_MS;
      for (;;) {
        const note = (await peek(worker, callOf(installedNote), this.#clock)) ?? undefined;
        if (!note?.listens || note.came || this.#clock.now() > deadline) return note;
        await this.#clock.delay(POLL_MS, { signal: this.signal });
      }
    } finally {
      await worker.detach().catch(() => undefined);
    }
  }

  async #errors(extensionId: string): Promise<ErrorRecord[]> {
    const { folder, root } = this.order;
    const errors = await this.found.browser.errors(this.signal);
    const build = { folder, root, extensionId };
    return await Promise.all(
      errors.slice(0, MOST_ERRORS).map(async (error) => recordOf(error, await locateError(error, build))),
    );
  }
}
