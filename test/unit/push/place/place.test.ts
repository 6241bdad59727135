import assert from 'node:assert/strict';
import { placeByUpload } from '../../../../src/push/place/placeByUpload';
import { EXTENSIONS_ROOT } from '../../../support/extensionsRoot';
import {
  type Placement,
  placeWithoutRestart,
  replaceFiles,
  stage,
  type StagedBuild,
  swapUnlessAborted,
} from '../../../../src/push/place/place';
import { ServiceError } from '../../../../src/service/serviceErrors';
import { memoryMachine } from '../../../standins/memoryMachine';
import { MemoryService, type ServiceFault } from '../../../standins/memoryService';
import { TestClock } from '../../../support/testClock';
import { zipOfBuild } from '../../../transcripts/build';
import { build } from '../../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

const [OLD, NEW] = ['globalThis.BUILD = 1;\n', 'globalThis.BUILD = 2;\n'];

class Placing {
  readonly clock = new TestClock();
  readonly service = new MemoryService(this.clock);

  constructor(faults: readonly ServiceFault[] = [], hasPrevious = true) {
    if (hasPrevious)
      this.service.write({ 'sample/worker.js': OLD, 'sample/manifest.json': '{}', 'sample/gone.js': '' });
    this.service.faults.push(...faults);
  }

  placement(): Placement {
    return { to: memoryMachine(this.service, this.clock), folderName: 'sample', zip: () => zipOfBuild(build(2)) };
  }

  run(place: typeof replaceFiles, signal?: AbortSignal): Promise<StagedBuild> {
    return this.wait(place(this.placement(), signal));
  }

  wait<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work, () => this.service.isBusy);
  }

  /** The worker's script in the extension's folder. */
  get script(): string | undefined {
    return this.service.tree()['sample/worker.js'];
  }
}

describe('a later build', function () {
  this.timeout(LIMIT_MS);
  it('replaces the one before as a whole, which stays as a backup until the build is committed', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    assert.equal(at.script, NEW);
    assert.equal(at.service.tree()['sample/gone.js'], undefined);
    assert.deepEqual(at.service.names(), ['(old)', 'sample']);
    await at.wait(staged.commit());
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('gives way to the one before by a rollback', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    await at.wait(staged.rollback());
    assert.equal(at.script, OLD);
    assert.equal(at.service.tree()['sample/gone.js'], '');
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('is removed before a rollback renames the previous build, since the service refuses a name that is taken', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    at.service.faults.push({ operation: 'deleteDirectory', path: '/sample', kind: 'slow', ms: 20 });
    await at.wait(staged.rollback());
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  for (const [when, kinds] of [
    ['the answer to its rename is lost', ['after']],
    ['another failure follows that, which must not clear its place', ['after', 'before']],
  ] as const) {
    it(`gives way to the previous build also when ${when}`, async () => {
      const at = new Placing();
      const staged = await at.run(replaceFiles);
      for (const kind of kinds) at.service.faults.push({ operation: 'moveFile', path: 'sideload-old', kind });
      await at.wait(staged.rollback());
      assert.equal(at.script, OLD);
      assert.deepEqual(at.service.names(), ['sample']);
    });
  }

  it('gives way to the previous build also when its own rename is done after the answer was lost', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    const comeLate = (): void => at.service.write({ 'sample/worker.js': NEW });
    at.service.faults.push({ operation: 'moveFile', path: 'sideload-old', kind: 'late', act: comeLate });
    await at.wait(staged.rollback());
    assert.equal(at.script, OLD);
    assert.equal(at.service.tree()['sample/gone.js'], '');
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('leaves the previous build for the next push when a rollback cannot rename it', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    at.service.faults.push({ operation: 'moveFile', path: 'sideload-old', kind: 'before', times: 9 });
    await assert.rejects(at.wait(staged.rollback()), ServiceError);
    await at.wait(staged.commit());
    assert.deepEqual(at.service.names(), ['(old)']);
  });

  it('leaves the one before as a spare on request', async () => {
    const at = new Placing();
    const staged = await at.run(replaceFiles);
    const spare = await at.wait(staged.keep());
    assert.match(spare ?? '', /\/\.sideload-spare-/);
    assert.deepEqual(at.service.names(), ['(spare)', 'sample']);
  });

  it('leaves nothing where the spare cannot be kept, also when only the answer was lost', async () => {
    for (const kind of ['before', 'after'] as const) {
      const at = new Placing([{ operation: 'moveFile', path: 'sideload-spare', kind }]);
      const staged = await at.run(replaceFiles);
      assert.equal(await at.wait(staged.keep()), undefined);
      assert.deepEqual(at.service.names(), ['sample']);
    }
  });

  it('comes in when the folder of the one before is gone, and has no backup', async () => {
    const at = new Placing([], false);
    at.service.write({ 'other/worker.js': '' });
    const staged = await at.run(replaceFiles);
    assert.equal(at.script, NEW);
    assert.equal(await at.wait(staged.keep()), undefined);
    await at.wait(staged.rollback());
    assert.deepEqual(at.service.names(), ['other']);
  });

  it('is not placed when the backup cannot be made, and leaves no files of its own', async () => {
    const at = new Placing([{ operation: 'moveFile', path: 'sideload-old', kind: 'before', times: 9 }]);
    await assert.rejects(at.run(replaceFiles), ServiceError);
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('is not placed, and the previous build is restored, when the answer to the first rename is lost and the second fails', async () => {
    const at = new Placing([
      { operation: 'moveFile', path: 'sideload-old', kind: 'after' },
      { operation: 'moveFile', path: 'sideload-new', kind: 'before', times: 9 },
    ]);
    await assert.rejects(at.run(replaceFiles), ServiceError);
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('does not wait for the answer to the first rename before it sends the second', async () => {
    let sentAt = Infinity;
    const note = (): void => {
      sentAt = at.clock.now();
    };
    const at = new Placing([
      { operation: 'moveFile', path: 'sideload-old', kind: 'late', ms: 80 },
      { operation: 'moveFile', path: 'sideload-new', kind: 'late', ms: 0, act: note },
    ]);
    await at.run(replaceFiles);
    assert.equal(at.script, NEW);
    assert.ok(sentAt < 80, String(sentAt));
  });

  it('comes in at once when the first rename takes a moment: the second waits for it, and is sent once', async () => {
    const at = new Placing([{ operation: 'moveFile', path: 'sideload-old', kind: 'slow', ms: 2 }]);
    await at.run(replaceFiles);
    assert.equal(at.script, NEW);
    assert.equal(at.service.calls.filter((call) => call === 'moveFile (new) sample').length, 1);
  });

  it('is discarded when the push is cancelled between the arrival of its files and the first rename', async () => {
    const at = new Placing();
    const staged = await at.wait(stage(at.placement()));
    assert.deepEqual(at.service.names(), ['(new)', 'sample']);
    await assert.rejects(at.wait(swapUnlessAborted(staged, AbortSignal.abort(new Error('cancelled')))), /cancelled/);
    assert.deepEqual(at.service.names(), ['sample']);
    assert.equal(at.script, OLD);
  });

  it('removes what failed uploads have left, also where their removal failed', async () => {
    for (const kind of ['after', 'before'] as const) {
      const at = new Placing([
        { operation: 'uploadZip', kind: 'after' },
        { operation: 'deleteDirectory', kind: 'before' },
        { operation: 'uploadZip', kind },
      ]);
      const placement = at.placement();
      await assert.rejects(at.wait(replaceFiles(placement)), ServiceError);
      assert.deepEqual(at.service.names(), ['(new)', 'sample']);
      await assert.rejects(at.wait(replaceFiles(placement)), ServiceError);
      const staged = await at.wait(replaceFiles(placement));
      await at.wait(staged.commit());
      assert.deepEqual(at.service.names(), ['sample']);
      assert.equal(at.script, NEW);
    }
  });

  it('is discarded when the signal aborts before the first rename', async () => {
    const abort = new AbortController();
    const act = (): void => {
      abort.abort();
    };
    const at = new Placing([{ operation: 'uploadZip', kind: 'late', ms: 100, act }]);
    await assert.rejects(at.run(replaceFiles, abort.signal), { name: 'AbortError' });
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });
});

describe('a first build', function () {
  this.timeout(LIMIT_MS);
  it('without a restart takes the place of a leftover, which a rollback restores', async () => {
    const at = new Placing();
    const staged = await at.run(placeWithoutRestart);
    assert.equal(staged.restarted, false);
    assert.equal(at.script, NEW);
    await at.wait(staged.rollback());
    assert.equal(at.script, OLD);
  });

  it('without a restart leaves the leftover where the files do not get through', async () => {
    const at = new Placing([{ operation: 'uploadZip', kind: 'before' }]);
    await assert.rejects(at.run(placeWithoutRestart), ServiceError);
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('by the upload renames an existing folder first, whose name the service would refuse', async () => {
    const at = new Placing();
    const staged = await at.run(placeByUpload);
    assert.equal(staged.restarted, true);
    assert.equal(at.script, NEW);
    assert.deepEqual(at.service.names(), ['(old)', 'sample']);
  });

  it('leaves the existing folder under its name when only the answer to its renaming was lost', async () => {
    for (const place of [placeByUpload, placeWithoutRestart]) {
      const at = new Placing([{ operation: 'moveFile', path: 'sideload-old', kind: 'after' }]);
      await assert.rejects(at.run(place), ServiceError);
      assert.equal(at.script, OLD);
      assert.deepEqual(at.service.names(), ['sample']);
    }
  });

  it('by the upload is placed when only the answer was lost, and is sent once', async () => {
    const at = new Placing([{ operation: 'uploadExtensionsToBrowser', kind: 'after' }], false);
    await at.run(placeByUpload);
    assert.equal(at.script, NEW);
    assert.equal(at.service.calls.filter((call) => call.startsWith('uploadExtensions')).length, 1);
  });

  it('by the upload fails when the answer was lost and the folder never comes, and restores the one before', async () => {
    const error = { mayHaveHappened: true };
    const at = new Placing([{ operation: 'uploadExtensionsToBrowser', kind: 'before', error }]);
    await assert.rejects(at.run(placeByUpload), ServiceError);
    assert.equal(at.script, OLD);
    assert.ok(at.clock.now() >= 3000, 'The service has had time to finish.');
  });

  it('by the upload restores the previous build when the push is cancelled during the check for the files', async () => {
    const abort = new AbortController();
    const act = (): void => {
      abort.abort();
    };
    const error = { mayHaveHappened: true };
    const at = new Placing([
      { operation: 'uploadExtensionsToBrowser', kind: 'before', error },
      { operation: 'listFiles', kind: 'late', times: 1 },
      { operation: 'listFiles', kind: 'late', act },
    ]);
    await assert.rejects(at.run(placeByUpload, abort.signal), { name: 'AbortError' });
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('by the upload restores the previous build when every check for the files fails', async () => {
    const error = { mayHaveHappened: true };
    const at = new Placing([
      { operation: 'uploadExtensionsToBrowser', kind: 'before', error },
      { operation: 'listFiles', kind: 'late' },
      { operation: 'listFiles', kind: 'before', times: 99 },
    ]);
    await assert.rejects(at.run(placeByUpload), { operation: 'listFiles' });
    assert.equal(at.script, OLD);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it("by the upload carries Chromium's text when that refuses it", async () => {
    const details = [{ code: 'invalid_input', message: 'Manifest is not valid JSON.' }];
    const error = { kind: 'badRequest', message: 'Chromium refused the extension: Manifest …', details } as const;
    const at = new Placing([{ operation: 'uploadExtensionsToBrowser', kind: 'before', error }]);
    await assert.rejects(at.run(placeByUpload), { name: 'LoadRefusedError', chromium: 'Manifest is not valid JSON.' });
    assert.equal(at.script, OLD);
  });

  it('by the upload blames Chromium for nothing that the service refuses by itself', async () => {
    const details = [{ code: 'invalid_input', message: 'extensions[0] is not a zip archive' }];
    const error = { kind: 'badRequest', message: 'The archive was refused', details } as const;
    const at = new Placing([{ operation: 'uploadExtensionsToBrowser', kind: 'before', error }]);
    await assert.rejects(at.run(placeByUpload), { name: 'ServiceError', message: 'The archive was refused' });
    assert.equal(at.script, OLD);
  });

  it('by the upload leaves an extension that does nothing in its place after a rollback', async () => {
    const at = new Placing([], false);
    const staged = await at.run(placeByUpload);
    await at.wait(staged.rollback());
    assert.deepEqual(Object.keys(at.service.tree()), ['sample/manifest.json']);
    assert.match(at.service.tree(`${EXTENSIONS_ROOT}/sample`)['manifest.json'] ?? '', /Removed by Sideload/);
  });
});
