// The real window is walked by test/ui; here its texts, over a model of what the browsers run.
import assert from 'node:assert/strict';
import type { PushRecord } from '../../../../src/editor/browsers/pushRecords';
import { browserNode } from '../../../../src/editor/lists/nodes';
import { endText } from '../../../../src/editor/push/endText';
import { endWay, type PushOrigin } from '../../../../src/editor/push/endWay';
import { FailureNotice } from '../../../../src/editor/push/failureNotice';
import { recordOf } from '../../../../src/editor/push/recordOf';
import { statusFacts, type PushState } from '../../../../src/editor/push/statusFacts';
import { statusText, type StatusText } from '../../../../src/editor/push/statusText';
import { summarise } from '../../../../src/editor/push/summary';
import type { BrowserEnd, PushEnd } from '../../../../src/push/run';
import type { BrowserSession } from '../../../../src/service/model';
import { dose, testSeed } from '../../../runner/seed';
import { type Chance, seededChance } from '../../../support/random';

const HISTORIES = dose(200, 5000);
const STEPS = 30;
const SERVICES = ['local', 'cloud'] as const;
const FOLDERS = ['counter', 'notes'] as const;
type Service = (typeof SERVICES)[number];
type Folder = (typeof FOLDERS)[number];

/** A browser as it is: what runs in it, and what is wrong with that. */
interface Browser {
  session: BrowserSession;
  service: Service;
  isThere: boolean;
  build: { folder: Folder; version: string } | undefined;
  errors: number;
}

/** How a push may end, by what is wrong with the folder or the way to the browser. */
type Fault = 'none' | 'mistake' | 'worker' | 'network';

/** The window: what it was told of, kept and drawn by the code of the product. */
class Window {
  readonly records = new Map<string, PushRecord>();
  readonly folders = new Map<string, Folder>();
  readonly open = new Set<string>();
  readonly notice = new FailureNotice((text) => {
    this.open.add(text);
    return () => void this.open.delete(text);
  });
  readonly chosen: Record<Service, Browser[]> = { local: [], cloud: [] };
  service: Service = 'local';
  state: PushState = { chosen: [], last: [], saves: { mode: 'onSave', folders: 'counter' }, isSeveral: true };

  constructor(private readonly errorsOf: (sessionId: string) => number) {}

  choose(browsers: Browser[]): void {
    this.chosen[this.service] = browsers;
    this.state = { ...this.state, last: [], waiting: undefined };
    this.notice.withdraw();
  }

  use(service: Service): void {
    this.service = service;
    this.choose(this.chosen[service]);
  }

  status(): StatusText {
    const facts = statusFacts(
      { ...this.state, chosen: this.chosen[this.service].map(subjectOf) },
      {
        record: (id) => this.records.get(id),
        errors: this.errorsOf,
        folder: (id) => this.folders.get(id),
      },
    );
    return statusText(facts);
  }

  end(folder: Folder, ends: readonly BrowserEnd[], origin: PushOrigin, at: number): void {
    for (const end of ends) {
      const record = recordOf(end, at);
      if (record) this.records.set(end.session.session_id, record);
      if ('extensionId' in end.end) this.folders.set(end.session.session_id, folder);
    }
    this.state = { ...this.state, last: ends.map(({ session }) => subjectOf({ session })), running: undefined };
    const named = ends.map((end) => ({
      browser: nameOf(end.session),
      extension: folder,
      outcome: end.end.outcome,
      text: endText(end.end, nameOf(end.session)),
      isForAll: end.isForAll,
    }));
    const { state, text } = summarise(named);
    const way = endWay(
      state,
      ends.map(({ end }) => end),
      origin,
    );
    if (way === 'notice') this.notice.show(text, origin === 'command');
    else if (way !== 'nothing') this.notice.withdraw();
  }
}

function nameOf({ name, session_id }: BrowserSession): string {
  return name ?? session_id;
}

function subjectOf({ session }: Pick<Browser, 'session'>): { sessionId: string; label: string } {
  return { sessionId: session.session_id, label: nameOf(session) };
}

function endOf(fault: Fault, version: string): PushEnd {
  switch (fault) {
    case 'none':
      return {
        outcome: 'running',
        extensionId: 'x',
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
      return { outcome: 'refusedByCheck', findings: [] };
    case 'worker':
      return { outcome: 'workerFailed', extensionId: 'x', version, faults: [] };
    case 'network':
      return { outcome: 'failed', error: new Error('the line is cut') };
  }
}

/** Walks one history, and compares after each step what is said with what the browsers run. */
function walk(chance: Chance): void {
  let count = 0;
  const browsers: Browser[] = [];
  const create = (service: Service): Browser => {
    count += 1;
    const session: BrowserSession = {
      session_id: `id${count}`,
      name: `b${count}`,
      cdp_ws_url: 'ws://x',
      headless: true,
    };
    const browser: Browser = { session, service, isThere: true, build: undefined, errors: 0 };
    browsers.push(browser);
    return browser;
  };
  const find = (id: string): Browser | undefined => browsers.find(({ session }) => session.session_id === id);
  const window = new Window((id) => find(id)?.errors ?? 0);
  for (const service of SERVICES) for (let index = 0; index < 3; index += 1) create(service);
  let fault: Fault = 'none';
  let version = 0;
  /** What the last push has left to be said in a notification. */
  let isFailureSaid = false;
  const done: string[] = [];

  const here = (): Browser[] => browsers.filter(({ service, isThere }) => service === window.service && isThere);
  const push = (origin: PushOrigin, isCancelled: boolean): void => {
    const chosen = window.chosen[window.service].filter(({ isThere }) => isThere);
    const given = chance.happens(0.2) && origin === 'command' ? here().slice(0, 1) : chosen;
    if (given.length === 0) return;
    const folder = chance.pick(FOLDERS);
    version += 1;
    window.state = { ...window.state, running: { subjects: given.map(subjectOf), folder, step: 'packing' } };
    assert.match(window.status().text, new RegExp(`^${folder} → .* · packing`), done.join(', '));
    const ends = given.map(({ session }): BrowserEnd => {
      const end: PushEnd = isCancelled ? { outcome: 'cancelled' } : endOf(fault, `1.${version}`);
      return { session, folder: `/${folder}`, end, isForAll: fault === 'mistake', isTooLate: false };
    });
    for (const browser of given) {
      if (isCancelled || fault === 'mistake' || fault === 'network') continue;
      Object.assign(browser, { build: { folder, version: `1.${version}` }, errors: 0 });
    }
    window.end(folder, ends, origin, version);
    if (isCancelled) return;
    isFailureSaid = fault === 'network' ? origin === 'save' : fault !== 'none' && origin === 'command';
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
      for (const browser of here())
        if (browser.build && window.records.get(browser.session.session_id)) browser.errors += 1;
    },
    end: () => {
      const [browser] = here();
      if (!browser) return;
      Object.assign(browser, { isThere: false, build: undefined, errors: 0 });
      const id = browser.session.session_id;
      const record = window.records.get(id);
      const reason = `${nameOf(browser.session)} has ended.`;
      if (record) window.records.set(id, { ...record, state: 'stopped', label: 'has ended', reason });
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
      const [browser] = here();
      if (!browser || !window.records.has(browser.session.session_id)) return;
      version += 1;
      Object.assign(browser, { build: { folder: 'counter', version: `1.${version}` }, errors: 0 });
      window.folders.set(browser.session.session_id, 'counter');
      window.records.set(browser.session.session_id, {
        state: 'running',
        at: version,
        reason: '',
        label: '',
        name: 'Counter',
        version: `1.${version}`,
        extensionId: 'x',
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

function compare(window: Window, browsers: readonly Browser[], isFailureSaid: boolean, done: readonly string[]): void {
  const said = done.join(', ');
  const { text, spoken, isWarning, icon } = window.status();
  const chosen = window.chosen[window.service];
  const recorded = chosen.map(({ session }) => window.records.get(session.session_id));

  // The status bar names the browsers that the next push goes to.
  const [only] = chosen;
  if (chosen.length === 1 && only) assert(text.includes(nameOf(only.session)), `${said}: ${text}`);
  if (chosen.length > 1) assert(text.includes(`${chosen.length} browsers`), `${said}: ${text}`);

  // It claims that a build runs only where it does, and is a warning where one that was pushed does not, or the last push has failed.
  const isBad = recorded.some((record) => record && record.state !== 'running');
  if (chosen.length > 0) assert.equal(isWarning, isBad, `${said}: ${text}`);
  if (icon === 'check') {
    const subjects =
      chosen.length > 0 ? chosen : browsers.filter(({ session }) => spoken.includes(`in ${nameOf(session)},`));
    const errors = subjects.reduce((sum, browser) => sum + browser.errors, 0);
    for (const { isThere, build } of subjects) assert(isThere && build, `${said}: ${text}`);
    assert.equal(/ · (\d+) errors?\b/.exec(text)?.[1] ?? '0', String(errors), `${said}: ${text}`);
    const [first] = subjects;
    assert(text.startsWith(`${first?.build?.folder ?? ''} → `), `${said}: ${text}`);
    assert(spoken.includes(first?.build?.version ?? 'none'), `${said}: ${spoken}`);
  }
  // Of several, it says which.
  const bad = chosen.find((_, index) => recorded[index] && recorded[index]?.state !== 'running');
  if (bad && chosen.length > 1) assert(spoken.includes(nameOf(bad.session)), `${said}: ${spoken}`);

  // Each row says the same of its browser.
  for (const { session, build, errors, isThere } of browsers) {
    const push = window.records.get(session.session_id);
    const { description } = browserNode(session, { role: 'none', push, errors, now: 1 });
    const runs = /^\S+ running/.exec(description)?.[0];
    if (runs !== undefined) assert.equal(isThere && build && `${build.version} running`, runs, said);
    if (runs !== undefined) assert.equal(/· (\d+) errors?/.exec(description)?.[1] ?? '0', String(errors), said);
    if (push?.state === 'stopped') assert.match(description, /^extension stopped/, said);
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
