// The real window is walked by test/ui; here its texts, over a model of what the browsers run.
import assert from 'node:assert/strict';
import type { BuildFolders } from '../../../../src/console/errorSpots';
import type { ErrorReport } from '../../../../src/devtools/errors/errorReports';
import { PushRecords, type PushRecord } from '../../../../src/push/known/pushRecords';
import { remembered, renamed, type RememberedBrowser } from '../../../../src/editor/targets/remembered';
import { browserNode } from '../../../../src/editor/lists/nodes';
import { Notice } from '../../../../src/editor/notice';
import { ErrorsOfRecords } from '../../../../src/editor/problems/errorsOfRecords';
import { ReportedErrors } from '../../../../src/console/reportedErrors';
import { outcomeSentence } from '../../../../src/editor/push/outcomeSentence';
import { outcomeWay } from '../../../../src/editor/push/outcomeWay';
import { PastPushes } from '../../../../src/editor/push/pastPushes';
import { recordOf } from '../../../../src/editor/push/recordOf';
import { statusFacts, type PushState } from '../../../../src/editor/push/statusFacts';
import { statusText, type StatusText } from '../../../../src/editor/push/statusText';
import { summarise } from '../../../../src/editor/push/summary';
import type { BrowserOutcome, PushedArchive, PushOutcome } from '../../../../src/push/pushRun';
import type { PushOrigin } from '../../../../src/push/restartRule';
import type { Browser } from '../../../../src/service/model';
import { dose, testSeed } from '../../../runner/seed';
import { type Chance, seededChance } from '../../../support/random';

const HISTORIES = dose(200, 5000);
const STEPS = 30;
const SERVICES = ['local', 'cloud'] as const;
const FOLDERS = ['counter', 'notes'] as const;
type Service = (typeof SERVICES)[number];
type Folder = (typeof FOLDERS)[number];

/** The ids of the extensions in the folders. */
const IDS: Record<Folder, string> = { counter: 'c'.repeat(32), notes: 'n'.repeat(32) };

/** The lines that fail, and the hosts that content scripts run on. */
const LINES = [1, 2, 3];
const HOSTS = ['one.test', 'two.test'];

/** What a browser has of one folder: its version, and the lines that have failed in it since. */
interface Build {
  version: string;
  errors: Set<number>;
}

/** A browser as it is: what runs in it, and what is wrong with that. */
interface Played {
  browser: Browser;
  service: Service;
  isThere: boolean;
  builds: Map<Folder, Build>;
  /** The folder that was pushed last. */
  last: Folder | undefined;
}

/** The line of an error with which a worker fails to start. */
const START = 0;

/** How a push may end, by what is wrong with the folder or the way to the browser. */
type Fault = 'none' | 'mistake' | 'worker' | 'network';

/** The window: what it was told of, kept and drawn by the code of the product. */
class Window {
  readonly records = new Map<string, PushRecord>();
  readonly folders = new Map<string, Folder>();
  readonly open = new Set<string>();
  readonly reported: ReportedErrors = new ReportedErrors(
    (id) => this.counts.setErrors(id, this.reported.countsIn(id)),
    () => '',
  );
  /** How many errors the rows and the status bar count. */
  readonly counts = new PushRecords(() => '');
  readonly ofRecords = new ErrorsOfRecords(this.reported);
  readonly past = new PastPushes((id, extensionId) => this.reported.countOf(id, extensionId));
  /** How many errors each push had when it was last what runs, by its number. */
  readonly counted = new Map<number, number>();
  /** The browsers as the service has listed them last. */
  browsers: readonly Browser[] = [];
  /** What is remembered of the browsers that were chosen. */
  readonly known = new Map<string, RememberedBrowser>();
  readonly notice = new Notice((text) => {
    this.open.add(text);
    return () => void this.open.delete(text);
  });
  readonly chosen: Record<Service, Played[]> = { local: [], cloud: [] };
  service: Service = 'local';
  state: PushState = { chosen: [], last: [], saves: { mode: 'onSave', folders: 'counter' }, isSeveral: true };

  choose(browsers: Played[]): void {
    this.chosen[this.service] = browsers;
    for (const { browser } of browsers) this.known.set(browser.id, remembered(browser));
    this.state = { ...this.state, last: [], waiting: undefined };
    this.notice.withdraw();
  }

  use(service: Service): void {
    this.service = service;
    this.choose(this.chosen[service]);
  }

  /** The list of browsers was read. */
  listed(browsers: readonly Browser[]): void {
    this.browsers = browsers;
    const [now] = [renamed([...this.known.values()], browsers)];
    for (const browser of now ?? []) this.known.set(browser.browserId, browser);
    for (const browser of browsers) this.reported.rename(browser.id, nameOf(browser));
  }

  /** A folder was pushed to a browser, perhaps by another program. */
  pushed(browser: Browser, folder: Folder): void {
    this.folders.set(browser.id, folder);
    this.counts.setBuild({ browser, ...placesOf(folder) }, '');
  }

  /** What is known of a browser has changed, or a push to it has begun or ended. */
  note(browser: Browser, record = this.records.get(browser.id), isPushing = false): void {
    const id = browser.id;
    if (record) this.records.set(id, record);
    const folder = this.folders.get(id);
    this.past.follow(id, record, isPushing);
    const build = folder && { ...placesOf(folder), label: nameOf(browser) };
    this.ofRecords.follow(id, { record, build, isPushing });
  }

  status(): StatusText {
    const facts = statusFacts(
      {
        ...this.state,
        chosen: this.chosen[this.service].map(({ browser: { id: browserId } }) => ({
          browserId,
          label: this.known.get(browserId)?.label ?? '',
        })),
      },
      {
        label: (id) => this.browsers.find(({ id: browserId }) => browserId === id)?.name ?? undefined,
        record: (id) => this.records.get(id),
        errors: (id) => this.counts.errorsOfLast(id),
        folder: (id) => this.folders.get(id),
      },
    );
    return statusText(facts);
  }

  end(folder: Folder, outcomes: readonly BrowserOutcome[], origin: PushOrigin, at: number): void {
    for (const browserOutcome of outcomes) {
      const { browser, outcome } = browserOutcome;
      const id = browser.id;
      if ('extensionId' in outcome) {
        this.pushed(browser, folder);
        // The errors of the build before are forgotten with the first report of the new one.
        this.reported.add(id, nameOf(browser), reportOf(folder, true));
        this.reported.setBuild(
          id,
          nameOf(browser),
          placesOf(folder),
          outcome.kind === 'workerFailed' ? outcome.faults : [],
        );
      }
      const record = recordOf(browserOutcome, at);
      if (record) this.note(browser, record, true);
      this.past.add(`/${folder}`, browserOutcome, at);
      this.note(browser);
    }
    this.state = { ...this.state, last: outcomes.map(({ browser }) => subjectOf({ browser })), running: undefined };
    const named = outcomes.map((browserOutcome) => ({
      browser: nameOf(browserOutcome.browser),
      extension: folder,
      kind: browserOutcome.outcome.kind,
      text: outcomeSentence(browserOutcome.outcome, nameOf(browserOutcome.browser)),
      isForAll: browserOutcome.isForAll,
    }));
    const { state, text } = summarise(named);
    const way = outcomeWay(
      state,
      outcomes.map(({ outcome }) => outcome),
      origin,
    );
    if (way === 'notice' || way === 'question') this.notice.show(text, { mustShow: origin === 'command' });
    else if (way !== 'nothing') this.notice.withdraw();
  }
}

function nameOf({ name, id }: Browser): string {
  return name ?? id;
}

function subjectOf({ browser }: Pick<Played, 'browser'>): { browserId: string; label: string } {
  return { browserId: browser.id, label: nameOf(browser) };
}

function folderOf(path: string): Folder {
  return path === '/counter' ? 'counter' : 'notes';
}

function placesOf(folder: Folder): BuildFolders {
  return { folder: `/${folder}`, root: `/${folder}`, extensionId: IDS[folder] };
}

/** What a browser reports of failed lines in a folder. */
function reportOf(folder: Folder, isFirst: boolean, lines: readonly number[] = [], host = ''): ErrorReport {
  const extensionId = IDS[folder];
  const url = `chrome-extension://${extensionId}/content.js`;
  return {
    extensionId,
    isFirst,
    traces: [],
    errors: lines.map((line) => ({
      id: line,
      text: `Uncaught Error: line ${line}`,
      isWarning: false,
      isOfManifest: false,
      isWorker: false,
      source: url,
      contextUrl: `https://${host}/`,
      manifestKey: '',
      frames: [{ url, line, column: 2 }],
      count: 1,
    })),
  };
}

function archiveOf(folder: Folder, version: string): PushedArchive {
  return { name: folder, version, digest: `${folder}${version}`, bytes: 300, digests: new Map() };
}

function outcomeOf(fault: Fault, folder: Folder, version: string): PushOutcome {
  switch (fault) {
    case 'none':
      return {
        kind: 'running',
        extensionId: IDS[folder],
        name: 'Counter',
        version,
        digest: version,
        ms: 100,
        worker: 'running',
        reload: 'load',
        files: 3,
        bytes: 300,
      };
    case 'mistake':
      return { kind: 'refusedByCheck', findings: [] };
    case 'worker':
      return {
        kind: 'workerFailed',
        extensionId: IDS[folder],
        version,
        faults: [{ text: 'Error: start', url: `chrome-extension://${IDS[folder]}/worker.js`, line: 1, column: 1 }],
      };
    case 'network':
      return { kind: 'failed', error: new Error('the line is cut') };
  }
}

/** Walks one history, and compares after each step what is said with what the browsers run. */
function walk(chance: Chance): void {
  let count = 0;
  const browsers: Played[] = [];
  const create = (service: Service): Played => {
    count += 1;
    const browser: Browser = {
      id: `id${count}`,
      name: `b${count}`,
      devToolsUrl: 'ws://x',
      headless: true,
    };
    const played: Played = { browser, service, isThere: true, builds: new Map(), last: undefined };
    browsers.push(played);
    return played;
  };
  const window = new Window();
  for (const service of SERVICES) for (let index = 0; index < 3; index += 1) create(service);
  let fault: Fault = 'none';
  let version = 0;
  /** What the last push has left to be said in a notification. */
  let isFailureSaid = false;
  const done: string[] = [];

  const here = (): Played[] => browsers.filter(({ service, isThere }) => service === window.service && isThere);
  const push = (origin: PushOrigin, isCancelled: boolean): void => {
    const chosen = window.chosen[window.service].filter(({ isThere }) => isThere);
    const given = chance.happens(0.2) && origin === 'command' ? here().slice(0, 1) : chosen;
    if (given.length === 0) return;
    const folder = chance.pick(FOLDERS);
    version += 1;
    window.state = { ...window.state, running: { subjects: given.map(subjectOf), folder, step: 'packing' } };
    assert.match(window.status().text, new RegExp(`^${folder} → .* · packing`), done.join(', '));
    const outcomes = given.map(({ browser }): BrowserOutcome => {
      const outcome: PushOutcome = isCancelled ? { kind: 'cancelled' } : outcomeOf(fault, folder, `1.${version}`);
      const archive = archiveOf(folder, `1.${version}`);
      return { browser, folder: `/${folder}`, outcome, archive, isForAll: fault === 'mistake', isTooLate: false };
    });
    for (const { browser } of given) window.note(browser, undefined, true);
    for (const played of given) {
      if (isCancelled || fault === 'mistake' || fault === 'network') continue;
      played.builds.set(folder, { version: `1.${version}`, errors: new Set(fault === 'worker' ? [START] : []) });
      played.last = folder;
    }
    window.end(folder, outcomes, origin, version);
    if (isCancelled) return;
    isFailureSaid = fault === 'network' || (fault !== 'none' && origin === 'command');
    // A push that was asked for makes its only browser the target.
    const [only] = given;
    if (
      fault === 'none' &&
      only &&
      given.length === 1 &&
      origin === 'command' &&
      chosen.length < 2 &&
      only !== chosen[0]
    ) {
      window.choose([only]);
    }
  };
  const acts: Readonly<Record<string, () => void>> = {
    mistake: () => (fault = chance.pick(['mistake', 'worker', 'network'])),
    repair: () => (fault = 'none'),
    save: () => {
      push('save', false);
    },
    push: () => {
      push('command', false);
    },
    cancel: () => {
      push('command', true);
    },
    error: () => {
      for (const { browser, builds } of here()) {
        for (const [folder, { errors }] of builds) {
          // One whose worker has failed to start runs nothing.
          if (errors.has(START) || !window.records.has(browser.id) || chance.happens(0.5)) continue;
          const line = chance.pick(LINES);
          errors.add(line);
          window.reported.add(browser.id, nameOf(browser), reportOf(folder, false, [line], chance.pick(HOSTS)));
        }
      }
    },
    edit: () => {
      const [folder, line] = [chance.pick(FOLDERS), chance.pick(LINES)];
      for (const { builds } of browsers) builds.get(folder)?.errors.delete(line);
      const shown = window.reported.shown.filter(({ build }) => build.extensionId === IDS[folder]);
      const errors = shown.flatMap((one) => one.errors);
      window.reported.outdate(new Set(errors.filter(({ location }) => location?.line === line)));
    },
    end: () => {
      const [played] = here();
      if (!played) return;
      Object.assign(played, { isThere: false, builds: new Map(), last: undefined });
      const { browser } = played;
      const record = window.records.get(browser.id);
      const reason = `${nameOf(browser)} has ended.`;
      if (record) window.note(browser, { ...record, state: 'stopped', hasEnded: true, label: 'has ended', reason });
    },
    remove: () => {
      const played = here().find(({ last }) => last !== undefined);
      if (!played?.last) return;
      const { browser, last, builds } = played;
      const record = window.records.get(browser.id);
      // Of a failed push, only the failure is known.
      if (record?.extensionId !== IDS[last] || record.state !== 'running') return;
      builds.delete(last);
      played.last = undefined;
      window.note(browser, { ...record, state: 'stopped', label: 'was removed', reason: 'It was removed.' });
    },
    rename: () => {
      const all = here();
      const played = all[chance.below(Math.max(1, all.length))];
      if (!played) return;
      count += 1;
      played.browser = { ...played.browser, name: `b${count}` };
      window.listed(here().map(({ browser }) => browser));
    },
    target: () => {
      window.choose(here().slice(0, 1 + chance.below(2)));
      isFailureSaid = false;
    },
    create: () => {
      create(window.service);
    },
    service: () => {
      window.use(chance.pick(SERVICES));
      isFailureSaid = false;
    },
    otherWindow: () => {
      const [played] = here();
      if (!played || !window.records.has(played.browser.id)) return;
      version += 1;
      played.builds.set('counter', { version: `1.${version}`, errors: new Set() });
      played.last = 'counter';
      window.pushed(played.browser, 'counter');
      window.note(played.browser, {
        state: 'running',
        at: version,
        reason: '',
        label: '',
        name: 'Counter',
        version: `1.${version}`,
        extensionId: IDS.counter,
        byOther: true,
      });
    },
  };

  for (let step = 0; step < STEPS; step += 1) {
    const name = chance.pick(Object.keys(acts));
    acts[name]?.();
    done.push(name);
    compare(window, browsers, isFailureSaid, done);
  }
}

/** What was pushed last to a browser. */
function lastOf({ builds, last }: Played): Build {
  return (last && builds.get(last)) ?? { version: 'none', errors: new Set() };
}

function compare(window: Window, browsers: readonly Played[], isFailureSaid: boolean, done: readonly string[]): void {
  const said = done.join(', ');
  const { text, spoken, isWarning, icon } = window.status();
  const chosen = window.chosen[window.service];
  const recorded = chosen.map(({ browser }) => window.records.get(browser.id));

  // The status bar names the browsers that the next push goes to.
  const [only] = chosen;
  if (chosen.length === 1 && only) assert(text.includes(nameOf(only.browser)), `${said}: ${text}`);
  if (chosen.length > 1) assert(text.includes(`${chosen.length} browsers`), `${said}: ${text}`);

  // It claims that a build runs only where it does, and is a warning where one that was pushed does not, or the last push has failed.
  const isBad = recorded.some((record) => record && record.state !== 'running');
  if (chosen.length > 0) assert.equal(isWarning, isBad, `${said}: ${text}`);
  if (icon === 'check') {
    const subjects =
      chosen.length > 0 ? chosen : browsers.filter(({ browser }) => spoken.includes(`in ${nameOf(browser)},`));
    const errors = subjects.reduce((sum, played) => sum + lastOf(played).errors.size, 0);
    for (const { isThere, last } of subjects) assert(isThere && last, `${said}: ${text}`);
    assert.equal(/ · (\d+) errors?\b/.exec(text)?.[1] ?? '0', String(errors), `${said}: ${text}`);
    const [first] = subjects;
    assert(text.startsWith(`${first?.last ?? ''} → `), `${said}: ${text}`);
    assert(first && spoken.includes(lastOf(first).version), `${said}: ${spoken}`);
  }
  // Of several, it says which.
  const bad = chosen.find((_, index) => recorded[index] && recorded[index]?.state !== 'running');
  if (bad && chosen.length > 1) assert(spoken.includes(nameOf(bad.browser)), `${said}: ${spoken}`);

  for (const played of browsers) {
    const { browser, isThere } = played;
    const id = browser.id;
    const { version } = lastOf(played);
    // A build whose worker has failed to start runs nothing.
    const running = [...played.builds.values()].filter(({ errors }) => !errors.has(START));
    const errors = running.reduce((sum, build) => sum + build.errors.size, 0);

    // Each row says the same of its browser, and counts the errors of all that runs there.
    const push = window.records.get(id);
    const { description } = browserNode(browser, { role: 'none', push, errors: window.counts.errorsIn(id), now: 1 });
    const runs = /^\S+ running/.exec(description)?.[0];
    if (runs !== undefined) assert.equal(isThere && `${version} running`, runs, said);
    if (runs !== undefined) assert.equal(/· (\d+) errors?/.exec(description)?.[1] ?? '0', String(errors), said);
    if (push?.state === 'stopped') assert.match(description, /^extension stopped/, said);

    // The Problems panel has the errors of all that runs there, each once, and none of what does not.
    const shown = window.reported.shown.filter(({ label }) => label === nameOf(browser));
    for (const folder of FOLDERS) {
      const own = shown.filter(({ build }) => build.extensionId === IDS[folder]);
      const lines = own.flatMap((one) => [
        ...one.errors.map(({ location }) => location?.line),
        ...one.faults.map(() => START),
      ]);
      const real = played.builds.get(folder)?.errors ?? [];
      assert.deepEqual([...new Set(lines)].sort(), [...real].sort(), `${said}: ${folder} in ${nameOf(browser)}`);
    }
  }

  // The view of the pushes counts on for what runs; what runs no longer had as many as it had when it ended.
  for (const push of window.past.all) {
    const { id, browserId, archive, folder } = push;
    const build = browsers.find(({ browser }) => browser.id === browserId)?.builds.get(folderOf(folder));
    const isLive = push.state !== 'failed' && build?.version === archive.version;
    if (isLive) window.counted.set(id, build.errors.size);
    assert.equal(
      window.past.errorsSince(push),
      window.counted.get(id) ?? 0,
      `${said}: ${archive.version} of ${folder}`,
    );
  }

  // A notification says of a failure only while it holds.
  assert.equal(window.open.size, isFailureSaid ? 1 : 0, `${said}: ${[...window.open].join()}`);
}

describe('what a window says of its pushes', function () {
  this.timeout(dose(20_000, 300_000));
  it(`agrees with what the browsers run, in ${HISTORIES} random histories`, () => {
    const chance = seededChance(testSeed());
    for (let index = 0; index < HISTORIES; index += 1) walk(chance);
  });
});
