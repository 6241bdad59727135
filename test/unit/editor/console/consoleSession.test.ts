import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { fieldOf } from '../../../../src/base/fields';
import { type ConsoleBuild, ConsoleSession } from '../../../../src/editor/console/consoleSession';
import type { Browser } from '../../../../src/service/model';
import { SERVICE_HERE } from '../../../support/devToolsAddress';
import { eventually } from '../../../support/eventually';
import { TestClock } from '../../../support/testClock';
import { BROWSER } from '../lists/sampleBrowser';

/** How long what goes over real sockets of this machine may take, in milliseconds. */
const SOON_MS = 5000;

const STOPPED = 'stopped by the test';

const LOST = 'The browser has restarted or the connection was lost';

describe('the console of a browser', () => {
  let server: WebSocketServer;
  let browser: Browser;
  let session: ConsoleSession;
  let clock: TestClock;
  let connection: { key: string; client: () => ReturnType<typeof client> };
  /** What the console has said of itself. */
  let notes: string[];
  /** The name of the browser in the last of them. */
  let named: string | null | undefined;
  /** How often it has ended. */
  let ends: number;
  /** The service in use, as the window reaches it. */
  let client: () => Promise<{ baseUrl: URL; findBrowser: () => Promise<Browser | undefined> }>;
  /** Called when the console attaches itself. */
  let onAttach: () => void;

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    onAttach = () => undefined;
    server.on('connection', (socket) => {
      socket.on('message', (data) => {
        const command: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '');
        if (fieldOf(command, 'method') === 'Target.setAutoAttach') onAttach();
        socket.send(JSON.stringify({ id: fieldOf(command, 'id'), result: {} }));
      });
    });
    browser = { ...BROWSER, name: 'One', devToolsUrl: `ws://127.0.0.1:${String(fieldOf(server.address(), 'port'))}` };
    notes = [];
    ends = 0;
    clock = new TestClock();
    client = () => Promise.resolve({ baseUrl: SERVICE_HERE, findBrowser: () => Promise.resolve(browser) });
    connection = { key: 'own', client: () => client() };
    const note = ({ name }: Browser, _level: unknown, text: string): void => {
      named = name;
      notes.push(text);
    };
    session = new ConsoleSession(
      { connection, log: { debug: () => undefined } },
      { note, prefixOf: () => '', setAttached: () => undefined, write: () => undefined },
      { browser, folder: '/nowhere', root: '/nowhere', extensionId: 'a'.repeat(32) },
      () => (ends += 1),
      clock,
    );
  });

  afterEach(() => {
    session.stop(STOPPED);
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  it('says that it is started, and that it is stopped', async () => {
    await session.start();
    session.stop(STOPPED);
    assert.match(notes[0] ?? '', /^The console is started/);
    assert.deepEqual(notes.slice(1), [STOPPED]);
    assert.equal(ends, 1);
  });

  it('is stopped without an error while it waits for the service', async () => {
    const answer = client;
    client = async () => {
      session.stop(STOPPED);
      return await answer();
    };
    await session.start();
    assert.deepEqual(notes, [STOPPED]);
    assert.equal(ends, 1);
    assert.equal(server.clients.size, 0);
  });

  it('does not say that it is started when it was stopped while it attached itself', async () => {
    onAttach = () => session.stop(STOPPED);
    await session.start();
    assert.deepEqual(notes, [STOPPED]);
    assert.equal(ends, 1);
    await eventually('the connection is closed', () => server.clients.size === 0, SOON_MS);
  });

  /** Breaks the connection of the console, and waits until it has noticed that. */
  async function lose(): Promise<void> {
    for (const socket of server.clients) socket.terminate();
    await eventually('it has noticed', () => notes.some((note) => note.startsWith(LOST)), SOON_MS);
  }

  it('says that the browser has ended, and ends with it', async () => {
    await session.start();
    client = () => Promise.resolve({ baseUrl: SERVICE_HERE, findBrowser: () => Promise.resolve(undefined) });
    await lose();
    await eventually('it ends', () => ends === 1, SOON_MS);
    assert.match(notes.at(-1) ?? '', /^The browser has ended, and so has its console/);
  });

  it('has the present name of a browser that was renamed', async () => {
    await session.start();
    assert.equal(named, 'One');
    browser = { ...browser, name: 'Two' };
    await lose();
    await eventually('it connects again', () => notes.at(-1) === 'Connected again.', SOON_MS);
    assert.equal(named, 'Two');
    session.describe({ ...browser, name: 'Three' });
    session.stop(STOPPED);
    assert.equal(named, 'Three');
  });

  it('connects again with a pause where the connection is lost at once time and again', async () => {
    await session.start();
    const losses = (): number => notes.filter((note) => note.startsWith(LOST)).length;
    const connections = (): number => notes.filter((note) => note === 'Connected again.').length;
    await lose();
    await eventually('it connects again', () => connections() === 1, SOON_MS);
    for (const socket of server.clients) socket.terminate();
    await eventually('it has noticed', () => losses() === 2, SOON_MS);
    await clock.advance(900);
    assert.equal(connections(), 1);
    await clock.advance(100);
    await eventually('it connects again', () => connections() === 2, SOON_MS);
  });

  it('waits while another service is in use, which does not know the browser', async () => {
    await session.start();
    const own = client;
    let asked = 0;
    client = async () => {
      asked += 1;
      const { baseUrl } = await own();
      return { baseUrl, findBrowser: () => Promise.resolve(undefined) };
    };
    connection.key = 'other';
    await lose();
    await clock.advance(60_000);
    assert.ok(notes.at(-1)?.startsWith(LOST), notes.join('\n'));
    assert.equal(asked, 0, 'another service was asked for the browser');
    client = own;
    connection.key = 'own';
    await clock.advance(60_000);
    await eventually('it connects again', () => notes.at(-1) === 'Connected again.', SOON_MS);
    assert.equal(ends, 0);
  });

  it('is not of a browser of another service that has the same id', () => {
    assert.deepEqual([session.isOf(BROWSER.id), session.isOf('another')], [true, false]);
    connection.key = 'other';
    assert.equal(session.isOf(BROWSER.id), false);
    connection.key = 'own';
    assert.equal(session.isOf(BROWSER.id), true);
  });

  it('is not of another extension in its browser, whose errors it does not write', () => {
    assert.deepEqual(
      ['a', 'b'].map((letter) => session.isOf(BROWSER.id, letter.repeat(32))),
      [true, false],
    );
  });

  it('stays with the extension that the user has chosen, whichever are pushed to the browser', () => {
    const buildOf = (letter: string): ConsoleBuild => ({
      ...{ browser, folder: '/nowhere', root: '/nowhere' },
      extensionId: letter.repeat(32),
    });
    const isOf = (letter: string): boolean => session.isOf(BROWSER.id, letter.repeat(32));
    session.follow(buildOf('b'));
    assert.ok(isOf('b'));
    session.choose(buildOf('a'));
    assert.ok(isOf('a'));
    session.follow(buildOf('b'));
    assert.ok(isOf('a'));
  });

  it('does not count an answer that comes after a change of the service', async () => {
    await session.start();
    const own = client;
    client = async () => {
      const { baseUrl } = await own();
      const findBrowser = (): Promise<undefined> => {
        connection.key = 'other';
        return Promise.resolve(undefined);
      };
      return { baseUrl, findBrowser };
    };
    await lose();
    await clock.idle();
    assert.equal(connection.key, 'other');
    assert.ok(notes.at(-1)?.startsWith(LOST), notes.join('\n'));
    assert.equal(ends, 0);
  });
});
