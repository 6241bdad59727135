import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { BrowserPipe } from '../../../../src/local/chromium/browserPipe';
import { SharedPipe, type PipeClient } from '../../../../src/local/chromium/sharedPipe';

type Message = Record<string, unknown>;

/** A pipe with a browser's end that the test plays. */
class PlayedBrowser {
  readonly #toBrowser = new PassThrough();
  readonly #fromBrowser = new PassThrough();
  readonly shared = new SharedPipe(new BrowserPipe(this.#toBrowser, this.#fromBrowser));
  /** What each client got. */
  readonly got = new Map<string, Message[]>();
  readonly closed: string[] = [];

  /** A client with that session; '' is the service itself. */
  join(session: string): PipeClient {
    const messages: Message[] = [];
    this.got.set(session, messages);
    return this.shared.join(session === '' ? undefined : session, {
      onMessage: (message) => messages.push(JSON.parse(message.toString('utf8')) as Message),
      onClosed: () => this.closed.push(session),
    });
  }

  /** The commands that have arrived since the last call. */
  commands(): Message[] {
    const text = String(this.#toBrowser.read() ?? '');
    return text
      .split('\0')
      .filter((frame) => frame !== '')
      .map((frame) => JSON.parse(frame) as Message);
  }

  /** Sends messages in pieces of so many bytes. */
  async say(messages: readonly (Message | string)[], pieceBytes = 1_000_000): Promise<void> {
    const texts = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message)));
    const bytes = Buffer.from(texts.map((text) => `${text}\0`).join(''));
    for (let at = 0; at < bytes.length; at += pieceBytes) this.#fromBrowser.write(bytes.subarray(at, at + pieceBytes));
    await turn();
  }

  async end(): Promise<void> {
    this.#fromBrowser.destroy();
    await turn();
  }
}

describe('a DevTools pipe that clients share', () => {
  let browser: PlayedBrowser;
  let first: PipeClient;
  let second: PipeClient;
  beforeEach(() => {
    browser = new PlayedBrowser();
    browser.join('');
    first = browser.join('S1');
    second = browser.join('S2');
  });

  it('gives each client the response to its own command, with its own id and without a session', async () => {
    first.send({ id: 7, method: 'Browser.getVersion' });
    second.send({ id: 7, method: 'Target.getTargets', params: { filter: [] } });
    const [one, two] = browser.commands();
    assert.deepEqual({ ...one, id: 0 }, { id: 0, method: 'Browser.getVersion', sessionId: 'S1' });
    assert.deepEqual(
      { ...two, id: 0 },
      { id: 0, method: 'Target.getTargets', params: { filter: [] }, sessionId: 'S2' },
    );
    assert.notEqual(one?.['id'], two?.['id']);
    await browser.say([
      { id: two?.['id'], result: { a: 2 }, sessionId: 'S2' },
      { id: one?.['id'], error: { code: -1, message: 'no' }, sessionId: 'S1' },
    ]);
    assert.deepEqual(browser.got.get('S1'), [{ id: 7, error: { code: -1, message: 'no' } }]);
    assert.deepEqual(browser.got.get('S2'), [{ id: 7, result: { a: 2 } }]);
  });

  it('delivers events to the client of their session, also of sessions opened over its own, and to no other', async () => {
    const attach = (sessionId: string, over?: string): Message => ({
      method: 'Target.attachedToTarget',
      params: { sessionId },
      ...(over === undefined ? {} : { sessionId: over }),
    });
    await browser.say([
      attach('P1', 'S1'),
      attach('P2', 'P1'),
      { method: 'Page.x', params: {}, sessionId: 'P2' },
      { method: 'Page.y', params: {}, sessionId: 'stranger' },
    ]);
    assert.deepEqual(browser.got.get('S1'), [
      attach('P1'),
      attach('P2', 'P1'),
      { method: 'Page.x', params: {}, sessionId: 'P2' },
    ]);
    assert.deepEqual(browser.got.get('S2'), []);
    assert.deepEqual(browser.got.get(''), []);
  });

  it('refuses a session of another client, one that has ended, and commands without an integer id', async () => {
    await browser.say([{ method: 'Target.attachedToTarget', params: { sessionId: 'P1' }, sessionId: 'S1' }]);
    second.send({ id: 1, method: 'Runtime.evaluate', sessionId: 'P1' });
    second.send({ id: 2, method: 'Runtime.evaluate', sessionId: 'S1' });
    first.send({ id: 3, method: 'Runtime.evaluate', sessionId: 'P1' });
    assert.equal(browser.commands().length, 1);
    await browser.say([{ method: 'Target.detachedFromTarget', params: { sessionId: 'P1' }, sessionId: 'S1' }]);
    first.send({ id: 4, method: 'Runtime.evaluate', sessionId: 'P1' });
    for (const wrong of [5, null, [], {}, { id: 1.5 }, { id: '1' }, { id: 2 ** 31 }, { id: 5, sessionId: 5 }]) {
      second.send(wrong);
    }
    second.refuseText('Unexpected end');
    assert.deepEqual(browser.commands(), []);
    const codes = (session: string) =>
      browser.got.get(session)?.flatMap(({ id, error }) => (error ? [[id, (error as Message)['code']]] : []));
    assert.deepEqual(codes('S1'), [[4, -32_001]]);
    assert.deepEqual(codes('S2'), [
      [1, -32_001],
      [2, -32_001],
      ...Array.from({ length: 7 }, () => [undefined, -32_600]),
      [5, -32_600],
      [undefined, -32_700],
    ]);
  });

  it('cannot be misled by a text that looks like the end of a message', async () => {
    const text = '","sessionId":"S2"}';
    await browser.say([
      { method: 'Page.x', params: { text, sessionId: 'S2' }, sessionId: 'S1' },
      { method: 'Page.y', params: { text: { sessionId: 'S2' } } },
    ]);
    assert.deepEqual(browser.got.get('S1'), [{ method: 'Page.x', params: { text, sessionId: 'S2' } }]);
    assert.deepEqual(browser.got.get('S2'), []);
    assert.deepEqual(browser.got.get(''), [{ method: 'Page.y', params: { text: { sessionId: 'S2' } } }]);
  });

  it('reads messages with members in another order, and in pieces of one byte', async () => {
    first.send({ id: 9, method: 'Browser.getVersion' });
    const [sent] = browser.commands();
    await browser.say(
      [
        `{"sessionId":"S2","params":{"ä":"🙂"},"method":"Page.x"}`,
        `{ "sessionId": "S1", "result": {}, "id": ${String(sent?.['id'])} }`,
      ],
      1,
    );
    assert.deepEqual(browser.got.get('S2'), [{ method: 'Page.x', params: { ä: '🙂' } }]);
    assert.deepEqual(browser.got.get('S1'), [{ id: 9, result: {} }]);
  });

  it('drops what comes for a client that has left', async () => {
    first.send({ id: 1, method: 'Browser.getVersion' });
    const [sent] = browser.commands();
    first.leave();
    await browser.say([
      { id: sent?.['id'], result: {}, sessionId: 'S1' },
      { method: 'Target.x', params: {}, sessionId: 'S1' },
    ]);
    assert.deepEqual(browser.got.get('S1'), []);
    first.send({ id: 2, method: 'Browser.getVersion' });
    assert.deepEqual(browser.commands(), []);
  });

  it('closes a client whose session the browser has ended, and all when the browser ends', async () => {
    const detached = { method: 'Target.detachedFromTarget', params: { sessionId: 'S1' } };
    await browser.say([{ method: 'Target.attachedToTarget', params: { sessionId: 'P2' }, sessionId: 'S2' }, detached]);
    assert.deepEqual(browser.closed, ['S1']);
    assert.deepEqual(browser.got.get(''), [detached]);
    await browser.end();
    assert.deepEqual(browser.closed.sort(), ['', 'S1', 'S2']);
  });

  it('keeps a client when a session has ended that was opened over its own', async () => {
    const page = { params: { sessionId: 'P2' }, sessionId: 'S2' };
    await browser.say([
      { method: 'Target.attachedToTarget', ...page },
      { method: 'Target.detachedFromTarget', ...page },
    ]);
    assert.deepEqual(browser.closed, []);
  });

  it('answers who has ended the browser when it ends without an answer, and nobody else', async () => {
    first.send({ id: 7, method: 'Browser.close' });
    second.send({ id: 8, method: 'Browser.getVersion' });
    let isEnded = false;
    void browser.shared.ended.then(() => (isEnded = true));
    await turn();
    assert.equal(isEnded, false);
    await browser.end();
    assert.deepEqual(browser.got.get('S1'), [{ id: 7, result: {} }]);
    assert.deepEqual(browser.got.get('S2'), []);
    assert.equal(isEnded, true);
  });

  it('answers who has ended the browser once when it does answer', async () => {
    first.send({ id: 7, method: 'Browser.close' });
    const [sent] = browser.commands();
    await browser.say([{ id: sent?.['id'], result: {}, sessionId: 'S1' }]);
    await browser.end();
    assert.deepEqual(browser.got.get('S1'), [{ id: 7, result: {} }]);
  });
});
