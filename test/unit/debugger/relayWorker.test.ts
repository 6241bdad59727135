import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceLocations } from '../../../src/console/sourceLocations';
import { eventually } from '../../support/eventually';
import { ID, PAGE, RelayStage, WORKER } from './relayStage';

const RUN = 'Runtime.runIfWaitingForDebugger';
const SET = 'Debugger.setBreakpointByUrl';
const REMOVE = 'Debugger.removeBreakpoint';
const RESUME = 'Debugger.resume';

/** How long what reads the disk may take, in milliseconds. */
const SOON_MS = 5000;

describe('the debugger’s session with a worker', () => {
  let stage: RelayStage;

  beforeEach(async () => {
    stage = await RelayStage.attached();
  });

  afterEach(() => {
    stage.end();
  });

  const command = (method: string): number => stage.client.command(method, {}, 'worker');

  /** Pauses the worker: at a line of its script, or in a function of it. */
  const pause = (line = 0, inFunction = false): void => {
    stage.browser.emit('Debugger.scriptParsed', { scriptId: '7', url: WORKER.url }, 'worker');
    const script = { functionName: '', functionLocation: { lineNumber: 0, columnNumber: 0 } };
    const added = { functionName: 'add', functionLocation: { lineNumber: 5, columnNumber: 2 } };
    const location = { scriptId: '7', lineNumber: line, columnNumber: 0 };
    const callFrames = [{ ...(inFunction ? added : script), location }];
    stage.browser.emit('Debugger.paused', { callFrames }, 'worker');
  };
  const resumed = (): void => {
    stage.browser.emit('Debugger.resumed', {}, 'worker');
  };

  it('lets it run when the breakpoints are set, and not at once, as the debugger would', async () => {
    stage.browser.attach('worker', WORKER, { isWaiting: true });
    const first = command(RUN);
    assert.deepEqual(stage.client.answer(first)?.result, {});
    command('Debugger.enable');
    command(SET);
    assert.deepEqual(stage.since('worker'), ['Debugger.enable', SET]);
    const second = command(RUN);
    assert.deepEqual(stage.since('worker'), [RUN]);
    await stage.clock.idle();
    assert.deepEqual(stage.client.answer(second)?.result, {});
    assert.equal(stage.client.received.filter(({ id }) => id === first).length, 1);
  });

  it('keeps 200 ms between the end of a pause and the removal of its breakpoint, which together crash Chromium', async () => {
    await stage.worker();
    stage.since('worker');
    for (const [first, second] of [
      [RESUME, REMOVE],
      [REMOVE, RESUME],
      ['Debugger.stepOver', REMOVE],
    ]) {
      assert.ok(first !== undefined && second !== undefined);
      pause();
      command(first);
      command(second);
      await stage.clock.advance(199);
      assert.deepEqual(stage.since('worker'), [first], second);
      await stage.clock.advance(1);
      assert.deepEqual(stage.since('worker'), [second], first);
      resumed();
      await stage.clock.advance(1000);
    }
  });

  it('removes breakpoints at once while it runs, and so does that of a page', async () => {
    await stage.worker();
    stage.browser.attach('page', PAGE);
    stage.client.begin('page');
    await stage.clock.idle();
    stage.since('worker');
    stage.since('page');
    command(REMOVE);
    command(RESUME);
    stage.client.command(RESUME, {}, 'page');
    stage.client.command(REMOVE, {}, 'page');
    assert.deepEqual(
      [stage.since('worker'), stage.since('page')],
      [
        [REMOVE, RESUME],
        [RESUME, REMOVE],
      ],
    );
  });

  it('keeps the order of breakpoints that are set after one that must wait, and lets all else pass', async () => {
    await stage.worker();
    pause();
    stage.since('worker');
    command(RESUME);
    command(REMOVE);
    command(SET);
    command('Runtime.evaluate');
    assert.deepEqual(stage.since('worker'), [RESUME, 'Runtime.evaluate']);
    await stage.clock.advance(200);
    assert.deepEqual(stage.since('worker'), [REMOVE, SET]);
  });

  it('drops what must wait when the worker ends meanwhile', async () => {
    await stage.worker();
    pause();
    command(RESUME);
    command(REMOVE);
    stage.since('worker');
    stage.browser.emit('Target.detachedFromTarget', { sessionId: 'worker' });
    await stage.clock.advance(1000);
    assert.deepEqual(stage.since('worker'), []);
  });

  it('says where it is paused by the source map of the build that is pushed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sideload-'));
    stage.end();
    stage = await RelayStage.attached({ locations: new SourceLocations(ID, { folder: root, root }) });
    try {
      await writeFile(join(root, 'a.ts'), 'first();\nsecond();\n');
      await writeFile(join(root, 'worker.js'), 'go();\n//# sourceMappingURL=worker.js.map');
      await stage.worker();
      const said: unknown[] = [];
      for (const mappings of ['AAAA', 'AACA']) {
        const map = { version: 3, sources: ['a.ts'], names: [], mappings };
        await writeFile(join(root, 'worker.js.map'), JSON.stringify(map));
        await stage.relay.release();
        pause();
        await stage.clock.advance(100);
        await eventually('it is said', () => stage.relay.pausedAt() !== undefined, SOON_MS);
        said.push(stage.relay.pausedAt());
        resumed();
      }
      assert.deepEqual(said, ['a.ts:1:1', 'a.ts:2:1']);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  describe('says where it is paused', () => {
    beforeEach(async () => {
      await stage.worker();
      stage.events.length = 0;
    });

    it('after 100 ms, until it goes on', async () => {
      pause(3);
      await stage.clock.advance(99);
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, []]);
      await stage.clock.advance(1);
      assert.equal(stage.relay.pausedAt(), 'worker.js:4:1');
      assert.equal(stage.relay.pausedAt(WORKER.targetId), 'worker.js:4:1');
      assert.equal(stage.relay.pausedAt('another'), undefined);
      resumed();
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, ['pause', 'pause']]);
    });

    it('not for a moment in which the debugger loads source maps and lets it go on by itself', async () => {
      pause();
      await stage.clock.advance(60);
      command(RESUME);
      await stage.clock.advance(500);
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, []]);
    });

    it('by the last of two pauses that follow each other', async () => {
      pause(3);
      await stage.clock.advance(60);
      resumed();
      pause(5);
      await stage.clock.advance(99);
      assert.equal(stage.relay.pausedAt(), undefined);
      await stage.clock.advance(1);
      assert.equal(stage.relay.pausedAt(), 'worker.js:6:1');
    });

    it('and not once it has gone on while its location in the source was looked up', async () => {
      let found: (location: string) => void = () => undefined;
      class SlowLocations extends SourceLocations {
        override source(): Promise<string> {
          return new Promise((resolve) => {
            found = resolve;
          });
        }
      }
      stage.end();
      stage = await RelayStage.attached({ locations: new SlowLocations(ID, undefined) });
      await stage.worker();
      pause(3);
      await stage.clock.advance(100);
      resumed();
      found('src/worker.ts:4:1');
      await stage.clock.idle();
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, ['attached']]);
    });

    it('and no more when it ends', async () => {
      pause();
      await stage.clock.advance(100);
      stage.browser.emit('Target.detachedFromTarget', { sessionId: 'worker' });
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, ['pause', 'pause']]);
    });
  });

  describe('of a debugger that says which pauses it shows', () => {
    beforeEach(async () => {
      stage.end();
      stage = await RelayStage.attached({ saysStops: true });
      await stage.worker();
      stage.events.length = 0;
    });

    it('is paused where the debugger shows it, at once', async () => {
      pause(3);
      await stage.clock.advance(5000);
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, []]);
      stage.relay.show('worker');
      await stage.clock.idle();
      assert.deepEqual([stage.relay.pausedAt(), stage.events], ['worker.js:4:1', ['pause']]);
      resumed();
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, ['pause', 'pause']]);
    });

    it('is not paused while the debugger loads source maps and lets it go on by itself', async () => {
      pause();
      await stage.clock.advance(10_000);
      command(RESUME);
      resumed();
      await stage.clock.advance(20_000);
      stage.relay.show('worker');
      stage.relay.show('another');
      await stage.clock.idle();
      assert.deepEqual([stage.relay.pausedAt(), stage.events], [undefined, []]);
    });

    it('is paused after twelve seconds of which nothing was said', async () => {
      pause(3);
      await stage.clock.advance(11_999);
      assert.equal(stage.relay.pausedAt(), undefined);
      await stage.clock.advance(1);
      assert.equal(stage.relay.pausedAt(), 'worker.js:4:1');
    });
  });

  describe('before a reload', () => {
    const RELEASED = ['Debugger.setSkipAllPauses', RESUME, RUN];

    it('lets a worker go that waits for its breakpoints', async () => {
      stage.browser.attach('worker', WORKER, { isWaiting: true });
      command(RUN);
      const released = stage.relay.release();
      await stage.clock.run(released);
      assert.deepEqual(stage.since('worker'), RELEASED);
      assert.deepEqual(stage.browser.sent.at(-3)?.params, { skip: true });
    });

    it('lets a worker go that is paused in its script', async () => {
      await stage.worker();
      pause(0);
      stage.since('worker');
      await stage.clock.run(stage.relay.release());
      assert.deepEqual(stage.since('worker'), RELEASED);
    });

    it('leaves a worker alone that runs, or is paused in a function, since Chromium ends it', async () => {
      await stage.worker();
      stage.since('worker');
      await stage.clock.run(stage.relay.release());
      pause(6, true);
      await stage.clock.run(stage.relay.release());
      pause(0);
      resumed();
      await stage.clock.run(stage.relay.release());
      await stage.clock.run(stage.relay.restore());
      assert.deepEqual(stage.since('worker'), []);
    });

    it('waits half a second for a worker that does not answer', async () => {
      stage.browser.attach('worker', WORKER, { isWaiting: true });
      stage.browser.silent.add(RUN);
      let isReleased = false;
      void stage.relay.release().then(() => {
        isReleased = true;
      });
      await stage.clock.advance(499);
      assert.equal(isReleased, false);
      await stage.clock.advance(1);
      assert.equal(isReleased, true);
    });

    it('has a worker pause again that lives on', async () => {
      stage.browser.attach('worker', WORKER, { isWaiting: true });
      await stage.clock.run(stage.relay.release());
      await stage.clock.run(stage.relay.restore());
      await stage.clock.run(stage.relay.restore());
      const skips = stage.browser.sent.filter(({ method }) => method === 'Debugger.setSkipAllPauses');
      assert.deepEqual(
        skips.map(({ params }) => params),
        [{ skip: true }, { skip: false }],
      );
    });
  });
});
