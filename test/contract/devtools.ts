import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from './processes';

type Fields = Record<string, unknown>;

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
    const socket = new WebSocket(url);
    const devtools = new DevTools(socket);
    await once(socket, 'open');
    return devtools;
  }

  /** Sends a command and gives the whole answer. */
  async call(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = this.#next((message) => message['id'] === id || isEndOf(message, sessionId));
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    const message = await answer;
    // What a target that has gone was asked is never answered.
    if (message['id'] !== id) throw new Error(`${method}: the target has gone`);
    return message;
  }

  /** Sends a command that must succeed and gives its result. */
  async result(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const answer = await this.call(method, params, sessionId);
    assert(isFields(answer['result']), `${method}: ${JSON.stringify(answer['error'])}`);
    return answer['result'];
  }

  /** Attaches to the first target of a type (`page`, `service_worker`), which must come within the test's time. */
  async attach(type: string): Promise<Target> {
    for (;;) {
      const { targetInfos } = await this.result('Target.getTargets');
      assert(Array.isArray(targetInfos));
      const target: unknown = targetInfos.find((info: unknown) => isFields(info) && info['type'] === type);
      if (isFields(target)) {
        // It may have gone since it was listed: of several copies of an extension, each ends the worker of the one before.
        const attached = await this.attachTo(String(target['targetId'])).catch(() => undefined);
        if (attached) return attached;
        continue;
      }
      await this.result('Target.setDiscoverTargets', { discover: false });
      const created = this.#next(
        (message) =>
          message['method'] === 'Target.targetCreated' && JSON.stringify(message).includes(`"type":"${type}"`),
      );
      await this.result('Target.setDiscoverTargets', { discover: true });
      await created;
    }
  }

  /**
   * Attaches to every target of a type that is listed now. After a restart and a load Chromium may list the worker of before,
   * which answers nothing any more, beside the new one. One that has gone since it was listed is left out.
   */
  async attachAll(type: string): Promise<Target[]> {
    const { targetInfos } = await this.result('Target.getTargets');
    assert(Array.isArray(targetInfos));
    const ids = targetInfos.flatMap((info: unknown) =>
      isFields(info) && info['type'] === type ? [info['targetId']] : [],
    );
    const attached = await Promise.allSettled(ids.map((targetId) => this.attachTo(String(targetId))));
    return attached.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** Attaches to one target. */
  async attachTo(targetId: string): Promise<Target> {
    const { sessionId } = await this.result('Target.attachToTarget', { targetId, flatten: true });
    assert(typeof sessionId === 'string');
    return new Target(this, sessionId);
  }

  /** Waits for an event of a session. */
  async event(method: string, sessionId: string): Promise<Fields> {
    return this.#next((message) => message['method'] === method && message['sessionId'] === sessionId);
  }

  close(): void {
    this.socket.close();
  }

  #next(fits: (message: Fields) => boolean): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState === WebSocket.CLOSED) return reject(new Error('The DevTools connection is closed.'));
      const look = (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString('utf8'));
        if (!isFields(message) || !fits(message)) return;
        this.socket.off('message', look);
        this.socket.off('close', gone);
        resolve(message);
      };
      const gone = () => reject(new Error('The DevTools connection was closed.'));
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

  /** Waits until an expression is no longer undefined, as in a worker that has just been created; gives its value. */
  async defined(expression: string, limitMs: number): Promise<unknown> {
    let value: unknown;
    const ask = async () => (value = await this.evaluate(expression)) !== undefined;
    await eventually(expression, ask, limitMs);
    return value;
  }

  /** The value of an expression, promises awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.devtools.result(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
      this.sessionId,
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
