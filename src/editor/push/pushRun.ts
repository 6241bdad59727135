import type { WorkspaceFolder } from 'vscode';
import type { FolderPackers } from '../../archive/packers';
import type { LoadedExtension } from '../../devtools/extensions';
import type { BrowserConnections } from '../../push/browsers';
import type { DeliverRequest } from '../../push/deliverRequest';
import type { LocalhostScan } from '../../push/developmentBuild';
import type { PushOutcome, PushStep } from '../../push/outcome';
import type { Prepared } from '../../push/prepare';
import type { ServiceClient } from '../../service/client';
import type { BrowserSession } from '../../service/model';
import { browserLabel, browsersLabel } from '../lists/labels';
import type { Log } from '../log';
import type { FolderSettings } from '../settings';
import { stepLine } from './stepText';

/** How a push ended in one browser: as the push says, or by an error of the service, the browser or the disk. */
export type PushEnd = PushOutcome | { outcome: 'failed'; error: unknown };

export interface BrowserEnd {
  session: BrowserSession;
  end: PushEnd;
  /** It ended before anything was delivered, for a reason that holds for every browser. */
  isForAll: boolean;
}

/** Other copies of the extension that are to be removed, by the session id of their browser. */
export type Copies = ReadonlyMap<string, readonly LoadedExtension[]>;

export interface PushRunOptions {
  service: ServiceClient;
  isLocal: boolean;
  browsers: BrowserConnections;
  packers: FolderPackers;
  localhostScan: LocalhostScan;
  log: Log;
  folder: WorkspaceFolder;
  /** The extension folder, absolute. */
  path: string;
  settings: FolderSettings;
  sessions: readonly BrowserSession[];
  /** What is to be taken out of the browsers before the delivery. */
  copies: Copies;
  /** Digest of the archive that a browser runs, when the same is not to be delivered again. */
  unchangedDigest: (sessionId: string) => string | undefined;
  /** Asked at most once in a run. */
  confirmRestart: () => Promise<boolean>;
  onStep: (step: PushStep) => void;
}

/**
 * One push of a folder to one or several browsers: it is checked and packed once, when the first browser is ready for it, and
 * delivered to each when that one is ready.
 */
export class PushRun {
  #prepared: Promise<Prepared | PushEnd> | undefined;
  #mayRestart: Promise<boolean> | undefined;

  /** `signal` ends all of it. */
  constructor(
    private readonly options: PushRunOptions,
    private readonly signal?: AbortSignal,
  ) {}

  /** Never rejects: what went wrong is an end, too. */
  async deliver(session: BrowserSession): Promise<BrowserEnd> {
    const prepared = await (this.#prepared ??= this.#prepare());
    if ('outcome' in prepared) return { session, end: prepared, isForAll: true };
    try {
      await this.#removeCopies(session);
      const { deliver } = await import('../../push/deliver');
      return { session, end: await deliver(prepared, this.#requestFor(session), this.signal), isForAll: false };
    } catch (error) {
      return { session, end: { outcome: 'failed', error }, isForAll: false };
    }
  }

  async #prepare(): Promise<Prepared | PushEnd> {
    const { isLocal, packers, localhostScan, path, settings, sessions } = this.options;
    const { exclude, include, storeHints } = settings;
    try {
      const { prepare } = await import('../../push/prepare');
      const onStep = this.#stepsTo(browsersLabel(sessions));
      const request = { folder: path, exclude, include, storeHints, isLocal, packers, localhostScan, onStep };
      return await prepare(request, this.signal);
    } catch (error) {
      return { outcome: 'failed', error };
    }
  }

  async #removeCopies(session: BrowserSession): Promise<void> {
    const copies = this.options.copies.get(session.session_id);
    if (!copies) return;
    const { removeCopies } = await import('../../push/copies');
    const { service, browsers, log } = this.options;
    await removeCopies({ service, session, browsers, log }, copies, this.signal);
    for (const { id, path } of copies) log.info(`Removed the copy ${id} (${path}) from ${browserLabel(session)}`);
  }

  #requestFor(session: BrowserSession): DeliverRequest {
    const { service, browsers, log, settings } = this.options;
    const { delivery, tabs, folderName } = settings;
    return {
      service,
      session,
      browsers,
      delivery,
      tabs,
      folderName,
      unchangedDigest: this.options.unchangedDigest(session.session_id),
      confirmRestart: () => (this.#mayRestart ??= this.options.confirmRestart()),
      log,
      onStep: this.#stepsTo(browserLabel(session)),
    };
  }

  /** Tells of steps; `browser` says where to, in the words of the log. */
  #stepsTo(browser: string): (step: PushStep) => void {
    const { log, folder, onStep } = this.options;
    return (step) => {
      const line = stepLine(step);
      if (line !== undefined) log.info(`Push ${folder.name} to ${browser}: ${line}`);
      onStep(step);
    };
  }
}
