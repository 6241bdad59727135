import { setTimeout as delay } from 'node:timers/promises';
import type { PartError } from '../../console/extensionErrors';
import { listenedTabEvents, openAndCloseTab } from '../../devtools/pages/tabEvents';
import { LOAD_LIMIT_MS } from '../../devtools/pages/pageLoad';
import { openSurface, runningManifest, type Surface } from '../../devtools/extensions/surfaces';
import { exampleAddress, visibleAddress } from '../../manifest/exampleAddress';
import { pagesOf } from '../../manifest/namedPages';
import { isSame } from '../../push/turns/deliveryNotes';
import type { BrowserOutcome } from '../../push/pushRun';
import type { Browser } from '../../service/model';
import { oneLine } from '../../agents/bounds';
import { browserName, withLink } from '../../agents/namedBrowsers';
import { CONTENT_LIMIT_MS, runContentScripts } from '../../agents/contentPage';
import { errorText } from '../../agents/errorText';
import { errorLine } from '../../agents/findingText';
import { shownPath } from '../../agents/folders';
import { pushText } from '../../agents/pushText';
import { openAndLoad } from '../../agents/openedPage';
import { countErrors, newErrors, SETTLE_MS } from '../../agents/runtimeErrors';
import { SmokeCalls } from './smokeCalls';
import { SMOKE_TEST_IDS, type SmokeResult, type SmokeTestId } from './smokeNames';
import type { ToolWindow } from '../../agents/tool';

/** How long nothing may go wrong at the end, in milliseconds. */
const QUIET_MS = 5000;

/** Why content scripts are not tested although there are some. */
const UNSEEN =
  'It has only style sheets, scripts in the main world and scripts with globs, which cannot be seen to run. Test them by hand.';

const CANCELLED = 'The tests were cancelled.';

const REPLACED =
  'Another build was pushed to this browser while the tests ran, so this says nothing of the one that was tested. Run the tests again.';

export interface SmokeRun {
  /** Both absolute. */
  folder: string;
  root: string;
  browser: Browser;
  /** A push that has just ended, to be tested instead of a new one. */
  pushed?: BrowserOutcome;
  /**
   * Whether to note what it calls of the API, for which its functions are replaced and its pages are opened once more: for a browser that was started
   * for the tests.
   */
  notesCalls?: boolean;
}

/** What smoke tests have found. */
export interface SmokeEnd {
  results: SmokeResult[];
  push: BrowserOutcome | undefined;
  /** The functions of the API that the extension has called, such as `tabs.query`; undefined where that was not noted. */
  calls: string[] | undefined;
}

/**
 * Pushes an extension to a browser, and tests it there. Never rejects: what cannot be tested has failed. `onResult` is called with
 * each result as it comes.
 */
export async function runSmokeTests(
  window: ToolWindow,
  run: SmokeRun,
  signal: AbortSignal,
  onResult: (result: SmokeResult) => void = () => undefined,
): Promise<SmokeEnd> {
  const tests = new SmokeTests(window, run, signal, onResult);
  await tests.run();
  return { results: tests.results, push: tests.push, calls: await tests.calls() };
}

/** Why the tests are skipped that need a running extension. */
function whyNotTested(outcome: BrowserOutcome['outcome']['kind'] | undefined): string {
  if (outcome === 'doubled') return 'Other copies of it run.';
  return outcome === 'unverified' ? 'It is not verified what runs.' : 'It does not run.';
}

/** What a test finds: undefined when it passes. */
type Failure = string | undefined;

class SmokeTests {
  readonly results: SmokeResult[] = [];
  push: BrowserOutcome | undefined;
  #extensionId = '';
  /** When the build that is tested was delivered, in milliseconds since the epoch; undefined when that is not known. */
  #deliveredAt: number | undefined;
  /** How long the errors of the test that runs are waited for after it, in milliseconds. */
  #settleMs = SETTLE_MS;
  /** How the test that runs was done, for a result that has passed. */
  #note = '';
  /** What it calls of the API, where that is noted. */
  readonly #calls: SmokeCalls | undefined;
  /** The manifest as it runs. */
  #raw: unknown;

  constructor(
    private readonly window: ToolWindow,
    private readonly target: SmokeRun,
    private readonly signal: AbortSignal,
    private readonly onResult: (result: SmokeResult) => void,
  ) {
    if (target.notesCalls) this.#calls = new SmokeCalls(window, target.browser, signal);
  }

  /** What the extension has called, with what its pages call; undefined where that is not noted. */
  async calls(): Promise<string[] | undefined> {
    if (this.#extensionId !== '') await this.#calls?.addAll(this.#extensionId, this.#raw);
    return this.#calls?.all;
  }

  async run(): Promise<void> {
    const { folder, browser, pushed } = this.target;
    const started = performance.now();
    try {
      await this.#calls?.begin();
      this.push = pushed ?? (await this.window.push(folder, browser, { mustReload: true }, this.signal));
    } catch (error) {
      this.#add('loads', 'failed', started, errorText(error, 'person'));
    }
    const outcome = this.push?.outcome;
    const text = this.push ? await pushText(this.push, { ...this.target, show: this.#show, reader: 'person' }) : '';
    const isLoaded = outcome !== undefined && 'extensionId' in outcome;
    if (outcome) this.#add('loads', isLoaded ? 'passed' : 'failed', started, text);
    if (isLoaded && outcome.kind === 'running' && outcome.worker === 'none')
      this.#add('worker', 'skipped', started, 'It has none.');
    else if (isLoaded && outcome.kind !== 'doubled')
      this.#add('worker', outcome.kind === 'running' ? 'passed' : 'failed', started, text);
    if (outcome?.kind === 'doubled') this.#add('alone', 'failed', started, text);
    if (outcome?.kind !== 'running') {
      this.#skipOthers(whyNotTested(outcome?.kind));
      return;
    }
    this.#extensionId = outcome.extensionId;
    this.#deliveredAt = await this.#lastDelivery(outcome);
    const manifest = await this.#manifest();
    const pages = new Set(pagesOf(manifest).map(({ key }) => key));
    this.#raw = manifest;
    if (outcome.worker !== 'none') await this.#calls?.continue(outcome.extensionId);
    await this.#test('alone', () => this.#alone(outcome.name));
    if (outcome.worker === 'none') this.#add('wakes', 'skipped', performance.now(), 'It has no service worker.');
    else await this.#test('wakes', () => this.#wakes());
    await this.#surface('popup', 'popup', pages.has('action.default_popup'));
    await this.#surface('options', 'options', pages.has('options_ui.page') || pages.has('options_page'));
    await this.#surface('sidePanel', 'sidePanel', pages.has('side_panel.default_path'));
    const address = visibleAddress(manifest);
    const why = exampleAddress(manifest) === undefined ? 'It has none for pages of the web.' : UNSEEN;
    if (address === undefined) this.#add('content', 'skipped', performance.now(), why);
    else await this.#test('content', () => this.#content(address));
    await this.#test('quiet', () => this.#quiet());
  }

  readonly #show = (path: string): string => shownPath(this.window.roots, path);

  #add(id: SmokeTestId, state: SmokeResult['state'], started: number, message: string): void {
    const result = {
      id,
      state,
      ms: Math.round(performance.now() - started),
      message: state === 'passed' ? this.#note : message,
    };
    this.#note = '';
    this.results.push(result);
    this.onResult(result);
  }

  #skipOthers(reason: string): void {
    const done = new Set(this.results.map(({ id }) => id));
    for (const id of SMOKE_TEST_IDS) {
      if (!done.has(id)) this.#add(id, 'skipped', performance.now(), reason);
    }
  }

  async #test(id: SmokeTestId, act: () => Promise<Failure>): Promise<void> {
    const started = performance.now();
    const failure = this.signal.aborted ? CANCELLED : await act().catch((error: unknown) => errorText(error, 'person'));
    if (this.signal.aborted && failure !== undefined) this.#add(id, 'skipped', started, CANCELLED);
    else if (failure === undefined) this.#add(id, 'passed', started, '');
    else if (await this.#isReplaced()) this.#add(id, 'outdated', started, REPLACED);
    else this.#add(id, 'failed', started, failure);
  }

  /** Whether the extension was pushed to the browser again since the tests began, by any program: by a build that a bundler has written, for example. */
  async #isReplaced(): Promise<boolean> {
    const outcome = this.push?.outcome;
    if (outcome?.kind !== 'running' || this.#deliveredAt === undefined) return false;
    const { id } = this.target.browser;
    const last = (await this.window.settledDeliveries(id, this.signal)).find((note) => isSame(note, outcome));
    return last !== undefined && last.at !== this.#deliveredAt;
  }

  async #lastDelivery(end: { extensionId: string; name: string; digest: string }): Promise<number | undefined> {
    const last = (await this.window.deliveries(this.target.browser.id)).find((note) => isSame(note, end));
    // Another one has come in between.
    return last && last.digest !== end.digest ? -1 : last?.at;
  }

  async #manifest(): Promise<unknown> {
    const { browser } = this.target;
    return await withLink(this.window, browser, (link) => runningManifest(link, this.#extensionId)).catch(
      () => undefined,
    );
  }

  async #alone(name: string): Promise<Failure> {
    const all = await withLink(this.window, this.target.browser, (link) => link.extensions());
    const others = all.filter((one) => one.enabled && one.name === name && one.id !== this.#extensionId);
    return others.length === 0 ? undefined : `Other copies run: ${others.map(({ id }) => id).join(', ')}.`;
  }

  async #wakes(): Promise<Failure> {
    return await this.#withoutError(() =>
      withLink(this.window, this.target.browser, async (link) => {
        const id = this.#extensionId;
        const workers = await link.workers();
        if (!workers) return 'The browser does not report workers.';
        // One that has fallen asleep cannot be asked.
        if (!(await workers.start(id))) return 'It does not run.';
        const [event] = await listenedTabEvents(link, id);
        await this.#calls?.addWorker(id);
        if (!(await workers.stop(id))) return 'It does not stop.';
        const wake = async (): Promise<Failure> => {
          if (event === undefined) {
            this.#note = 'Started over DevTools: it listens to no event that a test can cause without an effect.';
            return (await workers.start(id)) ? undefined : 'It does not start again.';
          }
          await openAndCloseTab(link);
          this.#note = `Started by chrome.tabs.${event}.`;
          return (await workers.runs(id)) ? undefined : `It listens to chrome.tabs.${event}, which does not start it.`;
        };
        return this.#calls ? await this.#calls.whileStarting(link, id, wake) : await wake();
      }),
    );
  }

  async #surface(id: SmokeTestId, surface: Surface, isThere: boolean): Promise<void> {
    if (!isThere) {
      this.#add(id, 'skipped', performance.now(), 'The manifest names none.');
      return;
    }
    await this.#test(id, () =>
      this.#withoutError(async () => {
        const { browser } = this.target;
        const { opened, load, settleMs } = await openAndLoad(this.window, browser, this.signal, () =>
          withLink(this.window, browser, (link) =>
            // An options page that is open already has had its errors before the test.
            openSurface(link, this.#extensionId, surface, { reloadsOptions: true }),
          ),
        );
        this.#settleMs = settleMs;
        if (opened.as === 'nothing') return `Not opened in ${browserName(browser)}: ${oneLine(opened.reason)}.`;
        if (load === 'failed') return 'Its page could not be loaded: Chromium shows an error page.';
        return load === 'loaded' ? undefined : `Its page has not loaded within ${LOAD_LIMIT_MS / 1000} s.`;
      }),
    );
  }

  async #content(address: string): Promise<Failure> {
    const of = { browser: this.target.browser, extensionId: this.#extensionId };
    return await this.#withoutError(async () =>
      (await runContentScripts(this.window, of, address, this.signal))
        ? undefined
        : `None ran at ${address} within ${CONTENT_LIMIT_MS / 1000} s.`,
    );
  }

  async #quiet(): Promise<Failure> {
    return await this.#withoutError(async () => {
      await delay(QUIET_MS, undefined, { signal: this.signal });
      return undefined;
    });
  }

  /** The errors, if any, that occur from the beginning to shortly after the end of `act`. */
  async #withoutError(act: () => Promise<Failure>): Promise<Failure> {
    const { browser } = this.target;
    this.#settleMs = SETTLE_MS;
    const before = countErrors(this.window, browser, this.#extensionId);
    const failure = await act();
    const errors = await newErrors(this.window, browser, this.#extensionId, before, this.signal, this.#settleMs);
    const lines = await this.#lines(errors.filter(({ isWarning }) => !isWarning));
    return failure === undefined && lines.length === 0 ? undefined : [failure ?? [], lines].flat().join('\n');
  }

  async #lines(errors: readonly PartError[]): Promise<string[]> {
    const build = { ...this.target, extensionId: this.#extensionId };
    return await Promise.all(errors.map((error) => errorLine(error, build, this.#show)));
  }
}
