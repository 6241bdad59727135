import * as l10n from '@vscode/l10n';
import { type Clock, inTime, realClock } from '../base/clock';
import type { ContextWorker } from '../devtools/extensions/contexts';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import { isSameVersion } from '../manifest/values/version';
import { DEVTOOLS, ServiceError } from '../service/serviceErrors';
import type { Browser } from '../service/model';
import { allLegs, broken, type Leg, timed, works } from './legs';

/** Longest time for what a browser answers, in milliseconds. */
const ANSWER_LIMIT_MS = 15_000;

/** The extension that was pushed to a browser last, as far as it is known. */
export interface PushedExtension {
  id: string;
  version: string | undefined;
}

/** What is asked of a service and a browser. Each may reject. */
export interface Probe {
  /** The browser as the service describes it now; undefined when it has ended. */
  findBrowser: () => Promise<Browser | undefined>;
  /** The name and version of the browser's program, over DevTools. */
  product: (browser: Browser) => Promise<string>;
  extensions: (browser: Browser) => Promise<readonly LoadedExtension[]>;
  /** The service worker of an extension; undefined for an extension without one. */
  worker: (browser: Browser, extensionId: string) => Promise<ContextWorker | undefined>;
  /** The sentences for people about an error, without secrets. */
  sentence: (error: unknown) => string;
  /** What was pushed to the browser; undefined where that is not known. */
  pushed: PushedExtension | undefined;
  /** What the reader can do where that depends on the program that they use, as sentences. */
  advice: ProgramAdvice;
}

/** What a person can do in one program and not in another. */
export interface ProgramAdvice {
  /** About another enabled copy of the extension. */
  copy: string;
  /** About a worker whose script has failed: where its error is. */
  workerFailed: string;
}

/** An answer, and how long it took in milliseconds. */
interface Answered<T> {
  answer: T;
  ms: number;
}

/** The kinds of errors with which a service shows that it answers. */
const ANSWERED: readonly string[] = ['notFound', 'unsupported', 'conflict', 'badRequest'];

/**
 * Walks from the service to the worker of the pushed extension, and stops at the first leg that is broken. Changes nothing in the browser;
 * it is kept awake no longer than by any other use of its DevTools. Never rejects.
 */
export async function examine(probe: Probe, clock: Clock = realClock): Promise<Leg[]> {
  const legs: Leg[] = [];
  /** What the browser answers in time; undefined after it has added the broken leg. */
  const ask = async <T>(name: Leg['name'], question: () => Promise<T>): Promise<Answered<T> | undefined> => {
    const begin = clock.now();
    try {
      const answered = await inTime(
        question().then((answer) => ({ answer, ms: clock.now() - begin })),
        ANSWER_LIMIT_MS,
        clock,
      );
      if (!answered)
        legs.push(broken(name, l10n.t('There was no answer in {0} s.', ANSWER_LIMIT_MS / 1000), lateAdvice()));
      return answered;
    } catch (error) {
      legs.push(...brokenBy(name, error, probe));
      return undefined;
    }
  };

  const found = await ask('browser', probe.findBrowser);
  if (!found) return allLegs(legs);
  // The same answer is about the browser.
  legs.push(timed(works('service', l10n.t('It answers.')), found.ms));
  const browser = found.answer;
  if (!browser) {
    legs.push(broken('browser', l10n.t('The browser has ended.'), l10n.t('Start it again, or push to another one.')));
    return allLegs(legs);
  }
  // A service that describes no browsers knows the id alone.
  const isKnown = browser.createdAt !== undefined || browser.devToolsUrl !== '';
  legs.push(works('browser', isKnown ? l10n.t('It runs.') : l10n.t('The service does not say whether it runs.')));
  const product = await ask('devTools', () => probe.product(browser));
  if (!product) return allLegs(legs);
  legs.push(timed(works('devTools', l10n.t('{0} answers.', product.answer)), product.ms));
  const extensions = await ask('extension', () => probe.extensions(browser));
  if (!extensions) return allLegs(legs);
  const leg = timed(extensionLeg(extensions.answer, probe), extensions.ms);
  legs.push(leg);
  const id = probe.pushed?.id ?? onlyOne(extensions.answer)?.id;
  if (leg.state !== 'works' || id === undefined) return allLegs(legs);
  const worker = await ask('worker', () => probe.worker(browser, id));
  if (worker) legs.push(timed(workerLeg(worker.answer, probe), worker.ms));
  return allLegs(legs);
}

/** The legs of a browser that could not be looked for, because of an error of the service. */
export function unreachedLegs(error: unknown, probe: Pick<Probe, 'sentence'>): Leg[] {
  return allLegs(brokenBy('browser', error, probe));
}

/** An error about the browser may be one of the service, which then does not work. */
function brokenBy(name: Leg['name'], error: unknown, { sentence }: Pick<Probe, 'sentence'>): Leg[] {
  const isAddress = error instanceof ServiceError && error.operation === DEVTOOLS;
  const isAnswered = error instanceof Error && (error.name === 'UserError' || isAnswerOf(error));
  if (name !== 'browser' || isAddress) return [broken(name, sentence(error))];
  if (!isAnswered) return [broken('service', sentence(error))];
  return [works('service', l10n.t('It answers.')), broken('browser', sentence(error))];
}

function isAnswerOf(error: Error): boolean {
  return error instanceof ServiceError && ANSWERED.includes(error.kind);
}

function lateAdvice(): string {
  return l10n.t('Look at the browser’s screen: a dialog may hold it. Otherwise delete the browser and start another.');
}

function onlyOne(extensions: readonly LoadedExtension[]): LoadedExtension | undefined {
  const enabled = extensions.filter((one) => one.enabled);
  return enabled.length === 1 ? enabled[0] : undefined;
}

function extensionLeg(extensions: readonly LoadedExtension[], { pushed, advice }: Probe): Leg {
  const again = l10n.t('Push it again.');
  if (!pushed) {
    const [first] = extensions;
    if (!first) return broken('extension', l10n.t('The browser has no extension.'), l10n.t('Push one.'));
    const only = onlyOne(extensions);
    if (only)
      return works('extension', l10n.t('{0} {1} is enabled, and was not pushed from here.', only.name, only.version));
    return works(
      'extension',
      l10n.t('{0} extensions are loaded, none of which was pushed from here.', extensions.length),
    );
  }
  const own = extensions.find(({ id }) => id === pushed.id);
  if (!own) {
    const why = l10n.t(
      'The browser no longer has the extension that was pushed: it was removed, or the browser has restarted.',
    );
    return broken('extension', why, again);
  }
  if (!own.enabled) {
    const why = l10n.t('{0} is disabled in the browser.', own.name);
    return broken('extension', why, l10n.t('Push it again, or enable it on the page chrome://extensions.'));
  }
  const copy = extensions.find(({ id, name, enabled }) => enabled && id !== own.id && name === own.name);
  if (copy) {
    const why = l10n.t('Another copy of {0} is enabled, too, with the version {1}.', own.name, copy.version);
    return broken('extension', why, advice.copy);
  }
  if (pushed.version !== undefined && !isSameVersion(own.version, pushed.version)) {
    const why = l10n.t('The browser runs {0} {1}, and {2} was pushed.', own.name, own.version, pushed.version);
    return broken('extension', why, again);
  }
  return works('extension', l10n.t('{0} {1} is enabled.', own.name, own.version));
}

function workerLeg(worker: ContextWorker | undefined, { advice }: Probe): Leg {
  const status = worker?.status ?? 'none';
  if (status === 'failed') {
    return broken('worker', l10n.t('Its script has failed, so it does not run.'), advice.workerFailed);
  }
  const said = {
    none: l10n.t('The extension has none.'),
    starting: l10n.t('It is starting.'),
    running: l10n.t('It runs.'),
    asleep: l10n.t('It is asleep, and wakes by itself.'),
    stopped: l10n.t('It was stopped, and starts with the next event.'),
  };
  return works('worker', said[status]);
}
