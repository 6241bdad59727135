import assert from 'node:assert/strict';
import { deliverSet } from '../../../src/push/deliverSet';
import { Cancellation } from '../../../src/push/pointOfNoReturn';
import { fieldOf } from '../../../src/base/fields';
import { MemoryPush } from '../../standins/memoryPush';
import type { ServiceFault } from '../../standins/memoryService';
import { jsonOf } from '../../support/json';
import { type Build, preparedOf } from '../../transcripts/build';
import { deliveryOf, type How, told } from '../../transcripts/scenario';
import { build, large } from '../../transcripts/scenarios';

const FIRST = 'running 1.0 by load, worker running';
const RELOADED = 'running 1.0 by reload, worker running';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

/** Pushes of two extensions together, in the folders `one` and `two`, to a browser in memory. */
class SetPush extends MemoryPush {
  /** Pushes a build of each, and resolves to their outcomes as `told` tells them, or to the error. */
  async pushBoth(one: Build, two: Build, how: How = {}): Promise<string[] | string> {
    const cancellation = new Cancellation();
    const deliveries = await Promise.all(
      [one, two].map(async (item, at) => {
        const name = at === 0 ? 'one' : 'two';
        const prepared = await preparedOf({ ...item, manifest: { ...item.manifest, name } }, this.clock.now());
        return deliveryOf(this.run.place, name, prepared, how, cancellation);
      }),
    );
    const outcomes = await this.wait(
      deliverSet(deliveries).then(
        (all) => all.map(told),
        (error: unknown) => `rejected: ${String(error)}`,
      ),
    );
    await this.settle();
    return outcomes;
  }

  /** The numbers of the builds in the two folders. */
  get builds(): (string | undefined)[] {
    const tree = this.service.tree();
    return ['one', 'two'].map((name) => /\d+/.exec(tree[`${name}/worker.js`] ?? '')?.[0]);
  }

  /** Goes wrong in the next push. */
  fail(...faults: ServiceFault[]): void {
    this.service.faults.push(...faults);
  }
}

describe('extensions that are delivered together', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: SetPush;

  beforeEach(() => {
    at = new SetPush();
  });

  afterEach(() => {
    at.end();
  });

  it('all run, and leave nothing beside themselves', async () => {
    assert.deepEqual(await at.pushBoth(build(1), build(1)), [FIRST, FIRST]);
    assert.deepEqual(await at.pushBoth(build(2), build(2)), [RELOADED, RELOADED]);
    assert.deepEqual(at.builds, ['2', '2']);
    assert.deepEqual(at.service.names(), ['one', 'two']);
  });

  it('replace those that run by renames, too, where each push is to restart the browser and this one may not', async () => {
    await at.pushBoth(build(1), build(1));
    const before = at.service.calls.length;
    await at.pushBoth(build(2), build(2), { delivery: 'restart' });
    const uploads = at.service.calls.slice(before).filter((call) => call.startsWith('uploadZip'));
    assert.deepEqual(uploads, ['uploadZip (new)', 'uploadZip (new)']);
    assert.deepEqual(at.builds, ['2', '2']);
  });

  it('all give way to those before when Chromium refuses one of them, also the ones that it has loaded', async () => {
    await at.pushBoth(build(1), build(1));
    const version = { version: '2.0' };
    at.chromium.on('Extensions.loadUnpacked', (command) => {
      const path = String(command.params['path']);
      const isNew = fieldOf(jsonOf(at.service.tree()['two/manifest.json'] ?? ''), 'version') === '2.0';
      return path.endsWith('/two') && isNew ? new Error('Chromium says no') : { id: at.chromium.load(path) };
    });
    assert.deepEqual(await at.pushBoth(build(2, {}, version), build(2, {}, version)), [
      'heldBack',
      'refused: Chromium says no',
    ]);
    assert.deepEqual(at.builds, ['1', '1']);
    assert.deepEqual(at.service.names(), ['one', 'two']);
    assert.deepEqual(
      at.chromium.extensions.map((extension) => extension.version),
      ['1.0', '1.0'],
    );
  });

  it('all are taken out again when Chromium refuses one of them at their first push', async () => {
    at.chromium.on('Extensions.loadUnpacked', ({ params }) => {
      const path = String(params['path']);
      return path.endsWith('/two') ? new Error('Chromium says no') : { id: at.chromium.load(path) };
    });
    assert.deepEqual(await at.pushBoth(build(1), build(1)), ['heldBack', 'refused: Chromium says no']);
    assert.deepEqual(at.service.names(), []);
    assert.deepEqual(at.chromium.extensions, []);
  });

  it('leave all as it was when the files of one do not get through', async () => {
    await at.pushBoth(build(1), build(1));
    let uploads = 0;
    // The first one comes through.
    at.fail(
      { operation: 'uploadZip', path: 'sideload-new', kind: 'late', act: () => (uploads += 1) },
      { operation: 'uploadZip', path: 'sideload-new', kind: 'before', act: () => (uploads += 1) },
    );
    assert.match(String(await at.pushBoth(build(2), build(2))), /^rejected: .*The connection broke/);
    assert.equal(uploads, 2);
    assert.deepEqual(at.builds, ['1', '1']);
    assert.deepEqual(at.service.names(), ['one', 'two']);
  });

  it('leave all as it was when the folders of one cannot be swapped after those of another', async () => {
    await at.pushBoth(build(1), build(1));
    at.fail({ operation: 'moveFile', path: '/two', kind: 'before', times: 3 });
    assert.match(String(await at.pushBoth(build(2), build(2))), /^rejected: .*The connection broke/);
    assert.deepEqual(at.builds, ['1', '1']);
    assert.deepEqual(at.service.names(), ['one', 'two']);
  });

  it('leave no backup when the browser ends in between', async () => {
    await at.pushBoth(build(1), build(1));
    at.chromium.on('Extensions.loadUnpacked', ({ params }) => {
      const path = String(params['path']);
      if (path.endsWith('/one')) return { id: at.chromium.load(path) };
      at.chromium.lose();
      return undefined;
    });
    const version = { version: '2.0' };
    assert.match(String(await at.pushBoth(build(2, {}, version), build(2, {}, version))), /^rejected/);
    assert.deepEqual(at.builds, ['2', '2']);
    assert.deepEqual(at.service.names(), ['one', 'two']);
  });

  it('leave one spare each when they are large, however often they are pushed', async () => {
    for (const number of [1, 2, 3]) await at.pushBoth(large(number), large(number));
    assert.deepEqual(at.builds, ['3', '3']);
    assert.deepEqual(at.service.names(), ['(spare)', '(spare)', 'one', 'two']);
  });

  describe('by an upload that restarts the browser', () => {
    const how: How = { confirmRestart: () => Promise.resolve('restart') };

    it('need one for all', async () => {
      assert.deepEqual(await at.pushBoth(build(1), build(1), how), [FIRST, FIRST]);
      assert.deepEqual(
        at.service.calls.filter((call) => call.startsWith('uploadExtensions')),
        ['uploadExtensionsToBrowser one two'],
      );
      assert.deepEqual(at.service.names(), ['one', 'two']);
    });

    it('leave the folders that were there when one of these cannot be renamed', async () => {
      at.service.write({ 'one/worker.js': '1', 'two/worker.js': '1' });
      at.fail({ operation: 'moveFile', path: '/two', kind: 'before' });
      assert.match(String(await at.pushBoth(build(2), build(2), how)), /^rejected: .*The connection broke/);
      assert.deepEqual(at.builds, ['1', '1']);
      assert.deepEqual(at.service.names(), ['one', 'two']);
    });

    it('give way to those before when the browser shows a dialog about them, which is closed', async () => {
      at.run.place.browser = { ...at.run.place.browser, headless: false };
      await at.pushBoth(build(1), build(1));
      at.service.onRestart = () => {
        at.chromium.lose();
        at.isBlocked = true;
        return Promise.resolve();
      };
      const act = (): void => {
        at.isBlocked = false;
      };
      at.fail({ operation: 'pressKey', kind: 'late', act });
      const refused = 'refused: it showed the dialog "Error Loading Extension", which was closed';
      assert.deepEqual(await at.pushBoth(build(2), build(2), { ...how, delivery: 'restart' }), [refused, refused]);
      assert.deepEqual(at.builds, ['1', '1']);
    });

    it('have failed when its answer is lost and one of them never comes', async () => {
      at.fail({
        operation: 'uploadExtensionsToBrowser',
        kind: 'before',
        error: { mayHaveHappened: true },
        act: () => {
          at.service.write({ 'one/worker.js': '2' });
        },
      });
      assert.match(String(await at.pushBoth(build(2), build(2), how)), /^rejected: .*The connection broke/);
      assert.deepEqual(at.service.names(), []);
    });
  });
});
