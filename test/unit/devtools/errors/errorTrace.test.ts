import assert from 'node:assert/strict';
import type { Protocol } from '../../../../src/devtools/protocol/connect';
import { traceOfCall, traceOfException, type ErrorTrace } from '../../../../src/devtools/errors/errorTrace';
import { mayBeNeeded } from '../../../../src/devtools/errors/errorTraces';
import { splitStack } from '../../../../src/devtools/protocol/stackText';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const ORIGIN = `chrome-extension://${ID}`;
const PAGE = { type: 'page', url: 'https://example.com/a' };
const WORKER = { type: 'service_worker', url: `${ORIGIN}/worker.js` };

type Argument = Protocol.Runtime.RemoteObject;
type Frame = Protocol.Runtime.CallFrame;

function frame(url: string, lineNumber = 4, columnNumber = 2): Frame {
  return { functionName: '', scriptId: '1', url, lineNumber, columnNumber };
}

function errorAt(...urls: string[]): Argument {
  const stack = urls.map((url) => `\n    at f (${url}:7:3)`).join('');
  return { type: 'object', subtype: 'error', className: 'Error', description: `Error: boom${stack}` };
}

function call(
  args: Argument[],
  callFrames: Frame[] = [],
  type: Protocol.Runtime.ConsoleAPICalledEvent['type'] = 'error',
  target = PAGE,
): ErrorTrace | undefined {
  return traceOfCall({ type, args, executionContextId: 1, timestamp: 1, stackTrace: { callFrames } }, target);
}

describe('what an inspector has seen of an error', () => {
  it('is in the stack of what was passed to the console when nothing has called it, as in `promise.catch(console.error)`', () => {
    const trace = call([errorAt(`${ORIGIN}/assets/content.js`)]);
    assert.deepEqual(trace, {
      extensionId: ID,
      text: 'Error: boom',
      locations: [{ url: `${ORIGIN}/assets/content.js`, line: 6, column: 2 }],
      isListed: false,
      isWarning: false,
      isWorker: false,
      contextUrl: PAGE.url,
    });
  });

  it('is in code of a development server, which only in a page or worker of the extension is its own', () => {
    const url = 'http://localhost:5173/src/page.ts';
    const own = { type: 'page', url: `${ORIGIN}/options.html` };
    const trace = call([], [frame(url), frame(`${ORIGIN}/a.js`)], 'error', own);
    assert.deepEqual(trace?.locations[0], { url, line: 4, column: 2 });
    assert.deepEqual([trace.extensionId, trace.isListed], [ID, false]);
    assert.equal(call([], [frame(url)], 'error', WORKER)?.isListed, true);
    assert.equal(call([], [frame(url)], 'error', PAGE), undefined);
    for (const other of ['https://localhost/a.js', 'http://localhost.example.com/a.js', 'http://192.168.0.1/a.js'])
      assert.equal(call([], [frame(other)], 'error', own), undefined, other);
    assert.ok(mayBeNeeded(`{"method":"Runtime.exceptionThrown","params":{"url":"${url}"}}`));
    assert.ok(!mayBeNeeded('{"method":"Runtime.exceptionThrown","params":{"url":"http://localhostess/a.js"}}'));
  });

  it('is where the console was called, and is in the list of Chromium then', () => {
    const trace = call([{ type: 'string', value: 'text' }, errorAt(`${ORIGIN}/b.js`)], [frame(`${ORIGIN}/a.js`)]);
    assert.deepEqual(trace?.locations, [{ url: `${ORIGIN}/a.js`, line: 4, column: 2 }]);
    assert.deepEqual([trace.text, trace.isListed], ['text Error: boom', true]);
  });

  it('of a worker is in that list in any case', () => {
    assert.equal(call([errorAt(`${ORIGIN}/worker.js`)], [], 'error', WORKER)?.isListed, true);
  });

  it('is none of the extension when a page has called the console, or has thrown the error', () => {
    assert.equal(call([errorAt(`${ORIGIN}/a.js`)], [frame('https://example.com/page.js')]), undefined);
    assert.equal(call([errorAt('https://example.com/page.js', `${ORIGIN}/a.js`)]), undefined);
    assert.equal(call([{ type: 'string', value: 'nothing' }]), undefined);
  });

  it('is none for calls that are no errors', () => {
    assert.equal(call([errorAt(`${ORIGIN}/a.js`)], [], 'log'), undefined);
    assert.equal(call([errorAt(`${ORIGIN}/a.js`)], [], 'warning')?.isWarning, true);
  });

  it('has the column of an uncaught error', () => {
    const exceptionDetails: Protocol.Runtime.ExceptionDetails = {
      exceptionId: 1,
      text: 'Uncaught (in promise)',
      lineNumber: 0,
      columnNumber: 310,
      url: `${ORIGIN}/a.js`,
      exception: errorAt(`${ORIGIN}/a.js`),
    };
    const trace = traceOfException({ timestamp: 1, exceptionDetails }, PAGE);
    assert.deepEqual(trace?.locations[0], { url: `${ORIGIN}/a.js`, line: 0, column: 310 });
    assert.equal(trace.text, 'Uncaught (in promise) Error: boom');
  });

  it('writes what is no error as Chromium does', () => {
    const args: Argument[] = [
      { type: 'object', className: 'Object', description: 'Object' },
      { type: 'object', subtype: 'null', value: null },
      { type: 'number', value: 7 },
      { type: 'undefined' },
    ];
    assert.equal(call(args, [frame(`${ORIGIN}/a.js`)])?.text, '[object Object] null 7 undefined');
  });
});

describe('a stack in a text', () => {
  it('is read in linear time, whatever it says', () => {
    const hard = [
      `${ORIGIN}/`.repeat(50_000),
      `\n    at ${`${ORIGIN}/a:1`.repeat(50_000)}`,
      `\n${' '.repeat(1_000_000)}at x`,
      '\n    at ('.repeat(200_000),
      `\n    at ${ORIGIN}/${':1'.repeat(500_000)}(`,
    ];
    const started = performance.now();
    for (const text of hard) {
      splitStack(`a${text}`);
      call([{ type: 'string', value: text }]);
      mayBeNeeded(`{"method":"Runtime.consoleAPICalled","params":{"type":"error","args":[${text}`);
    }
    assert(performance.now() - started < 1000, `${performance.now() - started} ms`);
  });
});

describe('a message of a browser', () => {
  it('is parsed only when an extension may have failed', () => {
    const message = (type: string, text: string): string =>
      `{"method":"Runtime.consoleAPICalled","params":{"type":"${type}","args":[{"value":"${text}"}]},"sessionId":"A"}`;
    assert.equal(mayBeNeeded(message('error', ORIGIN)), true);
    assert.equal(mayBeNeeded(message('log', `\\"type\\":\\"error\\" ${ORIGIN}`)), false);
    assert.equal(mayBeNeeded(message('error', 'of a page')), false);
    assert.equal(mayBeNeeded('{"method":"Runtime.executionContextCreated","params":{}}'), false);
    assert.equal(mayBeNeeded('{"id":1,"result":{}}'), true);
    assert.equal(mayBeNeeded('{"method":"Target.attachedToTarget","params":{}}'), true);
  });
});
