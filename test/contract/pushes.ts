import assert from 'node:assert/strict';
import { packTexts } from '../support/packFiles';
import { USUAL_ORDER } from '../support/usualOrder';
import type { ConfirmRestart } from '../../src/push/browserDelivery';
import { TestEngine } from '../support/testEngine';
import type { KnownOutcome } from '../../src/push/outcome';
import type { PushOrder } from '../../src/push/pushRun';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger, type Logger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { DevTools } from './devtools';

/** How long a worker may take to answer the test, in milliseconds. */
const WORKER_LIMIT_MS = 30_000;

/** Longer than any test: the connection is kept between its pushes. */
const IDLE_MS = 60_000;

/**
 * How a test's push differs from one by hand with every question answered with yes. `browser`: to another one. `restarts`: as to a browser that restarts
 * for an upload.
 */
export type PushChanges = Partial<PushOrder> & { browser?: Browser; restarts?: boolean };

/** Answers with an upload, which restarts the browser. */
export const mayRestart: ConfirmRestart = () => Promise.resolve('restart');

/** The first build comes by an upload that restarts the browser, as elsewhere. */
export const byUpload = { restarts: true, confirmRestart: mayRestart } satisfies PushChanges;

/** Answers with an upload only where a push has no other way. */
export const avoidRestart: ConfirmRestart = (_browser, canAvoid) => Promise.resolve(canAvoid ? 'inPlace' : 'restart');

/** The engine of a window of its own. */
export function newEngine(log: Logger = silentLogger): TestEngine {
  return new TestEngine({ log, idleMs: () => IDLE_MS });
}

/** Pushes `folder` under the name `sample` to one browser. Rejects with the error of a push that failed. */
export async function pushOnce(
  engine: TestEngine,
  { service, browser, folder }: { service: ServiceClient; browser: Browser; folder: string },
  { browser: other = browser, restarts = false, ...changes }: PushChanges = {},
  signal?: AbortSignal,
): Promise<KnownOutcome> {
  const order: PushOrder = {
    ...USUAL_ORDER,
    service,
    browsers: [restarts ? { ...other, restartOptional: false } : other],
    folder,
    isLocal: true,
    folderName: 'sample',
    ...changes,
  };
  const [browserOutcome] = await engine.push(order, signal);
  assert(browserOutcome);
  if (browserOutcome.outcome.kind === 'failed') throw browserOutcome.outcome.error;
  return browserOutcome.outcome;
}

/** A zip of files with these texts, by name. */
export async function zipOf(texts: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  return await (await packTexts(texts)).zip();
}

/** The smallest extension, as somebody else may upload it. */
export function zipOfOther(): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf({ 'manifest.json': '{ "manifest_version": 3, "name": "Other", "version": "1" }' });
}

/** The value of an expression in the worker of the only extension, asked for over a connection of the test's own. */
export async function askWorker(browser: Browser, expression: string): Promise<unknown> {
  const devtools = await DevTools.connect(browser.devToolsUrl);
  try {
    return await devtools.askWorker(expression, WORKER_LIMIT_MS);
  } finally {
    devtools.close();
  }
}
