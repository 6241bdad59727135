import { version } from '../../package.json';
import { allLegs, broken, brokenLeg, type Examination, timed, works } from '../doctor/legs';
import { examine, type PushedExtension, unreachedLegs } from '../doctor/examination';
import { browserProbe } from '../doctor/browserProbe';
import { legLine } from '../doctor/report';
import { findBrowser, noBrowserMessage } from '../local/chromium/browserPaths';
import { oneLine } from '../agents/bounds';
import { errorText } from '../agents/errorText';
import { EXIT } from '../agents/exitCodes';
import { browserName, runningBrowsers } from '../agents/namedBrowsers';
import { ToolError } from '../agents/tool';
import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import { redact } from '../service/redact';
import { TOKEN_VARIABLE } from '../service/serviceAddress';
import { ServiceError } from '../service/serviceErrors';
import { UsageError, type CliOptions } from './cliOptions';
import { HeadlessWindow } from './headless/headlessWindow';
import { onlyOne } from './pushCommand';
import { chooseService } from './serviceChoice';
import { jsonLine } from './printable';

/** Longest time for the list of browsers, in milliseconds. */
const LIST_LIMIT_MS = 60_000;

/** What a person at a terminal can do. */
const ADVICE = {
  copy: 'Remove one of them on the page chrome://extensions.',
  workerFailed: 'Push it again: that prints the error with its line.',
};

/**
 * Walks from the service to the worker of the extension that any program of this user has pushed to a browser last, and prints each part with its
 * time, or what is broken and what to do. Changes nothing but that it starts the local service where that does not run. No line has a token or an
 * address by which a browser can be reached. Resolves to the exit code.
 * @throws ToolError when several browsers run and none is named
 */
export async function examineBrowsers(
  options: CliOptions,
  log: Logger,
  print: (line: string) => void,
): Promise<number> {
  const secrets = [process.env[TOKEN_VARIABLE] ?? ''];
  const { browser, legs } = await examination(options, log, secrets);
  const leg = brokenLeg({ browser, legs });
  const exitCode = leg ? EXIT.refused : EXIT.running;
  const surroundings = {
    sideload: version,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    // An address may be one that nobody else is to know.
    service: ['local', 'cloud'].includes(options.service) ? options.service : 'other',
  };
  const show = (line: string): void => print(redact(line, secrets));
  if (options.json) {
    show(jsonLine({ browser: browser ?? null, broken: leg?.name ?? null, exitCode, legs, ...surroundings }));
    return exitCode;
  }
  show(browser === undefined ? 'No browser' : `Browser ${browser}`);
  for (const one of legs) show(legLine(one));
  const { sideload, node, system, service } = surroundings;
  show(`Sideload ${sideload}, Node.js ${node}, ${system}, service ${service}`);
  return exitCode;
}

/** Finds the browser and examines it; puts its credentials into `secrets`. @throws ToolError */
async function examination(options: CliOptions, log: Logger, secrets: string[]): Promise<Examination> {
  let close = (): Promise<void> => Promise.resolve();
  try {
    const service = chooseService({ ...options, log });
    const window = new HeadlessWindow({ roots: [], ...service, log });
    close = () => window.dispose();
    const browser = await browserOf(window, options.browser);
    if ('legs' in browser) return browser;
    return await examined(window, browser, secrets);
  } catch (error) {
    if (error instanceof ToolError || error instanceof UsageError) throw error;
    return { browser: undefined, legs: unreachedLegs(error, { sentence }) };
  } finally {
    await close();
  }
}

const NONE = 'No browser is running.';

/** Of terminals and of editors, each has a local service of its own. */
const ELSEWHERE =
  ' Those of an editor are reached with --data-dir and the folder that "Show Agent Configuration" names there.';

/**
 * The browser that is named, else the only one that runs. Where there is none, what that says.
 * @throws ToolError when several run and none is named; ServiceError
 */
async function browserOf(window: HeadlessWindow, named: string | undefined): Promise<Browser | Examination> {
  const begin = performance.now();
  const without = (said: string, advice: string): Examination => {
    const service = timed(works('service', 'It answers.'), performance.now() - begin);
    return { browser: undefined, legs: allLegs([service, broken('browser', said, advice)]) };
  };
  if (named !== undefined) {
    const found = await (await window.client()).findBrowser(named);
    return found ?? without(`No browser "${oneLine(named, 100)}" is running.`, 'Check the name or id.');
  }
  let running: Browser[];
  try {
    running = await runningBrowsers(window, AbortSignal.timeout(LIST_LIMIT_MS));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'unsupported') throw error;
    return without('The service lists no browsers.', 'Name one by its id with --browser.');
  }
  const only = onlyOne(running);
  if (only) return only;
  if (window.isLocal && (await findBrowser()) === undefined) return without(NONE, noBrowserMessage());
  return without(NONE, `Start one: sideload run FOLDER.${window.isLocal ? ELSEWHERE : ''}`);
}

/** Examines a browser; puts its credentials into `secrets`. */
async function examined(window: HeadlessWindow, browser: Browser, secrets: string[]): Promise<Examination> {
  const { id } = browser;
  const legs = await examine({
    ...browserProbe(
      async () => await (await window.client()).findBrowser(id),
      () => window.connections(),
      secrets,
    ),
    sentence,
    pushed: await lastPushed(window, id),
    advice: ADVICE,
  });
  return { browser: browserName(browser), legs };
}

/** The extension that any program of this user on this machine has pushed to a browser last. */
async function lastPushed(window: HeadlessWindow, browserId: string): Promise<PushedExtension | undefined> {
  const deliveries = await window.deliveries(browserId);
  const [last] = deliveries.filter(({ extensionId }) => extensionId !== undefined).sort((a, b) => b.at - a.at);
  if (last?.extensionId === undefined) return undefined;
  // After a push that has failed, the build before may run.
  return { id: last.extensionId, version: last.outcome === 'running' ? last.version : undefined };
}

function sentence(error: unknown): string {
  return errorText(error, 'person');
}
