import type { Target } from '../contract/devtools';
import type { Bench } from './context';
import { DebugSession, CALL, stopLineOf } from './debugSession';
import { nameOf } from './network';
import { RemoteWindow } from './remoteWindow';
import type { Measure } from './series';
import { attachToWorker } from './workerTarget';

/** Round trips at which debugging is measured, in milliseconds. */
const ROUND_TRIPS_MS = [0, 80];

/** The page of the sample extension that is debugged. */
const PAGE = 'popup.html';

/** What is measured of a debug session over a network, and how many round trips it may take, if that was agreed on. */
export const DEBUG_CASES = {
  /** From the start of the relay to a worker that runs with its breakpoints set, the connection to the browser included. */
  debugStart: {},
  /** From the creation of a page of the extension to its session, in which it runs with its breakpoints set. */
  debugTarget: { limit: 6 },
  /** From a call in the worker, past the `Debugger.paused` event that the client receives, to the response to its `Debugger.resume`. */
  debugStop: {},
} as const;

/**
 * Whole debug sessions with a browser that is so many milliseconds away; what is debugged is called and opened past the network. The client
 * sends the commands of VS Code's JavaScript debugger that a target waits for, without those that only fill views.
 */
export async function debugNetworkMeasures(bench: Bench): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const begin = async (): Promise<Measure[]> => {
      const window = await RemoteWindow.open(bench, { name: `debug-${roundTripMs}`, roundTripMs });
      let caller: Promise<Target> | undefined;
      const run = async (): Promise<Record<string, number>> => {
        caller ??= callerOf(window);
        return await wholeSession(window, await caller);
      };
      return [{ name: nameOf('', roundTripMs), run }];
    };
    measures.push(...(await bench.prepare(nameOf('debugging', roundTripMs), begin)));
  }
  return measures;
}

/** Attached to the worker past the network, which keeps it awake. */
async function callerOf(window: RemoteWindow): Promise<Target> {
  return await attachToWorker(await window.connectPast(), window.subject.id);
}

async function wholeSession(window: RemoteWindow, caller: Target): Promise<Record<keyof typeof DEBUG_CASES, number>> {
  const { subject } = window;
  const browser = await window.browser();
  const stop = await stopLineOf(subject);
  await window.settled();
  let begun = performance.now();
  const debugged = await DebugSession.start({ browser, extensionId: subject.id, stop });
  try {
    await debugged.worker();
    const debugStart = performance.now() - begun;
    await window.settled();
    const debugTarget = await openPage(window, debugged);
    await window.settled();
    begun = performance.now();
    const called = caller.evaluate(CALL);
    await debugged.client.resume(await debugged.stopped());
    await called;
    return { debugStart, debugTarget, debugStop: performance.now() - begun };
  } finally {
    await debugged.end();
  }
}

/** Opens a page past the network and closes it. Milliseconds until it is debugged. */
async function openPage(window: RemoteWindow, { client }: DebugSession): Promise<number> {
  const devtools = await window.connectPast();
  try {
    const begun = performance.now();
    const opening = devtools.result('Target.createTarget', {
      url: `chrome-extension://${window.subject.id}/${PAGE}`,
    });
    const page = await client.target(PAGE, ({ isReady }) => isReady);
    const took = performance.now() - begun;
    await devtools.closePage(String((await opening)['targetId']));
    await client.gone(page);
    return took;
  } finally {
    devtools.close();
  }
}
