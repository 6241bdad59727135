import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually';

type Fields = Record<string, unknown>;

/** How long a command may take at most, in milliseconds: one that is never answered must say which it was. */
const CALL_LIMIT_MS = 30_000;

/** How long a browser that has just started may take to open a page, in milliseconds. */
const PAGE_LIMIT_MS = 30_000;

/** How long a worker may take to answer, in milliseconds. */
const WORKER_ANSWER_LIMIT_MS = 2000;

/** What was asked, or waited for, has not come within its limit. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** A DevTools connection as a stranger's program would make it: a websocket and numbered JSON messages. */
export class DevTools {
  #lastId = 0;
  readonly closed: Promise<unknown>;

  private constructor(readonly socket: WebSocket) {
    // An error is followed by the end, and whoever connects or waits for an answer is told of it.
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.setMaxListeners(0);
  }

  static async connect(url: string): Promise<DevTools> {
    const socket = new WebSocket(url, { handshakeTimeout: CALL_LIMIT_MS });
    const devtools = new DevTools(socket);
    await once(socket, 'open');
    return devtools;
  }

  /** Sends a command and gives the whole answer, which must come within a limit in milliseconds. */
  async call(method: string, params: Fields = {}, sessionId?: string, limitMs = CALL_LIMIT_MS): Promise<Fields> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = this.#next(method, (message) => message['id'] === id || isEndOf(message, sessionId), limitMs);
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    const message = await answer;
    // What a target that has gone was asked is never answered.
    if (message['id'] !== id) throw new Error(`${method}: the target has gone`);
    return message;
  }

  /** Sends a command that must succeed and gives its result. */
  async result(method: string, params: Fields = {}, sessionId?: string, limitMs?: number): Promise<Fields> {
    const answer = await this.call(method, params, sessionId, limitMs);
    assert(isFields(answer['result']), `${method}: ${JSON.stringify(answer['error'])}`);
    return answer['result'];
  }

  /** Attaches to the first page, once there is one. */
  async attachToPage(): Promise<Target> {
    let id: string | undefined;
    const isOpen = async (): Promise<boolean> => ([id] = await this.#targets('page')).length > 0;
    await eventually('a page is open', isOpen, PAGE_LIMIT_MS);
    return this.attachTo(String(id));
  }

  /**
   * What an expression gives in each service worker that answers now. Left out are those that have gone since they were listed,
   * and beside one that answers those that are listed and dead: after a restart and a load that may be the worker of before, which never
   * answers. Rejects when none answers in time, which says nothing of what the expression gives.
   */
  async askWorkers(expression: string, limitMs = WORKER_ANSWER_LIMIT_MS): Promise<unknown[]> {
    const ids = await this.#targets('service_worker');
    const ask = async (id: string): Promise<unknown> =>
      (await this.attachTo(id, limitMs)).evaluate(expression, limitMs);
    const answers = await Promise.allSettled(ids.map(ask));
    const values = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const late = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    const [silent] = late.filter((error) => error instanceof NoAnswerError);
    if (values.length === 0 && silent) throw silent;
    return values;
  }

  /** Lets all service workers run that wait for a debugger. */
  async letWorkersRun(): Promise<void> {
    for (const id of await this.#targets('service_worker')) {
      const { sessionId } = await this.attachTo(id);
      await this.result('Runtime.runIfWaitingForDebugger', {}, sessionId);
    }
  }

  /** Waits until a service worker gives something for an expression: one whose script has not run yet gives undefined. */
  async askWorker(expression: string, limitMs: number): Promise<unknown> {
    let value: unknown;
    let failure = '';
    const ask = async (): Promise<boolean> => {
      const said = await this.askWorkers(expression).catch((error: unknown) => {
        if (!(error instanceof NoAnswerError)) throw error;
        failure = ` (${error.message})`;
        return [];
      });
      value = said.find((one) => one !== undefined);
      return value !== undefined;
    };
    await eventually(() => `a worker gives ${expression}${failure}`, ask, limitMs);
    return value;
  }

  /** Attaches to one target. */
  async attachTo(targetId: string, limitMs?: number): Promise<Target> {
    const params = { targetId, flatten: true };
    const { sessionId } = await this.result('Target.attachToTarget', params, undefined, limitMs);
    assert(typeof sessionId === 'string');
    return new Target(this, sessionId);
  }

  /** Closes a page, and waits until it is gone: Chromium lists it for a while, and may attach others to it. */
  async closePage(targetId: string): Promise<void> {
    const isGone = async (): Promise<boolean> => {
      await this.call('Target.closeTarget', { targetId });
      return !(await this.#targets('page')).includes(targetId);
    };
    await eventually('the page is closed', isGone, PAGE_LIMIT_MS);
  }

  /** Waits for an event of a session whose parameters contain this text as JSON. */
  async event(method: string, sessionId: string, text = ''): Promise<Fields> {
    const fits = (message: Fields): boolean =>
      message['method'] === method &&
      message['sessionId'] === sessionId &&
      JSON.stringify(message['params'] ?? {}).includes(text);
    return this.#next(method, fits, CALL_LIMIT_MS);
  }

  close(): void {
    this.socket.close();
  }

  /** The ids of the targets of a type that are listed now. */
  async #targets(type: string): Promise<string[]> {
    const { targetInfos } = await this.result('Target.getTargets');
    assert(Array.isArray(targetInfos));
    return targetInfos.flatMap((info: unknown) =>
      isFields(info) && info['type'] === type ? [String(info['targetId'])] : [],
    );
  }

  #next(what: string, fits: (message: Fields) => boolean, limitMs: number): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState === WebSocket.CLOSED) return reject(new Error('The DevTools connection is closed.'));
      const look = (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString('utf8'));
        if (!isFields(message) || !fits(message)) return;
        end();
        resolve(message);
      };
      const fail = (error: Error) => () => {
        end();
        reject(error);
      };
      const gone = fail(new Error(`${what}: the DevTools connection was closed`));
      const timer = setTimeout(fail(new NoAnswerError(`${what}: no answer within ${limitMs} ms`)), limitMs);
      const end = () => {
        clearTimeout(timer);
        this.socket.off('message', look);
        this.socket.off('close', gone);
      };
      this.socket.on('message', look);
      this.socket.once('close', gone);
    });
  }
}

/** One attached page or worker. */
export class Target {
  constructor(
    private readonly devtools: DevTools,
    readonly sessionId: string,
  ) {}

  /** Shows an address and waits until it is loaded. */
  async show(url: string): Promise<void> {
    await this.devtools.result('Page.enable', {}, this.sessionId);
    const loaded = this.devtools.event('Page.loadEventFired', this.sessionId);
    await this.devtools.result('Page.navigate', { url }, this.sessionId);
    await loaded;
  }

  /** The value of an expression, promises awaited. */
  async evaluate(expression: string, limitMs?: number): Promise<unknown> {
    const answer = await this.devtools.result(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
      this.sessionId,
      limitMs,
    );
    assert.equal(answer['exceptionDetails'], undefined, JSON.stringify(answer['exceptionDetails']));
    assert(isFields(answer['result']));
    return answer['result']['value'];
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a message says that the session's target has gone, or was let go of. */
function isEndOf(message: Fields, sessionId: string | undefined): boolean {
  const params = message['params'];
  const isDetached = message['method'] === 'Target.detachedFromTarget' && isFields(params);
  return sessionId !== undefined && isDetached && params['sessionId'] === sessionId;
}
