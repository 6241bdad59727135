import type { ConnectionWiring } from '../../src/devtools/protocol/connect';
import { BrowserLink, type LinkEvents } from '../../src/devtools/connection/link';
import type { MessageTransport } from '../../src/devtools/protocol/webSocket';
import { WorkerDebuggers } from '../../src/devtools/workers/workerDebuggers';
import type { TestClock } from '../support/testClock';
import { IN_MEMORY } from '../support/devToolsAddress';

type Fields = Readonly<Record<string, unknown>>;

/** A command that the browser has received. */
export interface Received {
  method: string;
  params: Fields;
  /** The target whose session it was sent over; undefined of the browser itself. */
  target: string | undefined;
}

/** What a command is answered: a result, an error, or nothing at all. */
export type Reply = object | Error | undefined;

/** A target of the browser. */
export interface ScriptedTarget {
  targetId: string;
  type: string;
  url: string;
}

/**
 * A browser in memory that has targets, and answers what a test says. Without that, it answers each command with an empty result; a session
 * with a target begins with its event, as in Chromium.
 */
export class ScriptedBrowser implements MessageTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly received: Received[] = [];
  readonly #targets = new Map<string, ScriptedTarget>();
  readonly #replies = new Map<string, (command: Received) => Reply | Promise<Reply>>();
  /** The targets of the sessions that are open. */
  readonly #sessions = new Map<string, string>();
  #count = 0;
  #isDiscovered = false;
  /** What it attaches to by itself, as a filter; undefined of nothing. */
  #attaches: unknown;

  /** Connects to it as a push does. */
  async link(
    clock: TestClock,
    events: LinkEvents = {},
    debuggers: WorkerDebuggers = new WorkerDebuggers(),
  ): Promise<BrowserLink> {
    const wiring: ConnectionWiring = { open: () => Promise.resolve(this), clock };
    return await BrowserLink.open(IN_MEMORY, events, undefined, debuggers, wiring);
  }

  /** Ends the connection, as a restart does; the next one finds neither sessions nor targets. */
  lose(): void {
    this.#sessions.clear();
    this.#isDiscovered = false;
    this.#attaches = undefined;
    this.#targets.clear();
    this.onclose?.();
  }

  /** Answers a command from now on. */
  on(method: string, reply: (command: Received) => Reply | Promise<Reply>): this {
    this.#replies.set(method, reply);
    return this;
  }

  /** Answers `Runtime.evaluate` with a value, an error that the expression throws, or, for undefined, not at all. */
  onEvaluate(value: (expression: string, command: Received) => unknown): this {
    return this.on('Runtime.evaluate', async (command) => {
      const answer = await value(String(command.params['expression']), command);
      if (answer === undefined) return undefined;
      if (answer instanceof Error) {
        return {
          result: { type: 'object' },
          exceptionDetails: { text: 'Uncaught', exception: { description: answer.message } },
        };
      }
      return { result: { type: typeof answer, value: answer } };
    });
  }

  /** Opens a target that the browser attaches to by itself; its session's id is the target's with a prefix. */
  attach(targetId: string, url: string, type: string, waitingForDebugger: boolean): string {
    const sessionId = `auto-${targetId}`;
    this.show(targetId, url, type);
    this.#sessions.set(sessionId, targetId);
    const targetInfo = { targetId, type, url, title: '', attached: true };
    this.event('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger });
    return sessionId;
  }

  /** Opens a target, or changes it. */
  show(targetId: string, url: string, type = this.#targets.get(targetId)?.type ?? 'page'): void {
    const isKnown = this.#targets.has(targetId);
    this.#targets.set(targetId, { targetId, type, url });
    if (this.#isDiscovered) this.#tellOf(targetId, isKnown ? 'Target.targetInfoChanged' : 'Target.targetCreated');
  }

  /** Closes a target with its sessions. */
  remove(targetId: string): void {
    if (!this.#targets.delete(targetId)) return;
    for (const [sessionId, target] of this.#sessions) if (target === targetId) this.#end(sessionId);
    this.event('Target.targetDestroyed', { targetId });
  }

  /** Sends an event, over the sessions with a target if one is named. */
  event(method: string, params: object, target?: string): void {
    if (target === undefined) this.#tell({ method, params });
    for (const [sessionId, of] of this.#sessions) if (of === target) this.#tell({ method, params, sessionId });
  }

  /** The methods that were sent to a target, in their order. */
  methodsOf(target: string | undefined): string[] {
    return this.received.filter((command) => command.target === target).map(({ method }) => method);
  }

  /** The target of this id, while it is open. */
  target(targetId: string): ScriptedTarget | undefined {
    return this.#targets.get(targetId);
  }

  /** How many sessions with targets are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  send(message: string): void {
    const {
      id,
      method,
      sessionId,
      params = {},
    } = JSON.parse(message) as {
      id: number;
      method: string;
      sessionId?: string;
      params?: Fields;
    };
    const on = sessionId === '' ? undefined : sessionId;
    const command: Received = { method, params, target: on === undefined ? undefined : this.#sessions.get(on) };
    this.received.push(command);
    const answer = (reply: Reply): void => {
      if (reply === undefined) return;
      const outcome = reply instanceof Error ? { error: { code: -32000, message: reply.message } } : { result: reply };
      this.#tell({ id, ...(on !== undefined && { sessionId: on }), ...outcome });
    };
    const reply = this.#replies.get(method);
    if (reply) void Promise.resolve(reply(command)).then(answer);
    else answer(this.usual(command));
  }

  ping(): void {
    this.#tell({});
  }

  close(): void {
    this.onclose?.();
  }

  /** What a command is answered without {@link on}. */
  protected usual({ method, params }: Received): Reply {
    const targetId = String(params['targetId']);
    switch (method) {
      case 'Target.setDiscoverTargets':
        this.#isDiscovered = true;
        for (const one of this.#targets.keys()) this.#tellOf(one, 'Target.targetCreated');
        return {};
      case 'Target.getTargets':
        return {
          targetInfos: [...this.#targets.entries()]
            .filter(([, { type }]) => isAskedFor(type, params['filter']))
            .map(([id, one]) => ({ ...infoOf(one), attached: this.#isAttached(id) })),
        };
      case 'Target.attachToTarget': {
        const target = this.#targets.get(targetId);
        if (!target) return new Error('No target with given id found');
        this.#count += 1;
        const sessionId = `session-${this.#count}`;
        this.#sessions.set(sessionId, targetId);
        const targetInfo = { ...infoOf(target), attached: true };
        this.event('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger: false });
        return { sessionId };
      }
      case 'Target.setAutoAttach':
        this.#attaches = params['autoAttach'] === true ? (params['filter'] ?? [{}]) : undefined;
        for (const one of this.#targets.values()) this.#attachTo(one);
        return {};
      case 'Target.createTarget': {
        this.#count += 1;
        const [created, url] = [`created-${this.#count}`, String(params['url'])];
        const type = params['hidden'] === true ? 'other' : 'page';
        this.show(created, url, type);
        this.#attachTo({ targetId: created, url, type });
        return { targetId: created };
      }
      case 'Target.closeTarget':
        this.remove(targetId);
        return { success: true };
      case 'Target.detachFromTarget':
        this.#end(String(params['sessionId']));
        return {};
      default:
        return {};
    }
  }

  /** Attaches to a target by itself, if it is to. */
  #attachTo({ targetId, url, type }: ScriptedTarget): void {
    if (Array.isArray(this.#attaches) && isAskedFor(type, this.#attaches) && !this.#sessions.has(`auto-${targetId}`))
      this.attach(targetId, url, type, false);
  }

  #end(sessionId: string): void {
    const targetId = this.#sessions.get(sessionId);
    if (!this.#sessions.delete(sessionId)) return;
    this.#tell({ method: 'Target.detachedFromTarget', params: { sessionId, targetId } });
  }

  #tellOf(targetId: string, method: string): void {
    const target = this.#targets.get(targetId);
    if (target) this.#tell({ method, params: { targetInfo: infoOf(target) } });
  }

  #isAttached(targetId: string): boolean {
    return [...this.#sessions.values()].includes(targetId);
  }

  #tell(message: object): void {
    setImmediate(() => this.onmessage?.(JSON.stringify(message)));
  }
}

function infoOf(target: ScriptedTarget): object {
  return { ...target, title: '', attached: false };
}

/** Whether targets of a type are asked for by a filter, as far as that names types. */
function isAskedFor(type: string, filter: unknown): boolean {
  return !Array.isArray(filter) || filter.some((entry: { type?: string }) => entry.type === type);
}
