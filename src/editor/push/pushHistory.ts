import { join } from 'node:path';
import { EventEmitter } from 'vscode';
import type { Archive } from '../../archive/packer';
import type { PushedBuilds } from '../../publish/pushedBuilds';
import type { BrowserOutcome } from '../../push/pushRun';
import type { PushOrigin } from '../../push/restartRule';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { ProblemWiring } from '../problems/problemWiring';
import type { PastPush } from './historyRows';
import { PastPushes } from './pastPushes';

/** A push of an extension folder that has ended in a browser, and who has asked for it. */
export interface EndedPush {
  folder: string;
  outcome: BrowserOutcome;
  origin: PushOrigin;
}

/** The pushes of this window, newest first, the errors since each, and the last builds. Forgotten with the window. */
export class PushHistory {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #ended = new EventEmitter<EndedPush>();
  /** Fires with each push that has ended in a browser, also when it has changed nothing. */
  readonly onDidEnd = this.#ended.event;
  readonly #past: PastPushes;
  /** The builds that were pushed last, once there is one. */
  #builds: Promise<PushedBuilds> | undefined;
  #readyBuilds: PushedBuilds | undefined;

  /** `service` identifies the service in use. */
  constructor(
    private readonly wiring: BrowserWiring & ProblemWiring,
    service: () => string,
  ) {
    const { records, errors } = wiring;
    this.#past = new PastPushes((...of) => errors.reported.countOf(...of));
    wiring.own(
      this.#changed,
      this.#ended,
      errors.onDidChange(() => this.#changed.fire()),
      records.onDidChange((browserId) => {
        // Before the errors are forgotten, which those do that listen later.
        this.#past.follow(browserId, records.get(browserId), records.isPushing(browserId), service());
      }),
      { dispose: () => this.#readyBuilds?.dispose() },
    );
  }

  get pushes(): readonly PastPush[] {
    return this.#past.all;
  }

  /** The path of the zip of what was pushed; undefined when it is no longer kept. */
  buildOf({ archive }: PastPush): string | undefined {
    return this.#readyBuilds?.pathOf(archive.digest);
  }

  /** Errors of the extension since a push, warnings not counted. */
  errorsSince(push: PastPush): number {
    return this.#past.errorsSince(push);
  }

  /** Adds a push that has ended in a browser of a service, unless it has changed nothing. */
  add({ folder, outcome, origin }: EndedPush, at: number, service: string): void {
    this.#ended.fire({ folder, outcome, origin });
    if (this.#past.add(folder, outcome, at, service)) this.#changed.fire();
  }

  /** Keeps what was pushed, so that it can be the old version of an update test. Never rejects. */
  async keep({ digest, zip, zipBytes }: Pick<Archive, 'digest' | 'zip' | 'zipBytes'>): Promise<void> {
    const { storageUri, globalStorageUri } = this.wiring.context;
    this.#builds ??= import('../../publish/pushedBuilds').then(
      ({ PushedBuilds: Builds }) => new Builds(join((storageUri ?? globalStorageUri).fsPath, 'builds')),
    );
    this.#readyBuilds = await this.#builds;
    await this.#readyBuilds.keep(digest, zipBytes, zip);
  }
}
