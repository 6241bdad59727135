import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import { DevToolsError } from '../../../src/devtools/protocol/connect';
import type { ConnectionOptions } from '../../../src/devtools/connection/browserConnections';
import { TestEngine } from '../../support/testEngine';
import { PushRecords } from '../../../src/push/known/pushRecords';
import type { PushService } from '../../../src/push/pushService';
import type { BrowserOutcome, PushOrder } from '../../../src/push/pushRun';
import { silentLogger } from '../../../src/service/logger';
import type { Browser } from '../../../src/service/model';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { TestClock } from '../../support/testClock';
import { REPLAYED } from '../../transcripts/replayScenario';
import { build } from '../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

/** A browser in memory, with the files on its machine. */
interface Machine {
  browser: Browser;
  service: MemoryService;
  chromium: MemoryChromium;
}

describe('the push engine', function () {
  this.timeout(LIMIT_MS);
  let root: string;
  let folder: string;
  let clock: TestClock;
  let machines: Machine[];
  let engines: TestEngine[];
  let state: string | undefined;
  let isReachable: boolean;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-engine-'));
    folder = join(root, 'extension');
    await mkdir(folder);
    state = process.env['XDG_STATE_HOME'];
    process.env['XDG_STATE_HOME'] = join(root, 'state');
    clock = new TestClock();
    machines = ['one', 'two'].map((name) => {
      const service = new MemoryService(clock);
      const browser = { ...REPLAYED, id: name, devToolsUrl: `wss://service.test/${name}` };
      return { browser, service, chromium: new MemoryChromium(service) };
    });
    engines = [];
    isReachable = true;
    await write(1);
  });

  afterEach(async () => {
    for (const engine of engines) engine.dispose();
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
    await rm(root, { recursive: true, force: true });
  });

  /** Writes a build into the extension folder. */
  const write = async (number: number): Promise<void> => {
    const { manifest, files } = build(number);
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  };

  const machine = (at: number): Machine => machines[at] ?? assert.fail();

  const engineOf = (eventsOf?: ConnectionOptions['eventsOf'], records?: PushRecords): TestEngine => {
    const open = (url: string): Promise<MemoryChromium> =>
      isReachable
        ? Promise.resolve(machines.find(({ browser }) => browser.devToolsUrl === url)?.chromium ?? assert.fail(url))
        : Promise.reject(new DevToolsError('refused'));
    const engine = new TestEngine({
      log: silentLogger,
      idleMs: () => Infinity,
      wiring: { open, clock },
      ...(eventsOf && { eventsOf }),
      ...(records && { records }),
    });
    engines.push(engine);
    return engine;
  };

  /** The service of all machines. */
  const service = (): PushService => {
    const of = (id: string): MemoryService =>
      machines.find(({ browser }) => browser.id === id)?.service ?? assert.fail(id);
    return {
      baseUrl: new URL('http://service.test/'),
      uploadExtensionsToBrowser: (id, ...rest) => of(id).uploadExtensionsToBrowser(id, ...rest),
      uploadZip: (id, ...rest) => of(id).uploadZip(id, ...rest),
      listFiles: (id, ...rest) => of(id).listFiles(id, ...rest),
      fileInfo: (id, ...rest) => of(id).fileInfo(id, ...rest),
      readFile: (id, ...rest) => of(id).readFile(id, ...rest),
      moveFile: (id, ...rest) => of(id).moveFile(id, ...rest),
      deleteFile: (id, ...rest) => of(id).deleteFile(id, ...rest),
      deleteDirectory: (id, ...rest) => of(id).deleteDirectory(id, ...rest),
      pressKey: (id, ...rest) => of(id).pressKey(id, ...rest),
    };
  };

  const orderOf = (more: Partial<PushOrder> = {}): PushOrder => ({
    service: service(),
    isLocal: true,
    folder,
    browsers: [machine(0).browser],
    skipUnchanged: false,
    exclude: [],
    include: ['manifest.json', 'worker.js'],
    delivery: 'auto',
    tabs: 'visible',
    folderName: 'sample',
    confirmRestart: () => Promise.resolve('inPlace'),
    onStep: () => undefined,
    ...more,
  });

  const wait = <T>(work: Promise<T>): Promise<T> => clock.run(work, () => machines.some((one) => one.service.isBusy));

  const push = (engine: TestEngine, more: Partial<PushOrder> = {}, signal?: AbortSignal): Promise<BrowserOutcome[]> =>
    wait(engine.push(orderOf(more), signal));

  const kinds = (ends: readonly BrowserOutcome[]): string[] =>
    ends.map(({ outcome }) => (outcome.kind === 'failed' ? `failed: ${String(outcome.error)}` : outcome.kind));

  const uploads = ({ service: { calls } }: Machine): number =>
    calls.filter((call) => call.startsWith('uploadZip')).length;

  it('delivers to all browsers, and one that fails does not stop the others', async () => {
    machine(0).service.faults.push({ operation: 'uploadZip', kind: 'before' });
    const outcomes = await push(engineOf(), { browsers: machines.map(({ browser }) => browser) });
    assert.deepEqual(kinds(outcomes), ['failed: ServiceError: The connection broke.', 'running']);
    assert.deepEqual(
      outcomes.map(({ browser }) => browser.id),
      ['one', 'two'],
    );
  });

  it('delivers to a browser one after another, and replaces a push that waits by a newer one of the same folder', async () => {
    const engine = engineOf();
    let isRunning = false;
    const onEnd = async (): Promise<void> => {
      assert.equal(isRunning, false, 'Two deliveries run at once.');
      isRunning = true;
      await clock.delay(50);
      isRunning = false;
    };
    const running = engine.push(orderOf({ onEnd }));
    await clock.idle();
    const waiting = [2, 3].map(() => engine.push(orderOf({ onEnd })));
    const [first, second, third] = await wait(Promise.all([running, ...waiting]));
    assert.deepEqual(
      [first, second, third].map((outcomes) => kinds(outcomes ?? [])),
      [['running'], ['running'], ['running']],
    );
    assert.equal(second?.[0], third?.[0]);
    assert.notEqual(first?.[0], second?.[0]);
  });

  it('does a push that waits by itself when the one that has replaced it is cancelled', async () => {
    const engine = engineOf();
    const running = engine.push(orderOf());
    await clock.idle();
    const cancelled = new AbortController();
    const waiting = [engine.push(orderOf()), engine.push(orderOf(), cancelled.signal)];
    cancelled.abort();
    const [, saved, byHand] = await wait(Promise.all([running, ...waiting]));
    assert.deepEqual([kinds(saved ?? []), kinds(byHand ?? [])], [['running'], ['cancelled']]);
  });

  it('reloads when a push that waits was to do so, and is replaced by one that need not', async () => {
    const engine = engineOf();
    await push(engine);
    const running = engine.push(orderOf());
    await clock.idle();
    const waiting = [{ mustReload: true }, { skipUnchanged: true }].map((how) => engine.push(orderOf(how)));
    const outcomes = await wait(Promise.all([running, ...waiting]));
    const workers = outcomes.map(([one]) => (one?.outcome.kind === 'running' ? one.outcome.worker : one?.outcome.kind));
    assert.deepEqual(workers, ['kept', 'running', 'running']);
  });

  it('does nothing in a browser that is no longer wanted when the folder is packed, unless a push that it replaces was to it', async () => {
    const engine = engineOf();
    const running = engine.push(orderOf());
    await clock.idle();
    let isWanted = true;
    const how: Partial<PushOrder> = { browsers: machines.map(({ browser }) => browser), skipUnchanged: true };
    const later = engine.push(orderOf({ ...how, isWanted: ({ id }) => id !== 'one' || isWanted }));
    isWanted = false;
    await write(2);
    const [, ends] = await wait(Promise.all([running, later]));
    const reasons = (outcomes: readonly BrowserOutcome[]): (string | undefined)[] =>
      outcomes.map(({ outcome }) => ('why' in outcome ? outcome.why : outcome.kind));
    assert.deepEqual(reasons(ends), ['notWanted', 'running']);
    const before = uploads(machine(0));
    const none = { ...orderOf(), isWanted: () => false };
    const other = join(root, 'other');
    await cp(folder, other, { recursive: true });
    const sets = await wait(engine.pushSet([none, { ...none, folder: other }]));
    assert.deepEqual(sets.map(reasons), [['notWanted'], ['notWanted']]);
    assert.equal(uploads(machine(0)), before);
    const again = engine.push(orderOf());
    await clock.idle();
    const both = [engine.push(orderOf()), engine.push({ ...none, skipUnchanged: true })];
    assert.deepEqual((await wait(Promise.all([again, ...both]))).map(kinds), [['running'], ['running'], ['running']]);
  });

  it('takes browsers of two services with the same id for two: none waits for the other, or has what that one got', async () => {
    const browser = { ...machine(0).browser, devToolsUrl: '' };
    const restart = () => Promise.resolve('restart' as const);
    const of = (at: number): Partial<PushOrder> => ({
      service: { ...machine(at).service, baseUrl: new URL(`https://service-${at}.test/`) },
      browsers: [browser],
      skipUnchanged: true,
      confirmRestart: restart,
    });
    const [ours, others] = [engineOf(), engineOf()];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = ours.push(orderOf({ ...of(0), onEnd: () => held }));
    await clock.idle();
    const steps: string[] = [];
    const onStep: PushOrder['onStep'] = ({ step }) => steps.push(step);
    assert.deepEqual(kinds(await push(ours, { ...of(1), onStep })), ['unverified']);
    assert.deepEqual(kinds(await push(others, { ...of(1), onStep })), ['unverified']);
    assert.ok(!steps.includes('waiting'), steps.join());
    release();
    assert.deepEqual(kinds(await wait(first)), ['unverified']);
    assert.deepEqual(kinds(await push(ours, of(0))), ['unchanged']);
  });

  it('reaches each of two browsers with the same id over its own DevTools, and reports of each for its service', async () => {
    const lost: string[] = [];
    const engine = engineOf((baseUrl) => ({ onLost: () => lost.push(baseUrl.pathname) }));
    const of = (at: number): Partial<PushOrder> => {
      const { service: own, browser } = machine(at);
      return {
        service: { ...own, baseUrl: new URL(`https://service.test/${at}`) },
        browsers: [{ ...browser, id: 'brw-1' }],
      };
    };
    assert.deepEqual(kinds(await push(engine, of(0))), ['running']);
    assert.deepEqual(kinds(await push(engine, of(1))), ['running']);
    assert.deepEqual(
      machines.map(({ chromium }) => chromium.extensions.length),
      [1, 1],
    );
    machine(0).chromium.lose();
    await clock.idle();
    assert.deepEqual(lost, ['/0']);
  });

  it('skips a browser that runs the same, when that is wanted', async () => {
    const engine = engineOf();
    await push(engine);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['unchanged']);
    assert.deepEqual(kinds(await push(engine)), ['running']);
    await write(2);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['running']);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['unchanged']);
  });

  it('skips nothing of a browser that runs the build of another folder of the same name', async () => {
    const engine = engineOf();
    const other = join(root, 'other');
    await cp(folder, other, { recursive: true });
    await push(engine);
    await write(2);
    await push(engine, { folder: other });
    await push(engine);
    assert.deepEqual(kinds(await push(engine, { folder: other, skipUnchanged: true })), ['running']);
    assert.deepEqual(kinds(await push(engine, { folder: other, skipUnchanged: true })), ['unchanged']);
  });

  it('sends a manifest that only Chromium reads as standard JSON, and leaves the file as it is', async () => {
    const engine = engineOf();
    const file = join(folder, 'manifest.json');
    const standard = await readFile(file, 'utf8');
    const packed = async (): Promise<string | undefined> => {
      const prepared = await engine.prepare({ ...orderOf(), folder });
      assert.ok(!('kind' in prepared), JSON.stringify(prepared));
      return await (await JSZip.loadAsync(await prepared.archive.zip())).file('manifest.json')?.async('string');
    };
    assert.equal(await packed(), standard);
    for (const lenient of [standard.replace('{', '{ // made by hand\n'), `\uFEFF${standard}`]) {
      await writeFile(file, lenient);
      assert.deepEqual(JSON.parse((await packed()) ?? ''), JSON.parse(standard));
      assert.equal(await readFile(file, 'utf8'), lenient);
    }
    await push(engine);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['unchanged']);
  });

  it('skips nothing of a browser in which the last push has failed', async () => {
    const engine = engineOf();
    await push(engine);
    machine(0).chromium.workers.push('throws');
    await write(2);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['workerFailed']);
    await write(1);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['running']);
  });

  it('skips nothing of a browser to which another program has delivered since', async () => {
    const [ours, others] = [engineOf(), engineOf()];
    await push(ours);
    // The browser in memory has one connection at a time.
    ours.connections.of(service()).close(machine(0).browser);
    await push(others);
    others.connections.of(service()).close(machine(0).browser);
    const before = uploads(machine(0));
    const outcomes = await push(ours, { skipUnchanged: true });
    assert.deepEqual(kinds(outcomes), ['running']);
    assert.ok(uploads(machine(0)) > before);
    // From then on it is this engine's.
    assert.deepEqual(kinds(await push(ours, { skipUnchanged: true })), ['unchanged']);
  });

  it('knows nothing of a browser without DevTools but what was sent there, by whichever program', async () => {
    isReachable = false;
    const [ours, others] = [engineOf(), engineOf()];
    const how = { skipUnchanged: true, confirmRestart: () => Promise.resolve('restart' as const) };
    assert.deepEqual(kinds(await push(ours, how)), ['unverified']);
    assert.deepEqual(kinds(await push(ours, how)), ['unchanged']);
    await write(2);
    assert.deepEqual(kinds(await push(others, how)), ['unverified']);
    await write(1);
    assert.deepEqual(kinds(await push(ours, how)), ['unverified']);
  });

  it('delivers again what was seen to have stopped, by the records of the window', async () => {
    isReachable = false;
    const records = new PushRecords(() => 'window');
    const engine = engineOf(undefined, records);
    const how = {
      skipUnchanged: true,
      recordedAs: 'window',
      confirmRestart: () => Promise.resolve('restart' as const),
    };
    assert.deepEqual(kinds(await push(engine, how)), ['unverified']);
    assert.notEqual(records.digest(machine(0).browser.id, folder), undefined);
    assert.deepEqual(kinds(await push(engine, how)), ['unchanged']);
    records.set(machine(0).browser.id, { state: 'stopped', at: 0, reason: '', label: '' });
    assert.deepEqual(kinds(await push(engine, how)), ['unverified']);
  });

  it('knows what each browser runs, and each folder', async () => {
    const engine = engineOf();
    await push(engine);
    assert.deepEqual(kinds(await push(engine, { browsers: [machine(1).browser], skipUnchanged: true })), ['running']);
  });

  it('still knows what runs after a push that was cancelled', async () => {
    const engine = engineOf();
    await push(engine);
    const abort = new AbortController();
    machine(0).service.faults.push({ operation: 'uploadZip', kind: 'late', ms: 10, act: () => abort.abort() });
    await write(2);
    assert.deepEqual(kinds(await push(engine, {}, abort.signal)), ['cancelled']);
    await write(1);
    assert.deepEqual(kinds(await push(engine, { skipUnchanged: true })), ['unchanged']);
  });

  it('sends nothing when it was cancelled before its turn', async () => {
    const abort = new AbortController();
    abort.abort();
    assert.deepEqual(kinds(await push(engineOf(), {}, abort.signal)), ['cancelled']);
    assert.deepEqual(machine(0).service.calls, []);
  });

  it('ends for all browsers at once when the folder cannot be pushed, and checks it once', async () => {
    await writeFile(join(folder, 'manifest.json'), '{}');
    let steps = 0;
    const outcomes = await push(engineOf(), {
      browsers: machines.map(({ browser }) => browser),
      onStep: ({ step }) => (steps += step === 'checking' ? 1 : 0),
    });
    assert.deepEqual(
      outcomes.map(({ outcome, isForAll }) => [outcome.kind, isForAll]),
      [
        ['refusedByCheck', true],
        ['refusedByCheck', true],
      ],
    );
    assert.equal(steps, 1);
    assert.deepEqual(
      machines.flatMap((one) => one.service.calls),
      [],
    );
  });

  it('calls with each end before it resolves', async () => {
    const seen: string[] = [];
    const outcomes = await push(engineOf(), {
      onEnd: async ({ outcome }) => {
        await clock.delay(100);
        seen.push(outcome.kind);
      },
    });
    assert.deepEqual(seen, kinds(outcomes));
  });

  it('tells a build that the browser has from one that it has not', async () => {
    const engine = engineOf();
    const [first] = await push(engine);
    const [second] = await push(engine, { skipUnchanged: true });
    machine(0).chromium.workers.push('throws');
    await write(2);
    const [third] = await push(engine);
    assert.deepEqual(
      [first, second, third].map((one) => one && 'digest' in one.outcome),
      [true, true, false],
    );
  });
});
