import assert from 'node:assert/strict';
import type { ContextWorker } from '../../../src/devtools/extensions/contexts';
import type { LoadedExtension } from '../../../src/devtools/protocol/loadedExtensions';
import { examine, type Probe, unreachedLegs } from '../../../src/doctor/examination';
import { brokenLeg, type Leg } from '../../../src/doctor/legs';
import { DEVTOOLS, ServiceError, type ServiceErrorKind } from '../../../src/service/serviceErrors';
import { TestClock } from '../../support/testClock';

const OWN: LoadedExtension = { id: 'own', name: 'Mine', version: '1.1', path: '/mine', enabled: true };

/** A healthy browser, but for what a test says. */
function probeWith(different: Partial<Probe> = {}): Probe {
  return {
    findBrowser: () => Promise.resolve({ id: 'b', devToolsUrl: 'ws://127.0.0.1/secret', createdAt: '2026-11-26' }),
    product: () => Promise.resolve('Chrome/156.0'),
    extensions: () => Promise.resolve([OWN]),
    worker: () => Promise.resolve({ status: 'asleep', since: undefined }),
    sentence: (error) => (error instanceof Error ? error.message : String(error)),
    pushed: { id: 'own', version: '1.1' },
    advice: { copy: 'Remove one.', workerFailed: 'Read its error.' },
    ...different,
  };
}

function failure(kind: ServiceErrorKind, operation = 'getBrowser'): () => Promise<never> {
  return () =>
    Promise.reject(new ServiceError({ kind, operation, message: `It said ${kind}.`, mayHaveHappened: false }));
}

const shortOf = (legs: readonly Leg[]): string => legs.map(({ name, state }) => `${name} ${state}`).join(', ');

const brokenIn = async (different: Partial<Probe>): Promise<Leg | undefined> =>
  brokenLeg({ browser: 'b', legs: await examine(probeWith(different)) });

describe('an examination', () => {
  it('says of a healthy browser that all legs work', async () => {
    const legs = await examine(probeWith());
    assert.equal(shortOf(legs), 'service works, browser works, devTools works, extension works, worker works');
    assert.match(legs[2]?.said ?? '', /Chrome\/156\.0/);
    assert.match(legs[3]?.said ?? '', /Mine 1\.1/);
  });

  it('says how long each answer took, and of a part that is broken what to do in that program', async () => {
    const clock = new TestClock();
    const walk = examine(probeWith({ extensions: () => clock.delay(40).then(() => [OWN]) }), clock);
    await clock.advance(1000);
    const legs = await walk;
    assert.deepEqual(
      legs.map(({ ms }) => ms),
      // The answer of the service is about the browser, too.
      [0, undefined, 0, 40, 0],
    );
    const copy = await brokenIn({ extensions: () => Promise.resolve([OWN, { ...OWN, id: 'other' }]) });
    const failed = await brokenIn({ worker: () => Promise.resolve({ status: 'failed', since: undefined }) });
    assert.deepEqual([copy?.advice, copy?.ms], ['Remove one.', undefined]);
    assert.equal(failed?.advice, 'Read its error.');
  });

  it('finds the service broken when it cannot be reached, or refuses the token', async () => {
    for (const kind of ['unreachable', 'timeout', 'unauthorized', 'forbidden', 'server', 'invalidAnswer'] as const) {
      const legs = await examine(probeWith({ findBrowser: failure(kind) }));
      assert.equal(
        shortOf(legs),
        'service broken, browser unknown, devTools unknown, extension unknown, worker unknown',
      );
      assert.equal(legs[0]?.said, `It said ${kind}.`);
    }
    assert.equal(shortOf(unreachedLegs(new Error('No address is set.'), probeWith())).split(',')[0], 'service broken');
  });

  it('finds the browser broken when it has ended, or the service does not know it', async () => {
    const ended = await examine(probeWith({ findBrowser: () => Promise.resolve(undefined) }));
    assert.equal(shortOf(ended).split(', devTools')[0], 'service works, browser broken');
    const unknown = await examine(probeWith({ findBrowser: failure('notFound') }));
    assert.equal(shortOf(unknown).split(', devTools')[0], 'service works, browser broken');
  });

  it('finds DevTools broken without an address, and when nothing answers', async () => {
    const without = await brokenIn({ product: failure('unsupported', DEVTOOLS) });
    assert.deepEqual([without?.name, without?.said], ['devTools', 'It said unsupported.']);
    const clock = new TestClock();
    const walk = examine(probeWith({ product: () => new Promise(() => undefined) }), clock);
    await clock.advance(60_000);
    const leg = brokenLeg({ browser: 'b', legs: await walk });
    assert.equal(leg?.name, 'devTools');
    assert.match(leg.said, /no answer in 15 s/);
  });

  it('takes a version with a leading zero for the one that Chromium makes of it', async () => {
    const legs = await examine(probeWith({ pushed: { id: 'own', version: '1.01' } }));
    assert.equal(legs.find(({ name }) => name === 'extension')?.state, 'works');
  });

  it('finds the extension broken when it is gone, disabled, doubled or another version', async () => {
    const cases: readonly (readonly [LoadedExtension[], RegExp])[] = [
      [[], /no longer has the extension/],
      [[{ ...OWN, enabled: false }], /Mine is disabled/],
      [[OWN, { ...OWN, id: 'other', version: '1.0' }], /Another copy of Mine .* 1\.0/],
      [[{ ...OWN, version: '1.0' }], /runs Mine 1\.0, and 1\.1 was pushed/],
    ];
    for (const [extensions, said] of cases) {
      const leg = await brokenIn({ extensions: () => Promise.resolve(extensions) });
      assert.equal(leg?.name, 'extension');
      assert.match(leg.said, said);
      assert.notEqual(leg.advice, '');
    }
  });

  it('examines the only extension where nothing was pushed from here, and says so when there is none', async () => {
    const legs = await examine(probeWith({ pushed: undefined }));
    assert.equal(brokenLeg({ browser: 'b', legs }), undefined);
    assert.match(legs[3]?.said ?? '', /was not pushed from here/);
    const none = await brokenIn({ pushed: undefined, extensions: () => Promise.resolve([]) });
    assert.equal(none?.name, 'extension');
  });

  it('finds the worker broken when its script has failed, and not when it sleeps or there is none', async () => {
    const stateOf = async (worker: ContextWorker | undefined): Promise<string | undefined> =>
      (await examine(probeWith({ worker: () => Promise.resolve(worker) }))).at(-1)?.state;
    assert.equal(await stateOf({ status: 'failed', since: undefined }), 'broken');
    for (const status of ['starting', 'running', 'asleep', 'stopped'] as const)
      assert.equal(await stateOf({ status, since: 0 }), 'works');
    assert.equal(await stateOf(undefined), 'works');
  });
});
