import * as l10n from '@vscode/l10n';
import { isSamePath } from '../../base/disk';
import type { ReportedErrors } from '../../console/reportedErrors';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { browserKey } from '../../service/browserKey';
import { isSameVersion } from '../../manifest/values/version';
import type { DeliveryNote } from '../../push/turns/deliveryNotes';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { keyInService } from '../service/keyInService';
import { chosenOf } from '../targets/target';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { PushedExtension, PushRecord } from '../../push/known/pushRecords';

/** How often a browser without a DevTools connection is asked for, in milliseconds. */
const LOCAL_POLL_MS = 1500;
const REMOTE_POLL_MS = 10_000;

/** How much of a digest is logged, in characters. */
const LOGGED_DIGEST = 12;

/** A reload unloads and loads; what is there is checked when that is over, in milliseconds. */
const SETTLE_MS = 300;

/**
 * Keeps the records of pushes true: learns when a browser ends or restarts, when it loses the pushed extension, when it gets another copy of
 * it, and when another program pushes it. A connected browser reports that by itself; the service is asked for the others.
 */
export class Presence {
  /** By browser, as the others: see `#keyOf`. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The browsers that were pushed to and have not ended, and their service. */
  readonly #watched = new Map<string, { browser: Browser; service: string }>();
  /** What ends the watch of the pushes of other programs. */
  readonly #notes = new Map<string, Promise<() => void>>();
  #poll: NodeJS.Timeout | undefined;

  /** `errors`: of what was pushed, which are forgotten with it. */
  constructor(
    private readonly wiring: BrowserWiring,
    private readonly errors: Pick<ReportedErrors, 'keepOnly'>,
  ) {
    const { devTools, connection, lists } = wiring;
    const check = (browser: Browser): void => this.#schedule(browser);
    wiring.own(
      devTools.onLost(check),
      devTools.onExtensions(check),
      // A list that was never loaded says nothing, and the service of a window that shows none is not asked.
      lists.browsers.onDidLoad(() => {
        if (lists.browsers.isLoaded) void this.#checkChosen();
      }),
      connection.onDidChange(() => {
        // While another service was in use, nothing was heard of them.
        for (const browser of this.#current()) {
          this.#hear(browser, connection.key);
          this.#schedule(browser);
        }
      }),
      { dispose: () => this.#end() },
    );
  }

  /** Watches a browser of a service that was pushed to, until it has ended. */
  watch(browser: Browser, service: string): void {
    const key = this.#keyOf(browser, service);
    this.#watched.set(key, { browser, service });
    this.#hear(browser, service);
    this.#pollLater();
  }

  /** Watches the pushes of other programs to a browser, if its service is in use. */
  #hear(browser: Browser, service: string): void {
    const key = this.#keyOf(browser, service);
    if (service !== this.wiring.connection.key || this.#notes.has(key)) return;
    this.#notes.set(key, this.#watchNotes(browser, key));
  }

  #end(): void {
    clearTimeout(this.#poll);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const key of this.#notes.keys()) this.#unwatchNotes(key);
  }

  /** The chosen browsers may have ended while no window was open. Never rejects. */
  async #checkChosen(): Promise<void> {
    const { connection, records, lists, log } = this.wiring;
    const listed = new Set(lists.browsers.items.map(({ id }) => id));
    for (const { browserId, label } of chosenOf(this.wiring)) {
      const isKnown = (): boolean => records.get(browserId) !== undefined || records.isPushing(browserId);
      if (listed.has(browserId) || isKnown()) continue;
      try {
        const { key } = connection;
        const client = await connection.client();
        // The list may be a part, or older than the choice.
        const running = await client.findBrowser(browserId);
        if (running || isKnown() || connection.key !== key) continue;
        records.set(browserId, ended({ at: Date.now() }, label));
        log.info(`Browser ${label} has ended`);
      } catch (error) {
        log.debug(`Browser ${label} could not be checked: ${String(error)}`);
      }
    }
  }

  /** Never rejects. */
  async #watchNotes(browser: Browser, key: string): Promise<() => void> {
    const { connection, engines } = this.wiring;
    const client = await connection.client().catch(() => undefined);
    if (!client || this.#keyOf(browser) !== key) {
      // Another service is in use by now, or none can be.
      this.#notes.delete(key);
      return () => undefined;
    }
    const otherPrograms = await engines.otherPrograms();
    return await otherPrograms.watch(browserKey(client.baseUrl, browser.id), () => this.#schedule(browser));
  }

  #unwatchNotes(key: string): void {
    void this.#notes.get(key)?.then((end) => end());
    this.#notes.delete(key);
  }

  /** Names a browser among those of all services, since their ids may be the same. */
  #keyOf({ id }: Browser, service = this.wiring.connection.key): string {
    return keyInService(service, id);
  }

  #pollLater(): void {
    if (this.#poll !== undefined) return;
    const { connection, devTools } = this.wiring;
    this.#poll = setTimeout(
      () => {
        this.#poll = undefined;
        const asked = this.#current().filter(({ id }) => devTools.current?.isOpen(id) !== true);
        void Promise.all(asked.map((browser) => this.#check(browser, { withExtensions: false }))).then(() => {
          if (this.#watched.size > 0) this.#pollLater();
        });
      },
      connection.isLocal ? LOCAL_POLL_MS : REMOTE_POLL_MS,
    );
  }

  /** The watched browsers of the service in use: another service does not know the others. */
  #current(): Browser[] {
    const { key } = this.wiring.connection;
    return [...this.#watched.values()].flatMap(({ browser, service }) => (service === key ? [browser] : []));
  }

  #schedule(browser: Browser): void {
    const key = this.#keyOf(browser);
    clearTimeout(this.#timers.get(key));
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      // Another service may be in use by now.
      if (this.#keyOf(browser) === key) void this.#check(browser, { withExtensions: true });
    }, SETTLE_MS);
    this.#timers.set(key, timer);
  }

  /** Checks what is there now. Never rejects. `withExtensions`: also over DevTools, where that costs nothing. */
  async #check(browser: Browser, { withExtensions }: { withExtensions: boolean }): Promise<void> {
    const { connection, devTools, engines, records, log, lists } = this.wiring;
    const id = browser.id;
    const key = this.#keyOf(browser);
    let record = records.get(id);
    // The browser was deleted.
    if (!record && this.#watched.delete(key)) this.#unwatchNotes(key);
    if (!record || records.isPushing(id) || !this.#watched.has(key)) return;
    try {
      const client = await connection.client();
      const running = await client.findBrowser(id);
      if (records.get(id) !== record || records.isPushing(id)) return;
      if (!running) {
        this.#watched.delete(key);
        this.#unwatchNotes(key);
        records.set(id, ended(record, browserLabel(browser)));
        log.info(`Browser ${browserLabel(browser)} has ended`);
        await lists.browsers.refresh();
        return;
      }
      records.follow([running]);
      const [connections, otherPrograms] = await Promise.all([devTools.load(), engines.otherPrograms()]);
      const note = await otherPrograms.lastOf(browserKey(client.baseUrl, id), record, record.at);
      if (records.get(id) !== record || records.isPushing(id)) return;
      if (note) record = this.#noteOther(running, note);
      const isFree = connection.isLocal || connections.of(client).isOpen(id);
      if (!withExtensions || !isFree || record.extensionId === undefined) return;
      const extensions = await connections.of(client).use(running, (link) => link.extensions());
      if (records.get(id) !== record || records.isPushing(id)) return;
      this.errors.keepOnly(id, new Set(extensions.flatMap((one) => (one.enabled ? [one.id] : []))));
      const now = presentState(record, extensions, browserLabel(running));
      if (now.state === record.state && now.reason === record.reason) return;
      records.set(id, now);
      if (now.reason !== '') log.warn(now.reason);
    } catch (error) {
      log.debug(`Browser ${browserLabel(browser)} could not be checked: ${String(error)}`);
    }
  }

  /** Another program has pushed the extension, after this window. Returns the record of that push. */
  #noteOther(browser: Browser, note: DeliveryNote): PushRecord {
    const { records, log } = this.wiring;
    const id = browser.id;
    const record = recordOfOther(note, browserLabel(browser));
    const known = records.build(id);
    if (known && !isSamePath(known.folder, note.folder)) records.dropBuild(id);
    records.set(id, record);
    const build = `${note.name} ${note.version}, build ${note.digest.slice(0, LOGGED_DIGEST)}`;
    log.info(`Another program has pushed ${build} to ${browserLabel(browser)}: ${note.outcome}`);
    return record;
  }
}

/** What is known of a browser after another program has pushed to it. */
function recordOfOther(note: DeliveryNote, browser: string): PushRecord {
  const { name, version, digest, at, extensionId } = note;
  const base = { at, name, version, digest, byOther: true };
  switch (note.outcome) {
    case 'running':
      return { ...base, state: 'running', reason: '', label: '', ...(extensionId !== undefined && { extensionId }) };
    case 'unverified': {
      const reason = l10n.t('Another program has delivered {0} {1} to {2}, not verified.', name, version, browser);
      return { ...base, state: 'unverified', reason, label: l10n.t('delivered, not verified') };
    }
    default: {
      const reason = l10n.t('Another program has pushed {0} {1} to {2}, and that failed.', name, version, browser);
      return { ...base, state: 'failed', reason, label: l10n.t('push of another program failed') };
    }
  }
}

function ended(record: Omit<PushRecord, 'state' | 'label' | 'reason'>, browser: string): PushRecord {
  const reason = l10n.t('{0} has ended.', browser);
  return { ...record, state: 'stopped', hasEnded: true, label: l10n.t('has ended'), reason };
}

/** The record by what the browser has loaded now. */
function presentState(record: PushRecord, loaded: readonly LoadedExtension[], browser: string): PushRecord {
  const { extensionId = '', version = '', name = '', together = [{ extensionId, version, name }] } = record;
  for (const pushed of together) {
    const lack = lackOf(pushed, loaded, browser);
    if (lack) return { ...record, state: 'stopped', lacking: pushed.extensionId, ...lack };
  }
  const { lacking: _lacking, ...rest } = record;
  return { ...rest, state: 'running', label: '', reason: '' };
}

/** What is no longer so of an extension that was pushed; undefined when it runs as it was pushed. */
function lackOf(
  { extensionId, version, name }: PushedExtension,
  loaded: readonly LoadedExtension[],
  browser: string,
): Pick<PushRecord, 'label' | 'reason'> | undefined {
  const ours = loaded.find(({ id }) => id === extensionId);
  if (!ours) return { label: l10n.t('was removed'), reason: l10n.t('{0} was removed from {1}.', name, browser) };
  if (!ours.enabled) return { label: l10n.t('is disabled'), reason: l10n.t('{0} is disabled in {1}.', name, browser) };
  if (!isSameVersion(ours.version, version)) {
    return {
      label: l10n.t('another version runs'),
      reason: l10n.t('{0} runs version {1} of {2}, which another push has brought.', browser, ours.version, name),
    };
  }
  const copies = loaded.filter((other) => other.enabled && other.id !== extensionId && other.name === ours.name);
  if (copies.length > 0) {
    const ids = copies.map(({ id }) => id).join(', ');
    return {
      label: l10n.t('runs more than once'),
      reason: l10n.t(
        'Another copy of {0} is enabled in {1}: {2}. Push again, and Sideload offers to remove it.',
        name,
        browser,
        ids,
      ),
    };
  }
  return undefined;
}
