import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceClient } from '../../src/service/client';
import { ServiceError, type ServiceErrorKind } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { reconcile } from '../../src/service/reconcile';
import { dose, isFullRun, testSeed } from '../runner/seed';
import { digest, Expected, ROOT, type Step } from './client.faultSteps';
import { startFaultyProxy, type Fate, type FaultyProxy } from './client.faultyProxy';
import { Chance } from './client.random';
import { eventually } from '../support/eventually';
import { newFolder, TestService } from './service';

const STEPS = dose(150, 500);
/** Every so many steps an extension is pushed, which restarts the browser. */
const STEPS_PER_PUSH = 50;
const SEED = testSeed();

const LIMITS = { shortMs: 500, longMs: 2000 };
const RETRY = { attempts: 5, firstDelayMs: 2, longestDelayMs: 5 };
const SETTLING = { settleMs: 200, everyMs: 20 };
/** What a busy machine may add to a time limit, in milliseconds. */
const SLACK_MS = 2000;

/** How often in a hundred a request meets which fate; the rest passes. */
const FATES: readonly [Fate, number][] = [
  ['cutBefore', 4],
  ['cutUpload', 9],
  ['cutAfter', 6],
  ['cutAnswer', 6],
  ['truncate', 5],
  ['delay', 5],
  ['swallow', 0.5],
];

/** Faults that the service itself is asked for, at every sixth step. */
const FAULTS = [
  { times: 1, dropAfterCommit: true },
  { times: 1, status: 500 },
  { times: 1, status: 503 },
  { times: 1, status: 429, retryAfter: 0 },
];

/** Failures that a fault may end in; a refusal for any other reason would be a wrong one. */
const FAULT_KINDS = new Set<ServiceErrorKind>(['unreachable', 'timeout', 'server', 'rateLimited']);

/** What a caller of the client knows at the end. `unknown` is correct, too, as long as it is rare. */
type Outcome = 'done' | 'notDone' | 'reconciledDone' | 'reconciledNotDone' | 'unknown';

describe('the client, with random faults of the connection and the service', function () {
  this.timeout(180_000);
  const chance = new Chance(SEED);
  const outcomes = new Map<Outcome, number>();
  let folder: string;
  let faultsFile: string;
  let service: TestService;
  let proxy: FaultyProxy;
  let client: ServiceClient;
  /** Bypasses the proxy. */
  let direct: ServiceClient;
  let browserId: string;
  let expected: Expected;

  before(async () => {
    folder = await newFolder();
    faultsFile = join(folder, 'faults.json');
    await setFaults([]);
    service = await TestService.start(['--faults', faultsFile], join(folder, 'data'));
    proxy = await startFaultyProxy(new URL(service.baseUrl), chance);
    const shared = { token: service.token, log: silentLogger, retry: RETRY, limits: LIMITS };
    client = new ServiceClient({ ...shared, baseUrl: new URL(`http://127.0.0.1:${proxy.port}`) });
    direct = new ServiceClient({ token: service.token, log: silentLogger, baseUrl: new URL(service.baseUrl) });
    browserId = (await direct.createBrowser({ headless: true, timeoutSeconds: 3600 })).id;
    await direct.createDirectory(browserId, `${ROOT}/files`);
    expected = new Expected(chance, browserId);
  });
  after(async () => {
    await Promise.all([client.close(), direct.close()]);
    await proxy.close();
    await service.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const setFaults = (faults: readonly unknown[]): Promise<void> => writeFile(faultsFile, JSON.stringify(faults));

  function fate(): Fate {
    let left = chance.next() * 100;
    for (const [name, share] of FATES) {
      if (left < share) return name;
      left -= share;
    }
    return 'none';
  }

  /** Runs one step through the faulty proxy; returns what a caller of the client knows at the end. */
  async function attempt(step: Step): Promise<Outcome> {
    const started = performance.now();
    const limitMs = (step.isUpload ? LIMITS.longMs : LIMITS.shortMs) + SLACK_MS;
    try {
      await step.act(client);
      return 'done';
    } catch (error) {
      assert(error instanceof ServiceError, String(error));
      assert(FAULT_KINDS.has(error.kind), `${error.kind}: ${error.message}`);
      if (!error.mayHaveHappened) return 'notDone';
    } finally {
      const tookMs = performance.now() - started;
      assert(tookMs < limitMs, `it hung for ${Math.round(tookMs)} ms`);
    }
    try {
      return (await reconcile(() => step.isDone(client), SETTLING)) ? 'reconciledDone' : 'reconciledNotDone';
    } catch (error) {
      assert(error instanceof ServiceError, String(error));
      return 'unknown';
    }
  }

  it(`reports ${STEPS} random operations correctly and repeats no upload (seed ${SEED})`, async () => {
    for (let count = 1; count <= STEPS; count++) {
      const step = count % STEPS_PER_PUSH === 0 ? await expected.push() : await expected.next();
      const what = `seed ${SEED}, step ${count}, ${step.what}`;
      if (count % 6 === 0) await setFaults([chance.pick(FAULTS)]);
      proxy.begun = [];
      proxy.nextFate = fate;
      const outcome = await attempt(step).catch((error: unknown) => {
        throw new Error(what, { cause: error });
      });
      proxy.nextFate = () => 'none';
      await setFaults([]);
      const isDone = await step.isDone(direct);
      if (outcome !== 'unknown') {
        assert.equal(isDone, outcome === 'done' || outcome === 'reconciledDone', `${what}: the client said ${outcome}`);
      }
      const writes = proxy.begun.filter((request) => !request.startsWith('GET '));
      if (step.isUpload) assert(writes.length <= 1, `${what} was sent ${writes.length} times`);
      if (isDone) step.note();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert((outcomes.get('unknown') ?? 0) <= Math.max(3, STEPS / 100), 'it often did not know');
    // The faults had an effect: operations ended in each way, half-sent requests among them.
    assert((outcomes.get('done') ?? 0) > STEPS / 4, 'too few operations were simply done');
    // One that is known not to have happened is rare, and a small dose may be without any.
    const ends = ['reconciledDone', 'reconciledNotDone', ...(isFullRun() ? (['notDone'] as const) : [])] as const;
    for (const end of ends) {
      assert((outcomes.get(end) ?? 0) >= STEPS / 100, `hardly any operation ended as ${end}`);
    }
  });

  it('leaves on the service exactly what was reported, as the official client sees it', async () => {
    const stored: [string, string | undefined][] = [];
    for await (const { checksum, name } of service.client.extensions.list()) {
      stored.push([checksum ?? '', name ?? undefined]);
    }
    assert.deepEqual(stored.sort(), [...expected.stored].sort());
    const profiles: string[] = [];
    for await (const { name } of service.client.profiles.list()) profiles.push(name ?? '');
    assert.deepEqual(profiles.sort(), [...expected.profiles].sort());
    const pushed = await service.client.browsers.fs.listFiles(browserId, { path: EXTENSIONS_ROOT });
    assert.deepEqual(pushed.map(({ name }) => name).sort(), [...expected.pushed].sort());
    for (const [path, sum] of expected.files) {
      const answer = await service.client.browsers.fs.readFile(browserId, { path });
      assert.equal(digest(new Uint8Array(await answer.arrayBuffer())), sum, path);
    }
    const files = await service.client.browsers.fs.listFiles(browserId, { path: `${ROOT}/files` });
    const known = [...expected.files.keys()].filter((path) => path.startsWith(`${ROOT}/files/`));
    assert.deepEqual(files.map(({ path }) => path).sort(), known.sort());
  });

  it('leaves no partial files on the disk of the service', async () => {
    const data = join(folder, 'data');
    // The client knows that a connection was cut before the service does.
    for (const spool of [join(data, 'spool'), join(data, 'sessions', browserId, 'spool')]) {
      await eventually(`nothing is in ${spool}`, async () => (await readdir(spool)).length === 0, SLACK_MS);
    }
    const all = await readdir(data, { recursive: true, withFileTypes: true });
    const archives = await readdir(join(data, 'extensions'));
    const records = archives.filter((name) => name.endsWith('.json')).map((name) => name.replace(/\.json$/, ''));
    assert.deepEqual(archives.sort(), records.flatMap((id) => [`${id}.json`, `${id}.zip`]).sort());
    assert.equal(records.length, expected.stored.size);
    const parts = all.filter((entry) => /^\.upload-|\.tmp$|\.new$/.test(entry.name));
    assert.deepEqual(
      parts.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes('profile')),
      [],
    );
  });
});
