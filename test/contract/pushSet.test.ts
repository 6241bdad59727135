// Covers: src/push
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf, newKey } from '../bench/extensionKey';
import { listExtensions } from '../../src/devtools/protocol/loadedExtensions';
import type { PushStep } from '../../src/push/outcome';
import type { PushOutcome, PushOrder } from '../../src/push/pushRun';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { USUAL_ORDER } from '../support/usualOrder';
import { ServiceProxy } from '../standins/serviceProxy';
import { DevTools } from './devtools';
import { avoidRestart, mayRestart, zipOf } from './pushes';
import { PushStage } from './pushStage';

/** How long an extension may take to answer another, in milliseconds. */
const TALK_LIMIT_MS = 20_000;

const NAMES = ['alpha', 'beta', 'gamma'] as const;
type Name = (typeof NAMES)[number];

/** Three extensions that know the ids of each other. */
class Trio {
  readonly ids: Record<Name, string>;
  readonly #keys: Record<Name, string>;

  constructor(readonly root: string) {
    const keys = NAMES.map(newKey);
    const by = <T>(value: (index: number) => T): Record<Name, T> => ({
      alpha: value(0),
      beta: value(1),
      gamma: value(2),
    });
    this.#keys = by((index) => keys[index]?.toString('base64') ?? '');
    this.ids = by((index) => idOf(keys[index] ?? Buffer.alloc(0)));
  }

  folder(name: Name): string {
    return join(this.root, name);
  }

  async write(name: Name, build: number, changes: Record<string, unknown> = {}): Promise<void> {
    await mkdir(this.folder(name), { recursive: true });
    const manifest = {
      manifest_version: 3,
      name,
      version: `1.${build}`,
      key: this.#keys[name],
      background: { service_worker: 'worker.js' },
      externally_connectable: { ids: Object.values(this.ids) },
      ...changes,
    };
    await writeFile(join(this.folder(name), 'manifest.json'), JSON.stringify(manifest));
    const worker = `globalThis.STARTED = Math.random();
      globalThis.BUILD = '${name} ${build}';
      chrome.runtime.onMessageExternal.addListener((_message, { id }, reply) => { reply(BUILD + ' to ' + id); });`;
    await writeFile(join(this.folder(name), 'worker.js'), worker);
  }
}

/** How long a worker may take to answer after a delivery that nothing verifies, in milliseconds. */
const HEARD_LIMIT_MS = 30_000;

describe('several extensions that are pushed together', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let trio: Trio;
  let proxy: ServiceProxy;
  let client: ServiceClient;

  beforeEach(async () => {
    trio = new Trio(await mkdtemp(join(tmpdir(), 'sideload-trio-')));
    for (const name of NAMES) await trio.write(name, 1);
    proxy = await ServiceProxy.start(stage().service.baseUrl);
    const { token } = stage().service;
    client = new ServiceClient({ baseUrl: parseBaseUrl(proxy.baseUrl), token, log: silentLogger });
  });

  afterEach(async () => {
    await client.close();
    proxy.stop();
    await rm(trio.root, { recursive: true, force: true });
  });

  /** Pushes folders of the trio; resolves to their ends. */
  async function push(
    names: readonly Name[] = NAMES,
    { restarts = true, ...changes }: Partial<PushOrder> & { restarts?: boolean } = {},
  ): Promise<PushOutcome[]> {
    const { engine } = stage();
    const browser = { ...stage().browser, restartOptional: !restarts };
    const orders = names.map((name): PushOrder => {
      const folder = trio.folder(name);
      const more = { isLocal: true, confirmRestart: mayRestart, ...changes };
      return { ...USUAL_ORDER, service: client, browsers: [browser], folder, ...more };
    });
    const outcomes = await engine.pushSet(orders);
    return outcomes.flatMap((browserEnds) => browserEnds.map(({ outcome }) => outcome));
  }

  /** The kinds of outcomes, and why something is wrong, which nobody expects here. */
  const kinds = (ends: readonly PushOutcome[]): string[] =>
    ends.map((end) => (end.kind === 'wrong' ? `wrong: ${end.reason}` : end.kind));

  /** The value of an expression in the worker of one of them. */
  async function ask(name: Name, expression: string): Promise<unknown> {
    const devtools = await DevTools.connect(stage().browser.devToolsUrl);
    try {
      const own = `chrome.runtime.id === '${trio.ids[name]}' ? (${expression}) : undefined`;
      return await devtools.askWorker(own, TALK_LIMIT_MS);
    } finally {
      devtools.close();
    }
  }

  /** What one says to another. */
  const send = (from: Name, to: Name): Promise<unknown> =>
    ask(from, `chrome.runtime.sendMessage('${trio.ids[to]}', 'hi').catch((error) => 'failed: ' + error.message)`);

  const uploads = (): Buffer[] =>
    proxy.requests
      .filter(({ method, path }) => method === 'POST' && path.split('?', 1)[0]?.endsWith('/extensions'))
      .map(({ body }) => body);

  const loaded = async (): Promise<string[]> =>
    (await stage().look(listExtensions))
      .filter(({ enabled }) => enabled)
      .map(({ name, version }) => `${name} ${version}`)
      .sort();

  it('do not count as running while a copy of one of them is enabled, which is removed on request', async () => {
    const { browser } = stage();
    const manifest = { manifest_version: 3, name: 'beta', version: '1', key: newKey().toString('base64') };
    const zip = await zipOf({ 'manifest.json': JSON.stringify(manifest) });
    await client.uploadExtensionsToBrowser(browser.id, [{ name: 'by-hand', zip }]);
    const ends = await push();
    assert.deepEqual(kinds(ends), ['running', 'doubled', 'running']);
    const copies = ends.flatMap((end) => (end.kind === 'doubled' ? end.others : []));
    assert.deepEqual(
      kinds(await push(NAMES, { copies: new Map([[browser.id, copies]]) })),
      NAMES.map(() => 'running'),
    );
  });

  it('come by one request with all of them and one restart, each is proved, and they talk to each other', async () => {
    const restarts: PushStep[] = [];
    const onStep = (step: PushStep): void => {
      if (step.step === 'uploaded' && step.restarted) restarts.push(step);
    };
    const outcomes = await push(NAMES, { onStep });
    assert.deepEqual(kinds(outcomes), ['running', 'running', 'running'], JSON.stringify(outcomes));
    assert.deepEqual(
      outcomes.map((outcome) => ('extensionId' in outcome ? outcome.extensionId : '')),
      NAMES.map((name) => trio.ids[name]),
    );
    const [body, ...others] = uploads();
    assert.equal(others.length, 0);
    const fields = [...(body?.toString('latin1') ?? '').matchAll(/name="(extensions\[\d\]\[\w+\])"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      fields,
      [0, 1, 2].flatMap((index) => [`extensions[${index}][name]`, `extensions[${index}][zip_file]`]),
    );
    for (const [from, to] of [
      ['alpha', 'beta'],
      ['beta', 'gamma'],
      ['gamma', 'alpha'],
    ] as const) {
      assert.equal(await send(from, to), `${to} 1 to ${trio.ids[from]}`);
    }
  });

  it('need no restart when they are pushed again, and one that is saved leaves the others running', async () => {
    await push();
    const started = await ask('beta', 'STARTED');
    for (const name of NAMES) await trio.write(name, 2);
    assert.deepEqual(kinds(await push()), ['running', 'running', 'running']);
    assert.equal(uploads().length, 1);
    assert.equal(await send('alpha', 'gamma'), `gamma 2 to ${trio.ids.alpha}`);
    assert.notEqual(await ask('beta', 'STARTED'), started);

    const before = [await ask('beta', 'STARTED'), await ask('gamma', 'STARTED')];
    await trio.write('alpha', 3);
    assert.deepEqual(kinds(await push(['alpha'])), ['running']);
    assert.deepEqual([await ask('beta', 'STARTED'), await ask('gamma', 'STARTED')], before);
    assert.equal(await send('beta', 'alpha'), `alpha 3 to ${trio.ids.beta}`);
    assert.equal(uploads().length, 1);
  });

  it('come to a browser on this machine by one request and without a restart, and are there after the next one', async () => {
    const steps: PushStep[] = [];
    const onStep = (step: PushStep): void => void steps.push(step);
    const outcomes = await push(NAMES, {
      restarts: false,
      confirmRestart: () => Promise.reject(new Error('It asks.')),
      onStep,
    });
    assert.deepEqual(kinds(outcomes), ['running', 'running', 'running'], JSON.stringify(outcomes));
    assert.equal(uploads().length, 1);
    assert.equal(
      steps.some((step) => step.step === 'uploaded' && step.restarted),
      false,
    );
    assert.equal(await send('alpha', 'beta'), `beta 1 to ${trio.ids.alpha}`);
    await stage().restartBySomebodyElse();
    const areLoaded = async (): Promise<boolean> => (await loaded()).length === NAMES.length + 1;
    await eventually('the browser has loaded them again', areLoaded, TALK_LIMIT_MS);
  });

  it('come without a restart where that is asked for', async () => {
    assert.deepEqual(kinds(await push(NAMES, { confirmRestart: avoidRestart })), ['running', 'running', 'running']);
    assert.equal(uploads().length, 0);
    assert.equal(await send('alpha', 'beta'), `beta 1 to ${trio.ids.alpha}`);
  });

  it('come with one restart where only some of them are new, and all are proved', async () => {
    await push(['alpha', 'beta']);
    for (const name of NAMES) await trio.write(name, 2);
    assert.deepEqual(kinds(await push()), ['running', 'running', 'running']);
    assert.equal(uploads().length, 2);
    assert.equal(await send('gamma', 'alpha'), `alpha 2 to ${trio.ids.gamma}`);
  });

  it('are not sent when the check refuses one of them', async () => {
    await trio.write('beta', 1, { version: 'x' });
    const outcomes = await push();
    assert.deepEqual(kinds(outcomes), ['heldBack', 'refusedByCheck', 'heldBack']);
    assert.deepEqual(outcomes[0], { kind: 'heldBack', by: 'beta', isRestored: false });
    assert.deepEqual(uploads(), []);
    assert.deepEqual(await loaded(), []);
  });

  /** Has Chromium refuse what the check only warns of: that the extension is for later versions. */
  async function refuse(name: Name, build: number): Promise<void> {
    await trio.write(name, build, { minimum_chrome_version: '999' });
  }

  for (const restarts of [false, true]) {
    const where = restarts ? 'that restarts for it' : 'that need not restart';
    it(`are gone as they came when Chromium refuses one of them at their first push to one ${where}`, async () => {
      await refuse('beta', 1);
      const outcomes = await push(NAMES, { restarts });
      assert.deepEqual(kinds(outcomes), ['heldBack', 'refusedByBrowser', 'heldBack'], JSON.stringify(outcomes));
      assert.deepEqual(await loaded(), []);
      await trio.write('beta', 1);
      assert.deepEqual(kinds(await push(NAMES, { restarts })), ['running', 'running', 'running']);
    });
  }

  it('all run as before when Chromium refuses a later build of one of them', async () => {
    await push();
    await trio.write('alpha', 2);
    await refuse('beta', 2);
    await trio.write('gamma', 2);
    const outcomes = await push();
    assert.deepEqual(kinds(outcomes), ['heldBack', 'refusedByBrowser', 'heldBack'], JSON.stringify(outcomes));
    assert.deepEqual(await loaded(), ['alpha 1.1', 'beta 1.1', 'gamma 1.1']);
    for (const name of NAMES) assert.equal(await ask(name, 'BUILD'), `${name} 1`);
    const { dataFolder } = stage().service;
    const root = join(dataFolder, 'sessions', stage().browser.id, 'files', 'home');
    const [user = ''] = await readdir(root);
    const isClean = async (): Promise<boolean> =>
      (await readdir(join(root, user, 'extensions'))).sort().join() === NAMES.join();
    await eventually('nothing but the folders is left', isClean, TALK_LIMIT_MS);
    await trio.write('beta', 2);
    assert.deepEqual(kinds(await push()), ['running', 'running', 'running']);
  });

  it('are gone when Chromium refuses one of them that came without a restart', async () => {
    await refuse('beta', 1);
    const outcomes = await push(NAMES, { confirmRestart: avoidRestart });
    assert.deepEqual(kinds(outcomes), ['heldBack', 'refusedByBrowser', 'heldBack'], JSON.stringify(outcomes));
    assert.deepEqual(await loaded(), []);
  });

  it('need folders of their own on the browser', async () => {
    await trio.write('beta', 1, { name: 'alpha' });
    const [outcome] = await push();
    assert.ok(outcome?.kind === 'failed');
    assert.match(String(outcome.error), /alpha and beta have the same name in their manifests, "alpha".*another name/);
    const [other] = await push(NAMES, { folderName: 'one' });
    assert.ok(other?.kind === 'failed');
    assert.match(String(other.error), /Remove the setting sideload\.folderName/);
    assert.deepEqual(uploads(), []);
  });

  describe('without DevTools', () => {
    it('come by one request each time, in folders of their own, and later pushes give new code under the same ids', async () => {
      const bare = { ...stage().browser, devToolsUrl: '' };
      const changes = { browsers: [bare] };
      const first = await push(NAMES, changes);
      assert.deepEqual(kinds(first), ['unverified', 'unverified', 'unverified'], JSON.stringify(first));
      // No push has waited for a worker.
      const hears = async (from: Name, to: Name, build: number): Promise<void> => {
        let heard: unknown;
        const isHeard = async (): Promise<boolean> => {
          heard = await send(from, to);
          return heard === `${to} ${build} to ${trio.ids[from]}`;
        };
        await eventually(() => `${from} hears build ${build} of ${to}, not: ${String(heard)}`, isHeard, HEARD_LIMIT_MS);
      };
      await hears('alpha', 'beta', 1);
      for (const name of NAMES) await trio.write(name, 2);
      await push(NAMES, changes);
      assert.equal(uploads().length, 2);
      await hears('alpha', 'beta', 2);
      await trio.write('gamma', 3);
      await push(['gamma'], changes);
      await hears('beta', 'gamma', 3);
      assert.equal(await ask('alpha', 'BUILD'), 'alpha 2');
    });
  });
});
