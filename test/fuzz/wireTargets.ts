import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isOwnFrame, verdictOf } from '../../src/bridge/askers';
import { EventStreamReader } from '../../src/bridge/eventStream';
import { isEventSource, pausedRequestOf } from '../../src/bridge/pausedRequest';
import { messageBytes, messagesIn } from '../../src/bridge/socketMessages';
import { isWithinLimits } from '../../src/base/jsonLimits';
import { traceOfException } from '../../src/devtools/errors/errorTrace';
import { readExport } from '../../src/editor/storage/storageExport';
import { UserError } from '../../src/editor/errorTexts';
import { ApiError } from '../../src/local/httpErrors';
import { objectOf } from '../../src/local/requestFields';
import { readCreateRequest } from '../../src/local/sessions/sessionRequest';
import { decodePicker } from '../../src/screen/pickers';
import { decodeState } from '../../src/screen/rememberedState';
import { decodeTexts } from '../../src/screen/screenTexts';
import { redact } from '../../src/service/redact';
import { readRetryAfter } from '../../src/service/wire/retry';
import { jsonOf } from '../support/json';
import { bytesLike, inParts, jsonLike, partsOf, textOf } from './inputs';
import { target, type FuzzTarget } from './target';

const REQUEST = {
  requestId: 'r',
  request: {
    url: 'http://localhost:5173/a?b',
    method: 'POST',
    headers: { Origin: 'http://localhost:5173', Accept: 'text/event-stream' },
    hasPostData: true,
    postDataEntries: [{ bytes: 'AAAA' }, {}],
  },
  frameId: 'f',
  resourceType: 'XHR',
};

const ALLOWED = { extensionIds: new Set(['a'.repeat(32)]), origins: new Set(['http://localhost:5173']) };
const TARGETS = new Map([['f', { type: 'iframe', url: `chrome-extension://${'a'.repeat(32)}/`, parentFrameId: 'f' }]]);

const STREAM = 'event: a\ndata: b\r\ndata:c\rid: 1\nretry: 20\n\n:x\n\ndata\n\n';

const CREATE = {
  name: 'mine',
  headless: true,
  start_url: 'https://a.test/',
  tags: { a: 'b' },
  timeout_seconds: 60,
  viewport: { width: 800, height: 600, refresh_rate: 60 },
  profile: { name: 'work', save_changes: true },
  extensions: [{ id: 'x' }],
  region: 'us-east',
  network: { private_hosts: ['a'] },
  proxy: { id: 'p' },
};

const EXPORT = {
  format: 'sideload-storage',
  version: 1,
  extension: { id: 'a'.repeat(32), name: 'A', version: '1' },
  areas: { local: { a: 1, b: { c: [null, 'x'] } }, sync: {} },
};

const STATE = {
  ticksSideways: 3,
  ticksUpDown: 4,
  drafts: { x: '1' },
  isPrecise: true,
  givesKeys: false,
  isWhole: true,
  size: 'phone',
  isRotated: true,
};

const PICKER = {
  kind: 'list',
  x: 1,
  y: 2,
  width: 3,
  height: 4,
  index: 0,
  options: [{ label: 'a', group: '', isDisabled: false, isHidden: false }],
};

const EXCEPTION = {
  timestamp: 1,
  exceptionDetails: {
    exceptionId: 1,
    text: 'Uncaught',
    lineNumber: 0,
    columnNumber: 0,
    url: `chrome-extension://${'a'.repeat(32)}/a.js`,
    exception: { type: 'object', subtype: 'error', className: 'Error', description: 'Error: x\n    at a.js:1:1' },
    stackTrace: {
      callFrames: [{ functionName: '', scriptId: '1', url: 'https://a.test/', lineNumber: 0, columnNumber: 0 }],
    },
  },
};

/** A secret, as services give it. */
const SECRET = 'sk_live_0123456789abcdef';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** What comes over wires, other than the JSON of the table of decoders. */
export const WIRE_TARGETS: readonly FuzzTarget[] = [
  target('streams of server-sent events', {
    usual: 500,
    inputs: inParts(bytesLike(Buffer.from(STREAM), Buffer.from(`\ufeff${STREAM}é😀\n\n`))),
    run: ({ bytes, cuts }) => {
      const [whole, cut] = [new EventStreamReader(), new EventStreamReader()];
      const items = partsOf(bytes, cuts).flatMap((part) => cut.push(part));
      assert.deepEqual(items, whole.push(bytes), 'it depends on how the bytes come');
    },
  }),
  target('messages of carried sockets', {
    usual: 500,
    inputs: fc.array(fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 30 })), { maxLength: 6 }),
    run: (messages) => {
      const body = Buffer.concat(messages.map(([kind, content]) => messageBytes(kind, Buffer.from(content))));
      const read = messagesIn(body).map(({ kind, content }) => [kind, Uint8Array.from(content)]);
      assert.deepEqual(
        read,
        messages.map(([kind, content]) => [kind, Uint8Array.from(content)]),
      );
    },
  }),
  target('bodies of carried sockets', {
    usual: 500,
    inputs: bytesLike(messageBytes(1, 'text'), messageBytes(4, 'id\n')),
    run: (bytes) => messagesIn(Buffer.from(bytes)),
  }),
  target('requests that a browser has paused', {
    usual: 500,
    inputs: jsonLike(REQUEST),
    // A header that cannot be made a text; an origin that URL.canParse took for one.
    found: [{ a: { toString: 'x' } }, { Origin: 'http:π//localhost:5173' }].map((headers) =>
      JSON.stringify({ ...REQUEST, request: { ...REQUEST.request, headers } }),
    ),
    run: (text) => {
      const request = pausedRequestOf(jsonOf(text));
      if (!request) return;
      isEventSource(request);
      isOwnFrame({ id: 'f', url: request.url.href }, ALLOWED);
      verdictOf(request, TARGETS, ALLOWED);
    },
  }),
  target('errors of pages', {
    inputs: jsonLike(EXCEPTION),
    run: (text) => {
      const event = jsonOf(text);
      if (event) traceOfException(event as never, { type: 'page', url: '' });
    },
    // Chromium's own messages, whose shape the types promise; whoever reads them catches what is none.
    mayThrow: (error) => error instanceof TypeError,
  }),
  target('requests to the local service', {
    usual: 500,
    inputs: jsonLike(CREATE),
    run: (text) => readCreateRequest(objectOf(jsonOf(text))),
    mayThrow: (error) => error instanceof ApiError && error.status === 400,
  }),
  target('files of exported storage', {
    inputs: jsonLike(EXPORT),
    run: (text) => readExport(text),
    mayThrow: (error) => error instanceof UserError,
  }),
  target('what the page of the screen remembers', {
    inputs: jsonLike(STATE, PICKER),
    run: (text) => {
      const state = decodeState(jsonOf(text));
      assert.deepEqual(decodeState(JSON.parse(JSON.stringify(state))), state);
      decodePicker(jsonOf(text));
      for (const value of Object.values(decodeTexts(text))) assert.equal(typeof value, 'string');
    },
  }),
  target('how long a service says to wait', {
    usual: 500,
    inputs: fc.record({
      'retry-after-ms': textOf('1', '-', '.', 'e', '0', ' ', 'NaN', 'Infinity'),
      'retry-after': textOf('1', '-', '.', 'e', '99999', 'Fri, 31 Dec 1999 23:59:59 GMT', ' '),
    }),
    run: (headers) => {
      const ms = readRetryAfter(headers, () => 0);
      assert(ms === undefined || (ms >= 0 && Number.isFinite(ms)), `${String(ms)} ms`);
    },
  }),
  target('texts with secrets', {
    inputs: fc.tuple(
      textOf('"token": "', 'Bearer ', '?jwt=', '&key=', 'wss://a.test/', '"', ' ', '\n', SECRET),
      fc.constantFrom('Bearer ', 'bearer\t', '?token=', 'a?x=1&jwt=', 'wss://a.test/x?', '"cdp_ws_url": "'),
      textOf('"', ' ', '&', '\n'),
    ),
    run: ([before, mark, after]) => {
      assert(!redact(before + after, [SECRET]).includes(SECRET), 'a known secret is shown');
      assert(!redact(`${mark}${SECRET}${after}`).includes(SECRET), 'a credential is shown');
    },
  }),
  target('limits of JSON', {
    inputs: fc.jsonValue({ maxDepth: 8 }),
    run: (value) => {
      const [text, depth] = [JSON.stringify(value), depthOf(value)];
      assert(isWithinLimits(text, { depth, values: text.length + 1 }), 'refused within the limits');
      assert(
        depth === 0 || !isWithinLimits(text, { depth: depth - 1, values: text.length + 1 }),
        'taken beyond the limits',
      );
    },
  }),
];
