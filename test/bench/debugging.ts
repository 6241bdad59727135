import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { fieldOf } from '../../src/base/fields';
import type { Browser } from '../../src/service/model';
import { DevTools, type Target } from '../contract/devtools';
import { atEnd } from '../support/cleanup';
import { within } from '../support/within';
import type { Bench } from './context';
import { CALL, DebugSession, type StopLine, stopLineOf } from './debugSession';
import { PushWindow } from './pushWindow';
import { MEASURES, medianOf, type Ratio } from './ratios';
import { type Measure, summarize, type Summary } from './series';
import { Subject } from './subject';
import { attachToWorker } from './workerTarget';

/** Messages of one sample, one after the other. */
const MESSAGES = 200;

/** How long a message may be under way, and how long a debugger may take to connect, in milliseconds. */
const ANSWER_LIMIT_MS = 30_000;

/** Stops of one sample, one after the other. */
const STOPS = 10;

/** Numbers of these messages begin here: above those of the client, below those of the relay. */
const FIRST_ID = 1_000_000;

/** What the relay may add to the round trip of one message, in milliseconds. */
const RELAY_LIMIT_MS = 1;

/** How long the worker runs between two stops, in milliseconds. */
const RUN_MS = 30;

/** A browser of this machine with an extension that was pushed there. */
interface Pushed {
  window: PushWindow;
  browser: Browser;
  subject: Subject;
  stop: StopLine;
}

/**
 * Debugging on this machine with a client in this process that speaks as VS Code's JavaScript debugger does. It leaves out what VS Code takes
 * for F5 and for a stop: to start its debug sessions (one for the extension and one for each part), to pass messages between debugger and
 * extension host, and to read source maps. `debugEditor.ts` measures with all that.
 */
export async function debugMeasures(bench: Bench): Promise<Measure[]> {
  const [started, relayed, direct] = [
    await push(bench, 'debug-start'),
    await push(bench, 'debug-relay'),
    await push(bench, 'debug-direct'),
  ];
  const { caller: relayCaller, devtools } = await callerOf(relayed);
  const debugged = await DebugSession.start(optionsOf(relayed));
  atEnd('a debug session', () => debugged.end());
  const { sessionId } = await debugged.worker();
  const stopDirectly = await directStops(direct);
  return [
    { name: MEASURES.relayReady, run: () => startToReady(started) },
    { name: MEASURES.relayStopped, run: () => medianStop(() => callToStopped(debugged, relayCaller)) },
    { name: MEASURES.directStopped, run: () => medianStop(stopDirectly) },
    { name: MEASURES.relayMessage, run: () => messageTime(debugged.client.socket, sessionId) },
    { name: MEASURES.directMessage, run: () => messageTime(devtools.socket, relayCaller.sessionId) },
  ];
}

/** What the relay adds to the round trip of one message, in milliseconds. */
export function relayRatios(summaries: readonly Summary[]): Ratio[] {
  const value = medianOf(summaries, MEASURES.relayMessage) - medianOf(summaries, MEASURES.directMessage);
  return Number.isNaN(value) ? [] : [{ ratio: 'relayMessageMs', value, limit: RELAY_LIMIT_MS }];
}

/** Creates a browser and pushes a copy of the sample extension to it. */
async function push(bench: Bench, name: string): Promise<Pushed> {
  const { client } = await bench.service();
  const subject = await Subject.create(join(bench.root, name), name, await bench.beacon());
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const window = new PushWindow(client, true);
  await window.push(browser, subject.folder, 'load');
  return { window, browser, subject, stop: await stopLineOf(subject) };
}

function optionsOf({ window, browser, subject, stop }: Pushed): Parameters<typeof DebugSession.start>[0] {
  return { browser, extensionId: subject.id, stop, hidden: window.hiddenOf(browser) };
}

/**
 * Milliseconds from the start of the relay, with which F5 resolves its configuration, to a worker that runs with its breakpoints set. The
 * request `launch`, without a suffix, includes that the extension is pushed again, as F5 does; `attach` takes the worker that runs.
 */
async function startToReady(pushed: Pushed): Promise<Record<string, number>> {
  const { window, browser, subject } = pushed;
  const begun = performance.now();
  let pushing: Promise<void> | undefined;
  const launched = await DebugSession.start({
    ...optionsOf(pushed),
    onRelay: (relay) => {
      window.addDebugger(browser, relay);
      const attached = within('the debugger attaches', ANSWER_LIMIT_MS, once(relay.events, 'attached'));
      pushing = attached.then(() => window.reload(browser, subject.folder));
      // The await below reports the error; without this, Node would call it unhandled until then.
      pushing.catch(() => undefined);
    },
  });
  await pushing;
  await launched.worker();
  const launch = performance.now() - begun;
  await launched.end();

  const attachBegun = performance.now();
  const attached = await DebugSession.start({
    ...optionsOf(pushed),
    onRelay: (relay) => {
      window.addDebugger(browser, relay);
    },
  });
  await attached.worker();
  const attach = performance.now() - attachBegun;
  await attached.end();
  return { '': launch, ', request attach': attach };
}

/** A DevTools client beside the debugger that makes calls in the worker. */
async function callerOf({ browser, subject }: Pushed): Promise<{ caller: Target; devtools: DevTools }> {
  const devtools = await DevTools.connect(browser.devToolsUrl);
  atEnd('a connection to a debugged worker', () => {
    devtools.close();
    return Promise.resolve();
  });
  return { caller: await attachToWorker(devtools, subject.id), devtools };
}

/** Median of several stops, each after the worker has run again for a moment. */
async function medianStop(stop: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < STOPS; at += 1) {
    times.push(await stop());
    await delay(RUN_MS);
  }
  return summarize('stop', times).median;
}

/** Milliseconds from a call in the worker by another client to the `Debugger.paused` event that the debugger receives. */
async function callToStopped(debugged: DebugSession, caller: Target): Promise<number> {
  const begun = performance.now();
  const called = caller.evaluate(CALL);
  const worker = await debugged.stopped();
  const took = performance.now() - begun;
  await debugged.client.resume(worker);
  await called;
  return took;
}

/** The same for a DevTools client without a relay. */
async function directStops(pushed: Pushed): Promise<() => Promise<number>> {
  const { caller } = await callerOf(pushed);
  const { caller: listener, devtools } = await callerOf(pushed);
  await devtools.result('Debugger.enable', {}, listener.sessionId);
  await devtools.result('Debugger.setBreakpointByUrl', { ...pushed.stop }, listener.sessionId);
  return async () => {
    const begun = performance.now();
    const stopped = devtools.event('Debugger.paused', listener.sessionId);
    const called = caller.evaluate(CALL);
    await stopped;
    const took = performance.now() - begun;
    await devtools.result('Debugger.resume', {}, listener.sessionId);
    await called;
    return took;
  };
}

/** Median of the milliseconds that a command to the worker and its response take over a websocket. */
async function messageTime(socket: WebSocket, sessionId: string): Promise<number> {
  const times: number[] = [];
  for (let id = FIRST_ID; id < FIRST_ID + MESSAGES; id += 1) {
    const text = JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression: '1' }, sessionId });
    const sent = performance.now();
    await within('the worker answers a message', ANSWER_LIMIT_MS, answerTo(id, socket, text));
    times.push(performance.now() - sent);
  }
  return summarize('message', times).median;
}

function answerTo(id: number, socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: unknown): void => {
      const message: unknown = JSON.parse(String(data));
      if (fieldOf(message, 'id') !== id) return;
      socket.off('message', look);
      resolve();
    };
    socket.on('message', look);
    socket.send(text);
  });
}
