import assert from 'node:assert/strict';
import { fieldOf } from '../../../src/base/fields';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import { jsonOf } from '../../support/json';
import { ReplayedBrowser, type ReplayedOptions } from '../../transcripts/replayScenario';
import { type ScenarioRun, told } from '../../transcripts/scenario';
import { build, SCENARIOS, scenarioOf } from '../../transcripts/scenarios';
import { edited, type Entry, type Transcript } from '../../transcripts/transcript';
import { MemoryPush } from '../../standins/memoryPush';
import type { ServiceFault } from '../../standins/memoryService';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

const FIRST = 'running 1.0 by load, worker running';
const RELOADED = 'running 1.0 by reload, worker running';

/** The seed of the permutations; another one is as good. */
const SEED = 20_261_124;

/** The version of the build that lies in the extension's folder. */
function versionIn({ service }: ReplayedBrowser): unknown {
  return fieldOf(jsonOf(service.tree()['sample/manifest.json'] ?? ''), 'version');
}

/** Runs a scenario, and `look` at what it has left. */
async function played(
  name: string,
  options: ReplayedOptions,
  look: (at: ReplayedBrowser, outcomes: string[]) => Promise<void> | void,
): Promise<void> {
  const at = new ReplayedBrowser(scenarioOf(name), options);
  try {
    await look(at, await at.play());
  } finally {
    at.end();
  }
}

describe('a delivery, over a replayed Chromium', function () {
  this.timeout(LIMIT_MS);
  for (const { name, title, outcomes } of SCENARIOS) {
    it(`does what it did in the real one: ${title}`, () =>
      played(name, {}, (at, seen) => {
        at.replay.check();
        assert.deepEqual(seen, outcomes);
        assert.deepEqual(at.replay.unplayed, []);
      }));

    it(`does the same when independent events come in another order: ${title}`, () =>
      played(name, { seed: SEED + name.length }, (at, seen) => {
        at.replay.check();
        assert.deepEqual(seen, outcomes);
      }));
  }
});

describe('the files of a delivery', function () {
  this.timeout(LIMIT_MS);
  it('are those of the last build, and nothing is left beside them', () =>
    played('worker', {}, (at) => {
      assert.deepEqual(at.service.names(), ['sample']);
      assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 3;\n');
    }));

  it('are replaced by two renames, of which the first makes the backup', () =>
    played('worker', {}, ({ service }) => {
      const second = service.calls.slice(service.calls.indexOf('uploadZip (new)'));
      const changes = second.filter((call) => !/^(fileInfo|listFiles)/.test(call)).slice(0, 4);
      assert.deepEqual(changes, [
        'uploadZip (new)',
        'moveFile sample (old)',
        'moveFile (new) sample',
        'deleteDirectory (old)',
      ]);
    }));

  it('are replaced by renames, too, where each push is to restart the browser and this one may not', async () => {
    const at = new MemoryPush();
    try {
      assert.match(await at.push(build(1)), /^running/);
      const before = at.service.calls.length;
      assert.match(await at.push(build(2), { delivery: 'restart' }), /^running/);
      const uploads = at.service.calls.slice(before).filter((call) => call.startsWith('uploadZip'));
      assert.deepEqual(uploads, ['uploadZip (new)']);
    } finally {
      at.end();
    }
  });

  it('are those of the build before when Chromium refuses the manifest, which then goes on running', () =>
    played('refused-manifest', {}, (at) => {
      assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
      assert.deepEqual(at.service.names(), ['sample']);
      const loads = at.replay.sent.filter(({ method }) => method === 'Extensions.loadUnpacked');
      assert.equal(loads.length, 2);
    }));

  it('are those of the build before when Chromium refuses a fast reload, and that build is loaded again', () =>
    played('refused-reload', {}, (at) => {
      assert.equal(at.service.tree()['sample/content.js'], "document.title = 'build 1';\n");
      const loads = at.replay.sent.filter(({ method }) => method === 'Extensions.loadUnpacked');
      assert.equal(loads.length, 2);
    }));

  it('of a large extension are kept as a spare, to which only what differs is sent', () =>
    played('spare', {}, ({ service }) => {
      assert.deepEqual(service.names(), ['(spare)', 'sample']);
      assert.equal(service.tree()['sample/worker.js'], 'globalThis.BUILD = 3;\n');
      const uploads = service.calls.filter((call) => call.startsWith('uploadZip'));
      assert.deepEqual(uploads, ['uploadZip sample', 'uploadZip (new)', 'uploadZip (spare)']);
    }));

  it('of a large extension are sent whole when the spare has changed meanwhile', () => {
    const at = new ReplayedBrowser(scenarioOf('spare'));
    const spoil = async (): Promise<void> => {
      let pushes = 0;
      const settle = at.run.place.settle;
      at.run.place.settle = async () => {
        await settle();
        pushes += 1;
        const [spare] = Object.keys(at.service.tree()).filter((path) => path.startsWith('.sideload-spare-'));
        if (pushes === 2 && spare !== undefined) at.service.write({ [spare.replace(/\/.*/, '/stray.js')]: 'stray' });
      };
      const outcomes = await at.play();
      assert.deepEqual(outcomes, [FIRST, RELOADED, RELOADED]);
      assert.equal(at.service.calls.filter((call) => call === 'uploadZip (new)').length, 2);
      assert.equal(at.service.tree()['sample/stray.js'], undefined);
    };
    return spoil().finally(() => {
      at.end();
    });
  });

  it('stay as they are of the copy that somebody else has uploaded', () =>
    played('doubled', {}, ({ service }) => {
      assert.deepEqual(service.names(), ['by-hand', 'sample']);
    }));

  it('are not touched when the same build is to be skipped', () =>
    played('unchanged', {}, ({ service }) => {
      assert.equal(service.calls.filter((call) => call.startsWith('uploadZip')).length, 2);
    }));
});

describe('a delivery over a service that fails', function () {
  this.timeout(LIMIT_MS);
  const harmless: { title: string; fault: ServiceFault }[] = [
    {
      title: 'the answer to the first rename is late',
      fault: { operation: 'moveFile', path: 'sideload-old', kind: 'late', ms: 50 },
    },
    {
      title: 'the first rename is overtaken',
      fault: { operation: 'moveFile', path: 'sideload-old', kind: 'slow', ms: 50 },
    },
    {
      title: 'the answer to the second rename is lost',
      fault: { operation: 'moveFile', path: 'sideload-new', kind: 'after' },
    },
    {
      title: 'the backup cannot be deleted',
      fault: { operation: 'deleteDirectory', path: 'sideload-old', kind: 'before' },
    },
    { title: 'the second rename fails once', fault: { operation: 'moveFile', path: 'sideload-new', kind: 'before' } },
  ];
  for (const { title, fault } of harmless) {
    it(`delivers nevertheless when ${title}`, () =>
      played('manifest', { faults: [fault] }, (at, outcomes) => {
        assert.deepEqual(outcomes, scenarioOf('manifest').outcomes);
        assert.equal(fault.times, 0, 'The fault has happened.');
        assert.equal(versionIn(at), '2.0');
      }));
  }

  it('leaves the build before where it was when the files do not get through', async () => {
    const at = new ReplayedBrowser(scenarioOf('manifest'), {
      isLoose: true,
      faults: [{ operation: 'uploadZip', path: 'sideload-new', kind: 'before' }],
    });
    try {
      await assert.rejects(at.play(), /The connection broke/);
      await at.settle();
      assert.deepEqual(at.service.names(), ['sample']);
      assert.equal(versionIn(at), '1.0');
    } finally {
      at.end();
    }
  });

  it('restores the build before when its backup is made and the new one never comes in', async () => {
    const at = new ReplayedBrowser(scenarioOf('manifest'), {
      isLoose: true,
      faults: [{ operation: 'moveFile', path: 'sideload-new', kind: 'before', times: 2 }],
    });
    try {
      await assert.rejects(at.play(), /The connection broke/);
      await at.settle();
      assert.deepEqual(at.service.names(), ['sample']);
      assert.equal(versionIn(at), '1.0');
    } finally {
      at.end();
    }
  });

  it('delivers a first build whose upload has lost its answer, and never sends it twice', () =>
    played('upload', { faults: [{ operation: 'uploadExtensionsToBrowser', kind: 'after' }] }, (at, outcomes) => {
      assert.deepEqual(outcomes, [FIRST, RELOADED]);
      assert.equal(at.service.calls.filter((call) => call.startsWith('uploadExtensions')).length, 1);
      assert.ok(at.logged.some((text) => text.includes('answer to the upload was lost')));
    }));
});

describe('a delivery with a page of the extension in a tab', function () {
  this.timeout(LIMIT_MS);
  it('reloads only when the page has left, or has had its time to leave', async () => {
    const leaves = (entry: Entry): boolean =>
      'event' in entry &&
      entry.event === 'Page.frameNavigated' &&
      entry.on === 'session-6' &&
      fieldOf(entry.params?.['frame'], 'url') === 'about:blank';
    const edit = (transcript: Transcript): Transcript =>
      edited(transcript, (entry) => (leaves(entry) ? undefined : entry));
    await played('kept-tab', { edit }, ({ clock }, outcomes) => {
      assert.deepEqual(outcomes, scenarioOf('kept-tab').outcomes);
      assert.ok(clock.now() >= 3000, `${clock.now()} ms`);
    });
    await played('kept-tab', {}, ({ clock }) => {
      assert.ok(clock.now() < 3000, `${clock.now()} ms`);
    });
  });
});

describe('a delivery over a build that somebody else has replaced', function () {
  this.timeout(LIMIT_MS);
  /** Pushes `next` after a first build, in whose place another program has put files of its own. */
  async function afterAnother(next: (run: ScenarioRun) => Promise<unknown>): Promise<ReplayedBrowser> {
    const at = new ReplayedBrowser(scenarioOf('worker'), { isLoose: true });
    try {
      await at.play(async (run) => {
        await run.push(build(1));
        // Each push creates the folder again.
        await at.service.deleteDirectory('', `${EXTENSIONS_ROOT}/sample`);
        at.service.write({ 'sample/manifest.json': '{}', 'sample/worker.js': 'globalThis.BUILD = 7;\n' });
        await next(run);
      });
      return at;
    } finally {
      at.end();
    }
  }

  it('discards what it has sent ahead, and asks first what is there', async () => {
    const { service } = await afterAnother((run) => run.push(build(2)));
    const staging = service.calls.filter((call) => call.includes('(new)'));
    assert.deepEqual(staging.slice(0, 3), ['uploadZip (new)', 'deleteDirectory (new)', 'uploadZip (new)']);
    assert.deepEqual(service.names(), ['sample']);
  });

  it('is not skipped as unchanged', async () => {
    const { run, service } = await afterAnother((again) => again.push(build(1), { skipUnchanged: true }));
    assert.notEqual(run.outcomes[1]?.kind, 'unchanged');
    const uploads = service.calls.filter((call) => call.startsWith('uploadZip'));
    assert.deepEqual(uploads, ['uploadZip sample', 'uploadZip (new)']);
  });
});

describe('a delivery that is cancelled', function () {
  this.timeout(LIMIT_MS);
  /** Cancels the second push when the service gets a request of it. */
  async function cancelledAt(
    fault: Pick<ServiceFault, 'operation' | 'path'>,
  ): Promise<{ outcome: string; at: ReplayedBrowser }> {
    const abort = new AbortController();
    const act = (): void => {
      abort.abort();
    };
    const faults: ServiceFault[] = [{ ...fault, kind: 'late', ms: 10, act }];
    const at = new ReplayedBrowser(scenarioOf('worker'), { isLoose: true, faults });
    try {
      let outcome = '';
      await at.play(async (run) => {
        await run.push(build(1));
        outcome = told(await run.push(build(2), {}, abort.signal));
      });
      return { outcome, at };
    } finally {
      at.end();
    }
  }

  it('before the renames leaves the build that runs, and no files of the new one', async () => {
    const { outcome, at } = await cancelledAt({ operation: 'uploadZip', path: 'sideload-new' });
    assert.equal(outcome, 'cancelled');
    assert.deepEqual(at.service.names(), ['sample']);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
  });

  it('between the two renames is told as what it did, and the new build runs', async () => {
    const { outcome, at } = await cancelledAt({ operation: 'moveFile', path: 'sideload-new' });
    assert.equal(outcome, RELOADED);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 2;\n');
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('goes on where the service has the files of a first build that it loads at later starts', async () => {
    const at = new MemoryPush([{ operation: 'uploadExtensionsToBrowser', kind: 'late', ms: 100 }]);
    try {
      const abort = new AbortController();
      at.clock.after(50, () => abort.abort());
      assert.match(await at.push(build(1), { restartOptional: true }, abort.signal), /^running/);
      assert.deepEqual(at.service.names(), ['sample']);
    } finally {
      at.end();
    }
  });

  for (const [answer, why] of [
    ['no', 'declined'],
    ['notAsked', 'restartNotAsked'],
  ] as const) {
    it(`by the answer "${answer}" about a restart sends nothing`, async () => {
      const at = new ReplayedBrowser(scenarioOf('worker'));
      try {
        await at.play(async (run) => {
          await run.push(build(1), { confirmRestart: () => Promise.resolve(answer) });
        });
        assert.deepEqual(at.run.outcomes, [{ kind: 'cancelled', why }]);
        assert.deepEqual(at.service.names(), []);
      } finally {
        at.end();
      }
    });
  }
});
