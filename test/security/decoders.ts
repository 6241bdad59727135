import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { argumentsText, tableText } from '../../src/console/remoteText';
import { ConsoleTraffic } from '../../src/console/consoleTraffic';
import { readCommand, readMessage } from '../../src/debugger/relayMessage';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { itemsOf } from '../../src/devtools/storage/extensionStorage';
import { documentOf, parseItems } from '../../src/editor/storage/storageText';
import { StateFile } from '../../src/local/instance/serviceState';
import { envelopeOf } from '../../src/local/chromium/envelope';
import { commandFault } from '../../src/local/devtools/commandLimits';
import { translatePaths } from '../../src/local/devtools/cdpPaths';
import { Jail } from '../../src/local/files/jail';
import { parseJson } from '../../src/manifest/json/parse';
import { Text } from '../../src/manifest/source/text';
import { readNotes } from '../../src/push/turns/deliveryNotes';
import { isHostMessage, isPageMessage } from '../../src/screen/protocol';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import { endLocalService } from '../../src/service/localEnd';
import { serviceNotes } from '../../src/service/serviceNotes';
import { TOOLS } from '../../src/agents/allTools';
import { problemOf } from '../../src/agents/valueSchema';
import { PAGE, RelayStage, WORKER } from '../unit/debugger/relayStage';
import { addressOf } from '../support/devToolsAddress';

/** What gets the texts of one decoder. May throw only what `mayThrow` allows. */
export interface Feed {
  push: (text: string) => unknown;
  end?: () => unknown;
}

/** Everything that reads messages and files of others as JSON. */
export interface Decoder {
  /** The files in which it reads them. */
  files: readonly string[];
  seeds: readonly unknown[];
  begin: () => Feed | Promise<Feed>;
  /** Errors that its callers handle. */
  mayThrow?: (error: unknown) => boolean;
  /** Each text is a round trip. */
  isSlow?: true;
}

const EVENTS = [
  {
    method: 'Target.attachedToTarget',
    params: { sessionId: 'a', targetInfo: { title: '', ...PAGE }, waitingForDebugger: true },
  },
  {
    method: 'Target.attachedToTarget',
    params: { sessionId: 'b', targetInfo: { title: '', ...WORKER }, waitingForDebugger: true },
  },
  {
    method: 'Target.attachedToTarget',
    params: { sessionId: 'c', targetInfo: { title: '', ...PAGE, type: 'iframe' } },
    sessionId: 'a',
  },
  { method: 'Target.targetInfoChanged', params: { targetInfo: { title: '', ...PAGE } } },
  { method: 'Target.detachedFromTarget', params: { sessionId: 'a' } },
  { method: 'Debugger.scriptParsed', params: { scriptId: '1', url: PAGE.url }, sessionId: 'b' },
  {
    method: 'Debugger.paused',
    params: {
      callFrames: [
        {
          functionName: '',
          location: { scriptId: '1', lineNumber: 0, columnNumber: 0 },
          functionLocation: { lineNumber: 0, columnNumber: 0 },
        },
      ],
    },
    sessionId: 'b',
  },
  { method: 'Debugger.resumed', params: {}, sessionId: 'b' },
  { method: 'Inspector.targetReloadedAfterCrash', params: {}, sessionId: 'b' },
  { id: 1, result: {}, sessionId: 'page' },
  { id: 1_000_000_001, result: {} },
];

const COMMANDS = [
  { id: 1, method: 'Target.attachToBrowserTarget' },
  { id: 2, method: 'Target.attachToTarget', params: { targetId: 'x', flatten: true }, sessionId: 'page' },
  { id: 3, method: 'Target.setAutoAttach', params: { autoAttach: true }, sessionId: 'page' },
  { id: 4, method: 'Debugger.setBreakpointByUrl', params: { urlRegex: '.*', lineNumber: 1 }, sessionId: 'page' },
  { id: 5, method: 'Runtime.runIfWaitingForDebugger', sessionId: 'page' },
  { id: 6, method: 'Page.navigate', params: { url: 'https://ours.test/' }, sessionId: 'page' },
  { id: 7, method: 'Target.closeTarget', params: { targetId: 'x' }, sessionId: 'page' },
];

const SESSION = {
  session_id: 'htzv5orfit78e1m2biiifpbv',
  created_at: '2026-05-01T12:00:00Z',
  cdp_ws_url: 'wss://proxy.example.test/browser/cdp?jwt=x',
  headless: false,
  timeout_seconds: 600,
  name: 'mine',
  profile: { id: 'p1', created_at: '2026-05-01T12:00:00Z', name: 'work' },
  viewport: { width: 800, height: 600, refresh_rate: 60 },
  usage: { uptime_ms: 1234 },
};

const HOST_MESSAGES = [
  {
    kind: 'view',
    tabs: [{ id: 'a', title: 't', isFront: true }],
    address: '',
    title: '',
    canGoBack: false,
    canGoForward: true,
    isLoading: false,
    zoom: 110,
    surface: 'popup',
  },
  { kind: 'dialog', layer: 'page', type: 'alert', speaker: 's', message: 'm', prompt: '' },
];
const PAGE_MESSAGES = [
  { kind: 'mouse', type: 'down', layer: 'page', x: 1, y: 2, button: 0, buttons: 1, clicks: 2, modifiers: 0 },
  { kind: 'wheel', id: 1, layer: 'page', x: 1, y: 2, right: 0, down: -137, modifiers: 2 },
  { kind: 'answer', layer: 'page', accept: true, text: '' },
];

async function relayFeed(side: 'browser' | 'debugger'): Promise<Feed> {
  const stage = await RelayStage.attached();
  stage.browser.attach('page', PAGE);
  stage.client.begin('page');
  await stage.worker();
  return {
    push: (text) => {
      if (side === 'browser') stage.browser.receiveText(text);
      else stage.client.events?.onMessage(text);
      stage.relay.isPagePaused(PAGE.targetId);
    },
    end: () => {
      stage.relay.close();
    },
  };
}

/** A file that is written with each text, and read by `read`. */
async function fileFeed(name: string, read: (folder: string) => Promise<unknown>): Promise<Feed> {
  const folder = await mkdtemp(join(tmpdir(), 'sideload-decoders-'));
  return {
    push: async (text) => {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      await read(folder);
    },
    end: () => rm(folder, { recursive: true }),
  };
}

/** A service that answers each request with the text, and the client of Sideload. */
async function serviceFeed(): Promise<Feed> {
  let body = '';
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new ServiceClient({
    baseUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    token: 'token',
    log: silentLogger,
    retry: { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 },
  });
  const asks = [
    () => client.getBrowser('b'),
    () => client.getProfile('p'),
    () => client.getExtension('e'),
    () => client.listFiles('b', '/'),
    () => client.fileInfo('b', '/f'),
    async () => {
      for await (const item of client.listBrowsers()) assert(item);
    },
  ];
  let next = 0;
  return {
    push: async (text) => {
      body = text;
      next += 1;
      await asks[next % asks.length]?.();
    },
    end: async () => {
      await client.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A browser that sends the texts to a connection of Sideload. */
async function browserFeed(): Promise<Feed> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const connecting = connectDevTools(
    addressOf({ devToolsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
  );
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  const connection = await connecting;
  return {
    push: async (text) => {
      socket.send(text);
      await nextTurn();
    },
    end: () => {
      connection.dispose();
      server.close();
    },
  };
}

const isServiceError = (error: unknown): boolean => error instanceof ServiceError;
const isSyntaxError = (error: unknown): boolean => error instanceof SyntaxError;

/** The decoders, by what they read. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  'commands of the debugger': {
    files: ['src/debugger/relayMessage.ts'],
    seeds: COMMANDS,
    begin: () => relayFeed('debugger'),
  },
  'events of a browser that is debugged': {
    files: ['src/debugger/relayUpstream.ts'],
    seeds: EVENTS,
    begin: () => relayFeed('browser'),
  },
  'messages of the relay': {
    files: ['src/debugger/relayMessage.ts'],
    seeds: [...COMMANDS, ...EVENTS],
    begin: () => ({
      push: (text) => {
        readCommand(text);
        readMessage(text);
      },
    }),
  },
  'messages of a browser': { files: [], seeds: EVENTS, begin: browserFeed, isSlow: true },
  'messages of a browser with a console': {
    files: [],
    seeds: [
      {
        method: 'Runtime.consoleAPICalled',
        params: { type: 'log', args: [{ type: 'string', value: 'x' }] },
        sessionId: 'a',
      },
    ],
    begin: () => {
      const traffic = new ConsoleTraffic({
        extensionId: 'a'.repeat(32),
        pageName: () => undefined,
        push: () => undefined,
        addDropped: () => undefined,
        shown: new Map(),
      });
      return {
        push: (text) => {
          traffic.filter(text, () => undefined);
        },
        end: () => {
          traffic.dispose();
        },
      };
    },
  },
  'arguments of the console': {
    files: [],
    seeds: [
      [
        { type: 'string', value: '%s %o' },
        {
          type: 'object',
          className: 'Map',
          preview: {
            type: 'object',
            overflow: false,
            properties: [{ name: 'a', type: 'number', value: '1' }],
            entries: [],
          },
        },
      ],
    ],
    // Chromium's own messages, whose shape puppeteer's types promise: a wrong one is left out where it is read.
    mayThrow: (error) => error instanceof TypeError || error instanceof SyntaxError,
    begin: () => ({
      push: (text) => {
        const args: unknown = JSON.parse(text);
        if (!Array.isArray(args)) return;
        argumentsText(args);
        tableText(args);
      },
    }),
  },
  'commands of a client of DevTools': {
    files: ['src/local/devtools/cdpProxy.ts', 'src/local/chromium/envelope.ts'],
    seeds: [
      ...COMMANDS,
      { id: 8, method: 'Extensions.loadUnpacked', params: { path: '/home/kernel/extensions/a' } },
      { id: 9, method: 'DOM.setFileInputFiles', params: { files: ['/home/kernel/uploads/a'] } },
    ],
    // `pass` answers what is no JSON, and closes for an illegal path.
    mayThrow: (error) => isSyntaxError(error) || (error instanceof Error && error.message.includes('path')),
    begin: () => {
      const jail = new Jail('/tmp/jail');
      return {
        push: (text) => {
          const bytes = Buffer.from(text);
          if (commandFault(bytes) !== undefined) return;
          JSON.stringify(translatePaths(JSON.parse(text), jail).command);
        },
      };
    },
  },
  'frames of a local browser': {
    files: ['src/local/chromium/envelope.ts'],
    seeds: EVENTS,
    mayThrow: isSyntaxError,
    begin: () => ({ push: (text) => envelopeOf(Buffer.from(text)) }),
  },
  'messages to the page of the screen': {
    files: [],
    seeds: HOST_MESSAGES,
    mayThrow: isSyntaxError,
    begin: () => ({ push: (text) => isHostMessage(JSON.parse(text)) }),
  },
  'messages of the page of the screen': {
    files: [],
    seeds: PAGE_MESSAGES,
    mayThrow: isSyntaxError,
    begin: () => ({ push: (text) => isPageMessage(JSON.parse(text)) }),
  },
  'answers of a service': {
    files: ['src/service/decode/answer.ts'],
    seeds: [SESSION, [SESSION], { max_concurrent_sessions: 5 }],
    begin: serviceFeed,
    mayThrow: isServiceError,
    isSlow: true,
  },
  'notes of deliveries': {
    files: ['src/push/turns/deliveryNotes.ts'],
    seeds: [
      {
        mark: 'a',
        notes: [
          {
            at: 1,
            folder: '/a',
            outcome: 'running',
            name: 'n',
            version: '1',
            digest: 'd',
            engine: 'e',
            extensionId: 'x',
          },
        ],
      },
    ],
    begin: () => fileFeed('pushes.json', readNotes),
    isSlow: true,
  },
  'the state of a local service': {
    files: ['src/local/instance/serviceState.ts', 'src/service/localProcess.ts'],
    seeds: [{ pid: 1, baseUrl: 'http://127.0.0.1:1', token: 't', version: '1' }],
    begin: () => fileFeed('service.json', (folder) => new StateFile(folder).read()),
    isSlow: true,
  },
  'the state of a local service that is to end': {
    files: ['src/service/localEnd.ts'],
    // Nothing listens there.
    seeds: [{ pid: 1, baseUrl: 'http://127.0.0.1:1', token: 't', version: '1' }],
    begin: () => fileFeed('service.json', endLocalService),
    isSlow: true,
  },
  'notes about local services': {
    files: ['src/service/serviceNotes.ts'],
    seeds: [{ dataDir: '/data', extensions: '/extensions' }],
    begin: () => fileFeed('service-0a.json', serviceNotes),
    isSlow: true,
  },
  'documents of a storage': {
    files: ['src/editor/storage/storageText.ts', 'src/devtools/storage/extensionStorage.ts'],
    seeds: [{ a: 1, list: [1, 2, { b: null }], __x: 'y', 'a b': true }],
    begin: () => ({
      push: async (text) => {
        const read = await parseItems(text);
        if (!('items' in read)) return;
        assert.equal(read.items instanceof Map, true);
        const again = await parseItems(await documentOf(read.items));
        // Not as values: JSON.stringify writes -0 as 0, in a document and in what Chromium is sent.
        assert.equal('items' in again && JSON.stringify([...again.items]), JSON.stringify([...read.items]));
      },
    }),
  },
  'values of a storage': {
    files: ['src/devtools/storage/extensionStorage.ts'],
    seeds: [{ a: 1, constructor: 2 }],
    mayThrow: isSyntaxError,
    begin: () => ({ push: (text) => itemsOf(JSON.parse(text)) }),
  },
  'manifests and rules': {
    files: [],
    seeds: [
      {
        manifest_version: 3,
        name: 'a',
        version: '1',
        action: { default_popup: 'a.html' },
        content_scripts: [{ matches: ['<all_urls>'] }],
      },
    ],
    begin: () => ({
      push: (text) => {
        parseJson(new Text(Buffer.from(text)), 'lenient');
        parseJson(new Text(Buffer.from(text)), 'strict');
      },
    }),
  },
  'calls of agents': {
    files: [],
    seeds: [
      { actions: [{ do: 'click', x: 1, y: 2 }], browser: 'b' },
      { area: 'local', set: { a: 1 }, remove: ['b'] },
      { folder: 'x' },
    ],
    mayThrow: isSyntaxError,
    begin: () => ({
      push: (text) => {
        const input: unknown = JSON.parse(text);
        for (const tool of TOOLS) problemOf(tool.input, input);
      },
    }),
  },
};
