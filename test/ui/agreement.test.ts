// Covers: src/editor/push, src/editor/browsers, src/editor/targets, src/editor/lists, src/editor/problems, src/editor/console, src/push
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { releaseOfSuite } from '../machine/releases';
import { dose, testSeed } from '../runner/seed';
import { DocumentService } from '../standins/documentService';
import { runChild } from '../support/child';
import { readLocalService, type LocalService } from '../support/localService';
import { ROOT } from '../support/paths';
import { type Chance, seededChance } from '../support/random';
import { witnessOf } from '../workbench/observer';
import type { Notification } from '../workbench/workbench';
import { WELCOME } from '../workbench/phrases';
import { createBrowser, openBrowsers, pushByRow, pushItem, readLog, statusLabel } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { viewTitle } from '../workbench/titles';
import { closeWindow, openWindow, type OpenWindow } from '../workbench/window';

const HISTORIES = dose(1, 200);
const STEPS = 4;

/** Longest time to open the window, for a history, and until all that is said is true, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;
const HISTORY_LIMIT_MS = 6 * 60_000;
const TRUE_LIMIT_MS = 30_000;

/** Interval at which the window is read, and how long the command line may take, in milliseconds. */
const LOOK_MS = 300;
const PROGRAM_LIMIT_MS = 120_000;

/** What is wrong with the folder, as it is on the disk. */
type Mistake = 'none' | 'syntax' | 'throws';

/** What the last push to a browser came to, where it is not what runs. */
type Failure = 'refused' | 'workerFailed';

/** A browser of a history. */
interface Browser {
  name: string;
  hasEnded: boolean;
  failure: Failure | undefined;
  /** Whether the worker of what runs has failed, also when a later push was refused. */
  hasFailedWorker: boolean;
  byOther: boolean;
  /** Whether what runs is of another folder, whose errors are not this window's. */
  isOfCopy: boolean;
  /** How many errors what runs has had. */
  errors: number;
}

/** What a browser runs, by DevTools: the version and the build of the extension; undefined where there is none. */
interface Running {
  version: string;
  build: unknown;
}

describe('what the window says of pushes', function () {
  let shared: OpenWindow;
  let local: LocalService;
  let other: DocumentService;
  let good: string;
  let manifest: string;

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    shared = await openWindow('agreement', releaseOfSuite());
    good = await readFile(join(shared.folder, 'background.js'), 'utf8');
    manifest = await readFile(join(shared.folder, 'manifest.json'), 'utf8');
    other = await DocumentService.start();
    await openBrowsers(shared.workbench);
    await shared.workbench.problems.open();
  });

  after(async function () {
    this.timeout(120_000);
    await other.stop();
    await closeWindow(shared);
  });

  it(`is true in the status bar, rows, Pushes, Problems and toasts, in ${HISTORIES} random histories`, async function () {
    this.timeout(HISTORIES * HISTORY_LIMIT_MS);
    console.log(`      seed ${testSeed()}`);
    const chance = seededChance(testSeed());
    for (let index = 0; index < HISTORIES; index++) {
      const history = new History(index, chance);
      await history.begin();
      try {
        for (let step = 0; step < STEPS; step++) await history.step();
      } finally {
        console.log(`      ${index}: ${history.done.join(', ')}`);
        await history.end();
      }
    }
  });

  /** One history: browsers of its own, a folder that works at first, and what was done. */
  class History {
    readonly done: string[] = [];
    readonly #chance: Chance;
    readonly #browsers: Browser[] = [];
    readonly #index: number;
    #target: Browser | undefined;
    #mistake: Mistake = 'none';
    #build = 0;
    #thrown = 0;
    /** Whether the failure of the last push is said in a notification: it is withdrawn when pushes go elsewhere. */
    #isSaid = false;

    constructor(index: number, chance: Chance) {
      this.#index = index;
      this.#chance = chance;
    }

    async begin(): Promise<void> {
      await this.#write('none');
      await this.#create();
      local = (await readLocalService(shared.server.userDir)) ?? assert.fail('no local service is running');
      await this.#pushTo(this.#target);
      await this.#compare();
    }

    async end(): Promise<void> {
      for (const browser of this.#browsers) if (!browser.hasEnded) await deleteNow(browser.name);
      await shared.workbench.clearNotifications();
    }

    async step(): Promise<void> {
      const acts = {
        mistake: () => this.#writeAndPush(this.#chance.pick(['syntax', 'throws'] as const)),
        repair: () => this.#writeAndPush('none'),
        error: () => this.#throw(),
        cancel: () => this.#cancel(),
        end: () => this.#endTarget(),
        target: () => this.#changeTarget(),
        service: () => this.#changeService(),
        otherWindow: () => this.#pushByOther(),
      };
      const name = this.#chance.pick(Object.keys(acts) as (keyof typeof acts)[]);
      this.done.push(name);
      await acts[name]();
      await this.#compare();
    }

    async #create(): Promise<Browser> {
      const name = `agree-${this.#index}-${this.#browsers.length}`;
      await createBrowser(shared.workbench, name);
      const browser: Browser = {
        name,
        hasEnded: false,
        failure: undefined,
        hasFailedWorker: false,
        byOther: false,
        isOfCopy: false,
        errors: 0,
      };
      this.#browsers.push(browser);
      this.#target ??= browser;
      await shared.workbench.clearNotifications();
      return browser;
    }

    /** Writes a build of its own version, with a mistake or without. */
    async #write(mistake: Mistake): Promise<void> {
      this.#mistake = mistake;
      this.#build += 1;
      const version = `1.${this.#index}.${this.#build}`;
      await writeFile(join(shared.folder, 'manifest.json'), manifest.replace('1.0.0', version));
      const end = { none: '', syntax: 'globalThis.broken = ;\n', throws: "throw new Error('at start');\n" }[mistake];
      await writeFile(join(shared.folder, 'background.js'), `${this.#worker()}${end}`);
    }

    /** The worker of the last build, which fails on request. */
    #worker(): string {
      const fail = 'globalThis.fail = (text) => setTimeout(() => { throw new Error(text); }) > 0;\n';
      return `${good}globalThis.agreedBuild = ${this.#build};\n${fail}`;
    }

    async #writeAndPush(mistake: Mistake): Promise<void> {
      if (this.#target?.hasEnded !== false) await this.#changeTarget();
      await this.#write(mistake);
      await this.#pushTo(this.#target);
    }

    async #pushTo(browser: Browser | undefined): Promise<void> {
      assert.ok(browser);
      await pushByRow(shared.workbench, browser.name);
      this.#ended(browser);
    }

    /** A push has ended as the folder lets it. */
    #ended(browser: Browser): void {
      if (this.#mistake !== 'syntax') {
        const hasFailedWorker = this.#mistake === 'throws';
        Object.assign(browser, { errors: 0, byOther: false, isOfCopy: false, hasFailedWorker });
      }
      browser.failure = ({ none: undefined, syntax: 'refused', throws: 'workerFailed' } as const)[this.#mistake];
      if (this.#mistake === 'none') this.#target = browser;
      this.#isSaid = browser.failure !== undefined;
    }

    async #throw(): Promise<void> {
      const { workbench } = shared;
      const browser = this.#target;
      if (!browser || browser.hasEnded || browser.hasFailedWorker) return;
      this.#thrown += 1;
      if (!browser.isOfCopy) browser.errors += 1;
      const witness = await witnessOf(local, browser.name);
      const [sample] = await witness.extensions();
      // Each has a text of its own: the same at the same place would be one.
      await witness.inWorker(sample?.id ?? '', `fail('on request ${this.#index} ${this.#thrown}')`);
      await witness.close();
      if (browser.failure === undefined || browser.isOfCopy) return;
      // What runs is an earlier build, whose errors are shown all the same.
      await workbench.problems.waitFor(`on request ${this.#index} ${this.#thrown}`, TRUE_LIMIT_MS);
    }

    /** The push is cancelled as soon as it can be, which may be too late. */
    async #cancel(): Promise<void> {
      const { workbench } = shared;
      const browser = this.#target;
      if (!browser || browser.hasEnded || this.#mistake !== 'none') return;
      await this.#write('none');
      const before = await runningIn(browser);
      await workbench.run(COMMANDS.push);
      const toast = workbench.page.locator('.notification-toast', { hasText: /^Pushing / });
      await toast
        .getByRole('button', { name: 'Cancel' })
        .click({ timeout: 5000 })
        .catch(() => undefined);
      await workbench.noToast(/^Pushing /);
      const after = await runningIn(browser);
      if (after?.build !== before?.build) this.#ended(browser);
    }

    async #endTarget(): Promise<void> {
      const browser = this.#target;
      if (!browser || browser.hasEnded) return;
      browser.hasEnded = true;
      await deleteNow(browser.name);
    }

    async #changeTarget(): Promise<void> {
      const others = this.#browsers.filter((one) => one !== this.#target && !one.hasEnded);
      const [next = await this.#create()] = others;
      await this.#write('none');
      await this.#pushTo(next);
    }

    /** Another service is in use for a while. */
    async #changeService(): Promise<void> {
      const { workbench } = shared;
      await chooseOtherService(workbench, other.baseUrl, other.token);
      const view = await openBrowsers(workbench);
      await view.waitForWelcome(WELCOME.browsersUnlisted);
      const label = await statusLabel(workbench);
      for (const { name } of this.#browsers) assert.ok(!label.includes(name), `${this.done.join()}: ${label}`);
      assert.deepEqual(failuresOf(await workbench.notifications()), []);
      await leaveOtherService(workbench);
      this.#isSaid = false;
      for (const { name, hasEnded } of this.#browsers) if (!hasEnded) await view.waitForRow(name);
    }

    /** Another program of the user pushes the same folder, or a copy of it, with another version. */
    async #pushByOther(): Promise<void> {
      const browser = this.#target;
      if (!browser || browser.hasEnded || browser.failure !== undefined) return;
      const isOfCopy = this.#chance.happens(0.5);
      await this.#write('none');
      const copy = await mkdtemp(join(tmpdir(), 'sideload-agreement-'));
      try {
        if (isOfCopy) await cp(shared.folder, copy, { recursive: true });
        const program = [join(ROOT, 'dist', 'cli.js'), 'push', isOfCopy ? copy : shared.folder];
        const args = [...program, '--service', local.baseUrl, '--browser', browser.name];
        const env = { ...process.env, SIDELOAD_TOKEN: local.token };
        const lines: string[] = [];
        const output = { line: (line: string) => lines.push(line) };
        const { code } = await runChild(process.execPath, args, { env, output, limitMs: PROGRAM_LIMIT_MS });
        assert.equal(code, 0, lines.join('\n'));
      } finally {
        await rm(copy, { recursive: true });
      }
      Object.assign(browser, { byOther: true, isOfCopy, errors: 0 });
    }

    /** Waits until all five say what the browsers run. */
    async #compare(): Promise<void> {
      const end = performance.now() + TRUE_LIMIT_MS;
      for (;;) {
        const faults = await this.#faults();
        if (faults.length === 0) return;
        const log = performance.now() > end ? (await readLog(shared.workbench)).slice(-15) : [];
        if (performance.now() > end) {
          assert.fail(
            [`seed ${testSeed()}, history ${this.#index}: ${this.done.join(', ')}`, ...faults, ...log].join('\n'),
          );
        }
        await new Promise((done) => setTimeout(done, LOOK_MS));
      }
    }

    /** What is said that is not true. */
    async #faults(): Promise<string[]> {
      const { workbench } = shared;
      const faults: string[] = [];
      const mustMatch = (who: string, text: string, expected: RegExp): void => {
        if (!expected.test(text)) faults.push(`${who}: "${text}" is not ${expected}`);
      };
      const view = await openBrowsers(workbench);
      const [status, rows] = [await pushItem(workbench).innerText(), await view.rows()];
      // It is there once something was pushed.
      const past = workbench.view(viewTitle(VIEWS.pushes));
      await past.open();
      const pushes = await past.rows();
      const problems = (await workbench.problems.read()).map(({ message }) => message);
      const inSight = failuresOf(await workbench.notifications());
      const toasts = inSight.length > 0 || !this.#isSaid ? inSight : failuresOf(await workbench.listedNotifications());
      const target = this.#target;
      for (const browser of this.#browsers) {
        const { name, hasEnded, failure, errors, byOther } = browser;
        const row = rows.find((text) => text.startsWith(`${name} `));
        const own = problems.filter((text) => text.includes('on request') && text.includes(name));
        if (hasEnded) {
          if (row !== undefined) faults.push(`row of what has ended: ${row}`);
          if (own.length > 0) faults.push(`Problems of what has ended: ${own.join()}`);
          continue;
        }
        const { version = 'none' } = (await runningIn(browser)) ?? {};
        const count = errors === 0 ? '' : ` · ${errors} errors?`;
        const runs = `${version.replaceAll('.', '\\.')} running · (by another program )?(just now|.* ago)${count}( ·|$)`;
        mustMatch('row', row ?? 'none', failure === undefined ? new RegExp(` ${runs}`) : / last push failed/);
        if (own.length !== errors) faults.push(`Problems of ${name}: ${own.join('; ')}, not ${errors}`);
        const newest = pushes.find((text) => text.includes(`${name} · `));
        const since = errors === 0 ? `· [0-9a-f]{7} ${name}` : `· [0-9a-f]{7} ${errors} errors? since · ${name}`;
        const isOwn = failure === undefined && !byOther;
        if (isOwn) mustMatch('Pushes', newest ?? 'none', new RegExp(`^${version.replaceAll('.', '\\.')} ${since}`));
        if (failure === 'workerFailed') mustMatch('Pushes', newest ?? 'none', /worker failed/);
      }
      if (target) {
        const { name, hasEnded, failure, hasFailedWorker, errors, byOther } = target;
        const words = hasEnded
          ? 'has ended'
          : failure === 'refused'
            ? 'not pushed'
            : failure === 'workerFailed'
              ? 'worker failed'
              : `${byOther ? 'another program, ' : ''}\\d\\d:\\d\\d( [AP]M)?${errors === 0 ? '' : ` · ${errors} errors?`}`;
        mustMatch('status bar', status, new RegExp(`^\\s*${name} · ${words}\\s*$`));
        const isBroken = !hasEnded && hasFailedWorker;
        const hasFault = problems.some((text) => text.includes('The service worker failed in') && text.includes(name));
        if (hasFault !== isBroken) faults.push(`Problems ${hasFault ? 'has' : 'lacks'} the failure of the worker`);
        // The check sees the disk: the mistake is there until it is repaired, wherever pushes go.
        const isRefused = problems.some((text) => text.includes('so the worker never starts'));
        if (isRefused !== (this.#mistake === 'syntax'))
          faults.push(`Problems ${isRefused ? 'has' : 'lacks'} the mistake`);
        if (!hasEnded && toasts.length > 0 !== this.#isSaid) faults.push(`toasts: ${toasts.join('; ')}`);
      }
      return faults;
    }
  }

  /** What a browser runs of the extension. */
  async function runningIn({ name }: Browser): Promise<Running | undefined> {
    const witness = await witnessOf(local, name);
    try {
      const sample = (await witness.extensions()).find((one) => one.name === 'Sideload Sample');
      if (!sample) return undefined;
      // A worker that has failed at its start never runs.
      const asked = witness.inWorker(sample.id, 'globalThis.agreedBuild').catch(() => undefined);
      const build = await Promise.race([asked, new Promise((done) => setTimeout(done, 3000, undefined))]);
      return { version: sample.version, build };
    } finally {
      await witness.close();
    }
  }

  /** Deletes a browser as another client of the service. */
  async function deleteNow(name: string): Promise<void> {
    const answer = await fetch(new URL(`browsers/${name}`, `${local.baseUrl}/`), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${local.token}` },
    });
    assert.ok(answer.ok, `${name}: ${answer.status}`);
  }
});

/** The messages that say that something has failed. */
function failuresOf(all: readonly Notification[]): string[] {
  return all.flatMap(({ message }) => (/is running in|^Pushing |was removed/.test(message) ? [] : [message]));
}
