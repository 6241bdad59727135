import { inTime } from '../../base/clock';
import { LatestRun } from '../../base/latestRun';
import { LOOPBACK_ORIGIN } from '../../base/loopback';
import type { DevToolsAddress } from '../../service/devToolsAddress';
import { AUTO_ATTACH, whileAttached } from '../protocol/attach';
import {
  connectDevTools,
  onDisconnected,
  type CDPSession,
  type Connection,
  type ConnectionWiring,
  type Protocol,
} from '../protocol/connect';
import { extensionOf } from '../protocol/extensionUrl';
import { traceOfCall, traceOfException, type ErrorTrace } from './errorTrace';
import { isHiddenPage } from '../protocol/hiddenPage';

type TargetInfo = Protocol.Target.TargetInfo;

/** Most errors a second that are read; a page may write any number. */
const MAX_A_SECOND = 50;

/** Most errors of an extension that are remembered since its last reload. */
const MAX_TRACES = 100;

/** How long the inspection of a worker or popup may take, in milliseconds (C-TIME-EVALUATE). */
const INSPECT_LIMIT_MS = 2000;

/**
 * When a popup is inspected after it has opened, in milliseconds: attached to for longer, it would not close when it loses the focus
 * (C-POPUP-ATTACHED).
 */
const POPUP_INSPECTIONS_MS = [300, 1000, 3000, 10_000];

/** What is attached to as long as it lives. Popups and side panels begin as `other`. */
const PAGES = ['page', 'background_page', 'iframe'];
const FILTER = [...PAGES, 'other'].map((type) => ({ type }));

/** What an event names that is about code of an extension, which a development server may have given. */
const OWN_CODE = new RegExp(`chrome-extension://|${LOOPBACK_ORIGIN}`);

/**
 * The errors of extensions with their stacks, as the inspectors of pages and workers remember them. Over a connection of its own, because what is
 * attached to automatically is a state of the connection. Pages are attached to while they live, workers and popups only for a moment: an
 * attached worker would not fall asleep, and an attached popup would not close. Each inspector replays what it has kept.
 */
export class ErrorTraces {
  /** Since the last reload of each extension. */
  readonly #traces = new Map<string, ErrorTrace[]>();
  readonly #targets = new Map<string, TargetInfo>();
  /** By target, the time of the latest event of it that was read, in milliseconds of the browser. */
  readonly #readUntil = new Map<string, number>();
  /** The targets that are inspected now. */
  readonly #inspections = new Map<string, LatestRun>();
  #second = 0;
  #count = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly onTrace: (trace: ErrorTrace) => void,
    private readonly clock: ConnectionWiring['clock'],
  ) {}

  /**
   * Begins to listen. `onTrace` is called with each error of any extension.
   * @throws DevToolsError
   */
  static async open(
    address: DevToolsAddress,
    onTrace: (trace: ErrorTrace) => void,
    { open, clock }: ConnectionWiring,
  ): Promise<ErrorTraces> {
    const filter = (message: string, pass: (message: string) => void): void => {
      if (mayBeNeeded(message)) pass(message);
    };
    const connection = await connectDevTools(address, undefined, filter, open);
    const traces = new ErrorTraces(connection, onTrace, clock);
    const note = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
      traces.#targets.set(targetInfo.targetId, targetInfo);
    };
    connection.on('Target.targetCreated', note);
    connection.on('Target.targetInfoChanged', note);
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      traces.#targets.delete(targetId);
      traces.#readUntil.delete(targetId);
    });
    connection.on('Target.attachedToTarget', traces.#onAttached);
    onDisconnected(connection, () => traces.#targets.clear());
    try {
      const workers = [...FILTER, { type: 'service_worker' }];
      await Promise.all([
        connection.send('Target.setDiscoverTargets', { discover: true, filter: workers }),
        connection.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: FILTER }),
      ]);
    } catch (error) {
      connection.dispose();
      throw error;
    }
    return traces;
  }

  /** The extension is about to be reloaded: what came before says nothing of the next build. */
  forget(extensionId: string): void {
    this.#traces.delete(extensionId);
  }

  /** The errors of an extension since its last reload. */
  since(extensionId: string): readonly ErrorTrace[] {
    return this.#traces.get(extensionId) ?? [];
  }

  /**
   * Inspects the workers of an extension, whose errors then are reported, at once: one that has ended may still be listed, and does not answer
   * (C-WORKER-LISTED). Never rejects.
   */
  async inspectWorkers(extensionId: string): Promise<void> {
    const isWorker = ({ type, url }: TargetInfo): boolean =>
      type === 'service_worker' && extensionOf(url) === extensionId;
    const workers = [...this.#targets.values()].filter(isWorker);
    await Promise.all(workers.map(({ targetId }) => this.#inspect(targetId)));
  }

  close(): void {
    this.connection.dispose();
  }

  readonly #onAttached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): void => {
    const session = this.connection.session(sessionId);
    if (!session || this.#inspections.has(targetInfo.targetId)) return;
    const { targetId, type, url } = targetInfo;
    if (!PAGES.includes(type) || isInternal(url)) {
      session.detach().catch(ignored);
      if (type === 'other' && !isInternal(url)) void this.#inspectRepeatedly(targetId);
      return;
    }
    this.#listen(session, targetId);
    session.on('Target.attachedToTarget', this.#onAttached);
    session.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: [{ type: 'iframe' }] }).catch(ignored);
    session.send('Runtime.enable').catch(ignored);
  };

  async #inspectRepeatedly(targetId: string): Promise<void> {
    let passedMs = 0;
    for (const at of POPUP_INSPECTIONS_MS) {
      await this.clock.delay(at - passedMs, { ref: false });
      passedMs = at;
      if (!this.#targets.has(targetId)) return;
      await this.#inspect(targetId);
    }
  }

  /** Attaches to a target for as long as its inspector takes to replay what it remembers. */
  async #inspect(targetId: string): Promise<void> {
    const inspections = this.#inspections.get(targetId) ?? new LatestRun(() => this.#inspectOnce(targetId));
    this.#inspections.set(targetId, inspections);
    await inspections.run();
    if (!inspections.isRunning) this.#inspections.delete(targetId);
  }

  async #inspectOnce(targetId: string): Promise<void> {
    const inspecting = whileAttached(this.connection, targetId, async (session) => {
      this.#listen(session, targetId);
      // The events of what has happened already come before the answer.
      await inTime(session.send('Runtime.enable'), INSPECT_LIMIT_MS, this.clock);
    });
    // The target may have gone.
    await inspecting.catch(ignored);
  }

  #listen(session: CDPSession, targetId: string): void {
    session.on('Runtime.consoleAPICalled', (event: Protocol.Runtime.ConsoleAPICalledEvent) => {
      this.#note(targetId, event.timestamp, (target) => traceOfCall(event, target));
    });
    session.on('Runtime.exceptionThrown', (event: Protocol.Runtime.ExceptionThrownEvent) => {
      this.#note(targetId, event.timestamp, (target) => traceOfException(event, target));
    });
  }

  #note(targetId: string, at: number, read: (target: TargetInfo) => ErrorTrace | undefined): void {
    const target = this.#targets.get(targetId);
    // What is replayed was read before.
    if (!target || at <= (this.#readUntil.get(targetId) ?? 0)) return;
    this.#readUntil.set(targetId, at);
    const trace = read(target);
    if (!trace || !this.#isAllowed()) return;
    const traces = this.#traces.get(trace.extensionId) ?? [];
    if (traces.length < MAX_TRACES) this.#traces.set(trace.extensionId, [...traces, trace]);
    this.onTrace(trace);
  }

  #isAllowed(): boolean {
    const second = Math.floor(this.clock.now() / 1000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    return this.#count <= MAX_A_SECOND;
  }
}

/** A target that has gone meanwhile has nothing more to say. */
const ignored = (): void => undefined;

/** Whether an address is that of a page of the browser itself, or of one that Sideload has opened. */
function isInternal(url: string): boolean {
  return url.startsWith('chrome://') || url.startsWith('devtools://') || isHiddenPage(url);
}

/** Whether a message can be of use, before it is parsed: most are what pages write for themselves. */
export function mayBeNeeded(message: string): boolean {
  const [, method = ''] = /^\{"method":"([\w.]+)"/.exec(message) ?? [];
  if (!method.startsWith('Runtime.')) return true;
  if (method === 'Runtime.exceptionThrown') return OWN_CODE.test(message);
  if (method !== 'Runtime.consoleAPICalled') return false;
  return /^.{0,100}"type":"(?:error|warning|assert)"/.test(message) && OWN_CODE.test(message);
}
