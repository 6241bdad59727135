import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ArchiveError } from '../../src/archive/error';
import { DevToolsError } from '../../src/devtools/protocol/connect';
import { ServiceClient } from '../../src/service/client';
import { ServiceError, type ServiceErrorKind } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { testSeed } from '../runner/seed';
import { SlowNetwork, type NetworkOptions } from '../standins/slowNetwork';
import { startFaultyProxy, type FaultyProxy } from './client.faultyProxy';
import { Chance } from './client.random';
import { FaultInjection, pastFaults } from './edits.faultInjection';
import { Observer, type Said } from './edits.observer';
import { filesOn, rootOf, texts, withKeyOf } from './edits.files';
import { digestOf, Project, type State } from './edits.project';
import { EditorWindow, type Report } from './edits.window';
import { eventually } from '../support/eventually';
import { newFolder, TestService } from './service';

/** The same seed repeats a failure as far as the machine's timing allows. */
const SEED = testSeed();

/** Most edits between two looks at the outcome, and the longest pause between two of them, in milliseconds. */
const MOST_AT_ONCE = 6;
const LONGEST_PAUSE_MS = 90;

/** A browser is killed at most so often: each time a new one has to be started. */
const MOST_KILLS = 3;

const LIMITS = { shortMs: 2000, longMs: 4000 };
const RETRY = { attempts: 3, firstDelayMs: 10, longestDelayMs: 50 };

/** Lines of the journal that a failure shows. */
const LINES = 40;

/** How long what follows a push may take, in milliseconds. */
const SOON_MS = 30_000;

/** How long a browser that somebody has restarted may take to answer, in milliseconds: one question alone may wait for workers and pages. */
const ANSWER_MS = 30_000;

/** Failures that faults of the service and the line may end in. */
const FAULT_KINDS = new Set<ServiceErrorKind>(['unreachable', 'timeout', 'server', 'rateLimited', 'unauthorized']);

/** How a project is edited. */
export interface EditsOptions {
  edits: number;
  limitMs: number;
  /** What lies between the window and the service; by default nothing. */
  network?: NetworkOptions;
}

/** Saves a project again and again while the service, the line and the browser fail, and checks each report. For a `describe`. */
export function editsUnderFaults(suite: Mocha.Suite, { edits: total, limitMs, network }: EditsOptions): void {
  suite.timeout(limitMs);
  const chance = new Chance(SEED);
  const outcomes = new Map<string, number>();
  const lies: string[] = [];
  const journal: string[] = [];
  let folder: string;
  let service: TestService;
  let proxy: FaultyProxy;
  let direct: ServiceClient;
  /** Without faults, but over the network: DevTools addresses that it gets lead over it, too. */
  let calm: ServiceClient;
  const networks: SlowNetwork[] = [];
  let client: ServiceClient;
  let project: Project;
  let observer: Observer;
  let faults: FaultInjection;
  let editor: EditorWindow;
  /** Whether the service or the line may fail, or the browser is disturbed. */
  let isFaulty = false;
  /** When that ended last, in the milliseconds of `performance.now()`. */
  let faultyUntil = 0;
  let disturbances = 0;
  let disturbing = 0;
  let kills = 0;

  before(async () => {
    folder = await newFolder();
    const faultsFile = join(folder, 'faults.json');
    service = await TestService.start(['--faults', faultsFile], join(folder, 'data'));
    proxy = await startFaultyProxy(new URL(service.baseUrl), chance);
    const shared = { token: service.token, log: silentLogger, retry: RETRY, limits: LIMITS };
    client = new ServiceClient({ ...shared, baseUrl: await over(`http://127.0.0.1:${proxy.port}`) });
    direct = new ServiceClient({ token: service.token, log: silentLogger, baseUrl: new URL(service.baseUrl) });
    calm = new ServiceClient({ token: service.token, log: silentLogger, baseUrl: await over(service.baseUrl) });
    project = await Project.create(chance);
    observer = await Observer.create();
    faults = new FaultInjection(chance, faultsFile, proxy, direct, note);
    await faults.calm();
    editor = new EditorWindow(
      client,
      project,
      await newBrowser(),
      async (report) => {
        await check(report).catch((error: unknown) => {
          lies.push(`${inspect(error)}\n${inspect(report.outcome, { depth: 5 })}\n${journal.slice(-LINES).join('\n')}`);
        });
      },
      note,
    );
  });

  after(async () => {
    editor.dispose();
    observer.close();
    await Promise.all([client.close(), direct.close(), calm.close()]);
    await Promise.all(networks.map((one) => one.close()));
    await proxy.close();
    await service.stop();
    await Promise.all([project.remove(), rm(folder, { recursive: true, force: true })]);
  });

  it(`after ${total} random edits the browser runs the last saved build, and no report was wrong (seed ${SEED})`, async () => {
    while (project.edits < total) {
      const { over } = await begin();
      const edits = Math.min(1 + chance.below(MOST_AT_ONCE), total - project.edits);
      for (let edit = 0; edit < edits; edit++) {
        const path = await project.edit();
        note(`saved ${path}`);
        editor.saved([path]);
        await delay(chance.below(LONGEST_PAUSE_MS));
      }
      await over;
      if (chance.next() < 0.7) await editor.rest();
      noLies();
      await replaceBrowser();
    }
    await faults.calm();
    isFaulty = false;
    await editor.rest();
    await replaceBrowser();
    editor.saved(await project.mend());
    await editor.rest();
    noLies();
    await mustRunLast().catch((error: unknown) => {
      throw new Error(`${inspect(error)}\n${journal.slice(-LINES).join('\n')}`);
    });
    console.log(`      ${summary()}`);
  });

  /** Begins an injected fault, or ends the current one. `over` resolves when a temporary disturbance of the browser has ended. */
  async function begin(): Promise<{ over: Promise<void> }> {
    const { id } = editor.browser;
    const kind = chance.next();
    await faults.calm();
    if (isFaulty) faultyUntil = performance.now();
    isFaulty = kind < 0.45;
    if (kind < 0.25) await faults.atService();
    else if (kind < 0.45) faults.onLine();
    else if (kind < 0.65) return { over: disturb(() => faults.restart(id)) };
    else if (kind < 0.7 && kills < MOST_KILLS) {
      kills += 1;
      return { over: disturb(() => faults.kill(id)) };
    }
    return { over: Promise.resolve() };
  }

  async function disturb(act: () => Promise<void>): Promise<void> {
    const after = chance.below(400);
    await delay(after);
    disturbances += 1;
    disturbing += 1;
    try {
      await act();
    } finally {
      disturbing -= 1;
      disturbances += 1;
    }
  }

  /** A browser that is gone is replaced by hand, as a person would. */
  async function replaceBrowser(): Promise<void> {
    if (await isThere(editor.browser)) return;
    await editor.rest();
    editor.use(await newBrowser());
  }

  async function isThere({ id }: Browser): Promise<boolean> {
    return pastFaults(() => direct.getBrowser(id)).then(
      () => true,
      () => false,
    );
  }

  function newBrowser(): Promise<Browser> {
    return calm.createBrowser({ headless: true, timeoutSeconds: 600 });
  }

  /** The address by which a service is reached over the network. */
  async function over(address: string): Promise<URL> {
    if (!network) return new URL(address);
    const one = await SlowNetwork.start(address, { ...network, random: () => chance.next() });
    networks.push(one);
    return new URL(one.baseUrl);
  }

  /** Compares what a push has told with what was saved and with what the browser says. */
  async function check({ outcome, states, browser, begun }: Report): Promise<void> {
    const before = disturbances;
    const isCalm = (): boolean => disturbing === 0 && disturbances === before;
    outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
    switch (outcome.kind) {
      case 'running':
      case 'unchanged': {
        const state = project.withDigest(outcome.digest);
        assert(state, 'nobody has saved what is told to run');
        assert.equal(state.fault, undefined);
        if (!isCalm()) return count('not compared');
        try {
          await mustSay(browser, state);
          if (!outcomes.has('unverified')) assert.equal(digestOf(await filesOn(service, browser)), outcome.digest);
          count('compared');
        } catch (error) {
          if (isCalm() && (await isThere(browser))) throw error;
          count('not compared');
        }
        return;
      }
      case 'workerFailed':
        assert(states.some(({ fault }) => fault === 'worker'));
        return;
      case 'refusedByCheck':
        assert(states.some(({ fault }) => fault === 'manifest'));
        return;
      case 'unverified':
        assert(project.withDigest(outcome.digest));
        return;
      case 'failed':
        await mustBeExcused(outcome.error, browser, begun);
        return;
      default:
        assert.fail(`the push cannot have ended as "${outcome.kind}"`);
    }
  }

  /** That there was a reason for a push to fail. */
  async function mustBeExcused(error: unknown, browser: Browser, begun: number): Promise<void> {
    if (error instanceof ArchiveError) {
      assert(['changed', 'gone'].includes(error.kind));
      return count('saved while it was packed');
    }
    const isGone = !(await isThere(browser));
    if (error instanceof DevToolsError || isGone) {
      assert(isGone || disturbances > 0, 'DevTools failed although nobody disturbed the browser');
      return;
    }
    assert(error instanceof ServiceError);
    assert(FAULT_KINDS.has(error.kind));
    const wasFaulty = isFaulty || begun <= faultyUntil;
    assert(wasFaulty || disturbances > 0, 'the service failed although it was well');
  }

  async function mustSay({ id }: Browser, state: State): Promise<void> {
    const said = await observer.ask(await pastFaults(() => direct.getBrowser(id)));
    assert.deepEqual(said, expected(state, said));
  }

  function expected({ worker, library, version, content }: State, { workers }: Said): Said {
    return {
      workers: Array.from({ length: Math.max(workers.length, 1) }, () => `${worker}, ${library}, ${version}`),
      content: String(content),
    };
  }

  /** That the browser runs what was saved last, and its files are the project's byte for byte and no others. */
  async function mustRunLast(): Promise<void> {
    // Somebody may have restarted the browser just now.
    await observer.whenAnswered(editor.browser, ANSWER_MS);
    await mustSay(editor.browser, project.last);
    const root = rootOf(service, editor.browser);
    const isLeftover = (name: string): boolean => name.startsWith('.') && !name.startsWith('.sideload-spare-');
    await eventually('no leftovers', async () => !(await readdir(root)).some(isLeftover), SOON_MS);
    const names = await readdir(root);
    assert(names.filter((name) => name.startsWith('.')).length <= 1, names.join(', '));
    const own = names.filter((name) => !name.startsWith('other-') && !name.startsWith('.'));
    // A push while DevTools cannot be reached goes into a folder of its own, in which later ones continue.
    if (!outcomes.has('unverified')) assert.deepEqual(own, ['edits']);
    const files = await filesOn(service, editor.browser);
    const saved = new Map<string, Buffer>([...project.files].map(([path, text]) => [path, Buffer.from(text)]));
    if (own.at(-1) !== 'edits') saved.set('manifest.json', withKeyOf('edits', project.files.get('manifest.json')));
    assert.deepEqual(texts(files), texts(saved));
  }

  function note(line: string): void {
    journal.push(`${performance.now().toFixed(0)} ${line}`);
  }

  function noLies(): void {
    assert(lies.length === 0, `seed ${SEED}: ${lies.join('\n')}`);
  }

  function count(what: string): void {
    outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  }

  function summary(): string {
    return [...outcomes, ...faults.made].map(([what, times]) => `${what} ${times}`).join(', ');
  }
}
