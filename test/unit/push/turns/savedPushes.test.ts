import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { DeliveryQueue } from '../../../../src/push/turns/deliveryQueue';
import { SavedPushes, type SaveFolder, type SaveHost, type SaveSettings } from '../../../../src/push/turns/savedPushes';
import { TestClock } from '../../../support/testClock';

interface Extension {
  readonly path: string;
}

interface Targets {
  running: string[];
  ended: string[];
}

const ROOT = resolve('/home/dev/project');
const DIST = join(ROOT, 'dist');
const FOLDER: SaveFolder = { key: 'project', name: 'project' };
const WORKER = join(DIST, 'worker.js');

/** A window with one workspace folder, whose state the test sets. */
class Window implements SaveHost<SaveFolder, Extension, Targets> {
  readonly clock = new TestClock();
  /** What happened, in order: pushes with their browsers and times, and what the user was shown. */
  readonly log: string[] = [];
  readonly noted: string[][] = [];
  mode: SaveSettings = { pushOnSave: 'onSave', pushOnAutoSave: false, delivery: 'auto' };
  extension: () => Promise<Extension | undefined> = () => Promise.resolve({ path: DIST });
  targets: () => Promise<Targets> = () => Promise.resolve({ running: ['browser'], ended: [] });
  unsaved = false;
  complete: (written: readonly string[]) => boolean = () => true;
  asked = 0;
  deliver: () => Promise<void> = () => Promise.resolve();
  readonly pushes = new SavedPushes<SaveFolder, Extension, Targets>(this, this.clock);

  settings = (): SaveSettings => this.mode;
  findExtension = (): Promise<Extension | undefined> => this.extension();
  isWithoutExtension = (error: unknown): boolean => error instanceof Error && error.message === 'none';
  hasUnsaved = (): boolean => this.unsaved;
  deliveredBy = (): Promise<(path: string) => boolean> => Promise.resolve((path) => !path.endsWith('.zip'));
  isComplete = (_extension: Extension, written: readonly string[]): Promise<boolean> =>
    Promise.resolve(this.complete(written));
  changed = (paths: readonly string[]): void => {
    this.noted.push([...paths]);
  };
  findTargets = (): Promise<Targets> => {
    this.asked += 1;
    return this.targets();
  };
  push = async (_extension: Extension, running: string[]): Promise<void> => {
    this.log.push(`${this.clock.now()}: ${running.join()}`);
    await this.deliver();
  };
  showWaiting = (label: string): void => {
    this.log.push(`shown: ${label}`);
  };
  warn = (reason: string): void => {
    this.log.push(`warned: ${reason}`);
  };
  endedText = (ended: string[]): string => `${ended.join()} has ended.`;
  offerStartAgain = (_extension: Extension, ended: string[]): Promise<void> => {
    this.log.push(`offered: ${ended.join()}`);
    return Promise.resolve();
  };
  sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

  /** The user saves a document. */
  save(path = WORKER): void {
    this.pushes.willSave(path, true);
    this.pushes.saved(FOLDER, path, path);
  }
}

/** A promise that the test settles. */
function controlled<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    settle = done;
  });
  return { promise, resolve: settle };
}

/** Of two changes, the second is outstanding until its own push has ended. */
async function outstanding(window: Window, change: () => void): Promise<void> {
  const [first, second] = [controlled<undefined>(), controlled<undefined>()];
  const deliveries = [first.promise, second.promise];
  window.deliver = () => deliveries.shift() ?? Promise.resolve();
  change();
  await window.clock.advance(1000);
  change();
  await window.clock.advance(1000);
  let isPushed = false;
  const waiting = window.pushes.untilPushed().then(() => {
    isPushed = true;
  });
  first.resolve(undefined);
  await window.clock.advance(1000);
  assert.deepEqual([window.log.length, isPushed], [2, false]);
  second.resolve(undefined);
  await waiting;
}

describe('a push after a save', () => {
  let window: Window;

  beforeEach(() => {
    window = new Window();
  });

  it('comes 5 ms after the last of several saves, once', async () => {
    window.save();
    await window.clock.advance(4);
    window.save();
    await window.clock.advance(4);
    assert.deepEqual(window.log, []);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['9: browser']);
  });

  it('comes a second after the save where each push restarts the browser', async () => {
    window.mode = { ...window.mode, delivery: 'restart' };
    window.save();
    await window.clock.advance(999);
    assert.deepEqual(window.log, []);
    await window.clock.advance(1);
    assert.deepEqual(window.log, ['1000: browser']);
  });

  it('waits for the other files of Save All', async () => {
    window.unsaved = true;
    window.save();
    await window.clock.advance(30);
    window.save(join(DIST, 'page.js'));
    window.unsaved = false;
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['35: browser']);
  });

  it('waits no longer than 200 ms for a file that stays unsaved', async () => {
    window.unsaved = true;
    window.save();
    await window.clock.advance(199);
    assert.deepEqual(window.log, []);
    await window.clock.advance(6);
    assert.deepEqual(window.log, ['200: browser']);
  });

  it('is outstanding to its end, also when another one ends before', () =>
    outstanding(window, () => {
      window.save();
    }));

  it('is not made of files outside the extension, nor of the extension folder itself', async () => {
    window.save(join(ROOT, 'README.md'));
    window.save(DIST);
    window.save(join(ROOT, 'dist-other', 'worker.js'));
    await window.clock.advance(1000);
    assert.deepEqual([window.log, window.asked], [[], 0]);
  });

  it('is not made of files that a push leaves out: nothing is asked', async () => {
    window.save(join(DIST, 'old.zip'));
    await window.clock.advance(1000);
    assert.deepEqual([window.log, window.asked], [[], 0]);
  });

  it('is made of files that the editor saves only where the setting says so, and again once the user saves', async () => {
    window.pushes.willSave(WORKER, false);
    window.pushes.saved(FOLDER, WORKER, WORKER);
    await window.clock.advance(100);
    assert.deepEqual(window.log, []);
    window.save();
    await window.clock.advance(100);
    assert.deepEqual(window.log, ['105: browser']);
    window.mode = { ...window.mode, pushOnAutoSave: true };
    window.pushes.willSave(WORKER, false);
    window.pushes.saved(FOLDER, WORKER, WORKER);
    await window.clock.advance(100);
    assert.deepEqual(window.log, ['105: browser', '205: browser']);
  });

  it('is not made in another mode, nor when the mode was changed during the quiet time', async () => {
    window.mode = { ...window.mode, pushOnSave: 'onBuild' };
    window.save();
    await window.clock.advance(100);
    window.mode = { ...window.mode, pushOnSave: 'onSave' };
    window.save();
    await window.clock.advance(4);
    window.mode = { ...window.mode, pushOnSave: 'off' };
    await window.clock.advance(100);
    assert.deepEqual(window.log, []);
  });

  it('is not made after the end of the window, neither from a quiet time nor from a search that goes on', async () => {
    window.save();
    await window.clock.idle();
    const found = controlled<Extension | undefined>();
    window.extension = () => found.promise;
    window.save(join(DIST, 'page.js'));
    window.pushes.dispose();
    found.resolve({ path: DIST });
    await window.clock.advance(1000);
    assert.deepEqual([window.log, window.clock.pending], [[], 0]);
  });

  it('is not made when the window ends while the service says which browsers run', async () => {
    const targets = controlled<Targets>();
    window.targets = () => targets.promise;
    window.save();
    await window.clock.advance(100);
    window.pushes.dispose();
    targets.resolve({ running: ['browser'], ended: ['other'] });
    await window.clock.idle();
    assert.deepEqual(window.log, []);
  });

  it('of several folders has a quiet time for each', async () => {
    window.save();
    await window.clock.advance(3);
    window.pushes.saved({ key: 'second', name: 'second' }, WORKER, WORKER);
    await window.clock.advance(100);
    assert.deepEqual(window.log, ['5: browser', '8: browser']);
  });

  it('that comes during a delivery is delivered once, with the state that was saved last', async () => {
    const queue = new DeliveryQueue<void, undefined>(() => undefined);
    const first = controlled<undefined>();
    const delivered: string[] = [];
    let text = '';
    window.deliver = () =>
      queue.add('browser', undefined, async () => {
        delivered.push(text);
        if (delivered.length === 1) await first.promise;
      });
    for (const saved of ['one', 'two', 'three']) {
      text = saved;
      window.save();
      await window.clock.advance(50);
    }
    assert.deepEqual(delivered, ['one']);
    first.resolve(undefined);
    await window.clock.idle();
    assert.deepEqual(delivered, ['one', 'three']);
  });
});

describe('the browsers of a push after a save', () => {
  let window: Window;

  beforeEach(() => {
    window = new Window();
  });

  it('are asked for while the quiet time runs, once for the saves of one push', async () => {
    const targets = controlled<Targets>();
    window.targets = () => targets.promise;
    window.save();
    await window.clock.idle();
    assert.equal(window.asked, 1);
    await window.clock.advance(3);
    window.save();
    await window.clock.advance(100);
    assert.deepEqual([window.asked, window.log], [1, []]);
    targets.resolve({ running: ['browser'], ended: [] });
    await window.clock.idle();
    assert.deepEqual(window.log, ['103: browser']);
  });

  it('are asked for again for the next push, however soon it comes', async () => {
    window.save();
    await window.clock.advance(5);
    window.targets = () => Promise.resolve({ running: ['other'], ended: [] });
    window.save();
    await window.clock.advance(5);
    assert.deepEqual(window.log, ['5: browser', '10: other']);
  });

  it('are asked for again when the answer is older than half a second', async () => {
    window.mode = { ...window.mode, delivery: 'restart' };
    window.save();
    await window.clock.idle();
    window.targets = () => Promise.resolve({ running: ['later'], ended: [] });
    await window.clock.advance(1000);
    assert.deepEqual([window.asked, window.log], [2, ['1000: later']]);
  });

  it('are those that were chosen last, also when others were asked for just before, or are being asked for', async () => {
    const choose = (name: string): void => {
      window.targets = () => Promise.resolve({ running: [name], ended: [] });
      window.pushes.targetsChanged();
    };
    window.save();
    await window.clock.advance(3);
    choose('two');
    await window.clock.advance(100);
    const asking = controlled<Targets>();
    window.targets = () => asking.promise;
    window.save();
    await window.clock.advance(50);
    choose('three');
    asking.resolve({ running: ['two'], ended: [] });
    await window.clock.idle();
    assert.deepEqual(window.log, ['5: two', '153: three']);
  });

  it('are asked for again when a service has not answered that is no longer in use', async () => {
    const asking = controlled<Targets>();
    window.targets = () => asking.promise.then(() => Promise.reject(new Error('no answer')));
    window.save();
    await window.clock.advance(5);
    window.targets = () => Promise.resolve({ running: ['other'], ended: [] });
    window.pushes.targetsChanged();
    asking.resolve({ running: [], ended: [] });
    await window.clock.idle();
    assert.deepEqual(window.log, ['5: other']);
  });

  it('are never others than those that the user chose: without one the push waits, and says so once in the log', async () => {
    window.targets = () => Promise.resolve({ running: [], ended: [] });
    for (let saves = 0; saves < 2; saves++) {
      window.save();
      await window.clock.advance(100);
    }
    const reason = 'Push on save waits: no browser is chosen. Push once by hand, or choose a browser.';
    assert.deepEqual(window.log, ['shown: no browser chosen', `warned: ${reason}`, 'shown: no browser chosen']);
  });

  it('that run are pushed to when others have ended, which are offered once until all run again', async () => {
    window.targets = () => Promise.resolve({ running: ['one'], ended: ['two'] });
    const save = async (): Promise<void> => {
      window.save();
      await window.clock.advance(5);
    };
    await save();
    await save();
    const told = ['shown: has ended, saves wait', 'warned: two has ended. Saves are not pushed there.', 'offered: two'];
    assert.deepEqual(window.log.splice(0), [...told, '5: one', 'shown: has ended, saves wait', '10: one']);
    window.targets = () => Promise.resolve({ running: ['one', 'two'], ended: [] });
    await save();
    window.targets = () => Promise.resolve({ running: ['one'], ended: ['two'] });
    await save();
    assert.deepEqual(window.log, ['15: one,two', ...told, '20: one']);
  });

  it('is nothing that is spoken of in a folder that never held an extension, as where the setting is for all folders', async () => {
    const none = (): Promise<Extension | undefined> => Promise.reject(new Error('none'));
    window.extension = none;
    window.save();
    await window.clock.advance(1000);
    assert.deepEqual(window.log, []);
    window.extension = () => Promise.resolve({ path: DIST });
    window.save();
    await window.clock.advance(5);
    window.extension = none;
    window.save();
    await window.clock.advance(5);
    assert.deepEqual(window.log.slice(1), ['shown: not pushed', 'warned: Push on save failed: none']);
  });

  it('that cannot be asked for are told of, and the next save asks again', async () => {
    window.targets = () => Promise.reject(new Error('the service does not answer'));
    window.save();
    await window.clock.advance(5);
    const failed = 'Push on save failed: the service does not answer';
    assert.deepEqual(window.log, ['shown: not pushed', `warned: ${failed}`]);
    window.targets = () => Promise.resolve({ running: ['browser'], ended: [] });
    window.save();
    await window.clock.advance(5);
    assert.equal(window.log.at(-1), '10: browser');
  });
});

describe('a push after a build', () => {
  let window: Window;
  let write: (path: string) => void;

  beforeEach(() => {
    window = new Window();
    window.mode = { ...window.mode, pushOnSave: 'onBuild' };
    write = window.pushes.collectWrites(FOLDER);
  });

  it('comes 120 ms after the last write, once', async () => {
    for (let file = 0; file < 4; file++) {
      write(join(DIST, `part${file}.js`));
      await window.clock.advance(100);
    }
    assert.deepEqual(window.log, []);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['420: browser']);
    assert.deepEqual(
      window.noted.at(-1),
      [0, 1, 2, 3].map((file) => join(DIST, `part${file}.js`)),
    );
  });

  it('comes sooner once the builds before were quick', async () => {
    for (let build = 0; build < 3; build++) {
      write(WORKER);
      await window.clock.advance(1000);
    }
    write(WORKER);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['120: browser', '1120: browser', '2120: browser', '3040: browser']);
  });

  it('is neither caused nor delayed by other files', async () => {
    const others = [join(ROOT, 'src', 'worker.ts'), join(DIST, 'node_modules', 'a.js'), join(DIST, '.cache', 'b.js')];
    for (const path of others) write(path);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, []);
    write(WORKER);
    await window.clock.advance(100);
    for (const path of others) write(path);
    await window.clock.advance(100);
    assert.deepEqual(window.log, ['1120: browser']);
  });

  it('is not made of files that a push leaves out', async () => {
    write(join(DIST, 'extension.zip'));
    await window.clock.advance(1000);
    assert.deepEqual([window.log, window.asked], [[], 0]);
  });

  it('counts the files of a build folder whose own name begins with a dot', async () => {
    const path = join(ROOT, '.output', 'chrome-mv3');
    window.extension = () => Promise.resolve({ path });
    write(join(path, 'worker.js'));
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['120: browser']);
  });

  it('counts the packages of content scripts in a development build of CRXJS, and no other hidden files', async () => {
    write(join(DIST, '.cache', 'a.js'));
    await window.clock.advance(1000);
    assert.deepEqual(window.log, []);
    write(join(DIST, 'vendor', '.vite-deps-react.js__v--1a2b3c4d.js'));
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['1120: browser']);
  });

  it('waits for an incomplete build to be completed', async () => {
    window.complete = () => window.clock.now() >= 700;
    write(WORKER);
    await window.clock.advance(2000);
    assert.deepEqual(window.log, ['720: browser']);
  });

  it('is complete or not by what has been written of it', async () => {
    const asked: string[][] = [];
    window.complete = (written) => asked.push([...written]) > 1;
    write(WORKER);
    write(join(ROOT, 'notes.md'));
    await window.clock.advance(2000);
    assert.deepEqual(asked, [[WORKER], [WORKER]]);
    assert.deepEqual(window.log, ['240: browser']);
  });

  it('waits no longer than three seconds for the files of an incomplete build', async () => {
    window.complete = () => false;
    write(WORKER);
    await window.clock.advance(2900);
    assert.deepEqual(window.log, []);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['3000: browser']);
  });

  it('leaves to the next look what is written while it is asked whether the build is complete', async () => {
    const asked = controlled<boolean>();
    window.isComplete = () => asked.promise;
    write(WORKER);
    await window.clock.advance(130);
    write(WORKER);
    asked.resolve(true);
    await window.clock.idle();
    assert.deepEqual(window.log, []);
    await window.clock.advance(1000);
    assert.deepEqual(window.log, ['250: browser']);
  });

  it('is repeated for what was written during the push, once that has ended and the build is complete again', async () => {
    const delivery = controlled<undefined>();
    window.deliver = () => delivery.promise.then(() => undefined);
    write(WORKER);
    await window.clock.advance(130);
    for (const path of [WORKER, `${WORKER}.4711.a`]) {
      write(path);
      await window.clock.advance(130);
    }
    const asked: string[][] = [];
    window.complete = (written) => asked.push([...written]) > 0 && window.clock.now() >= 1000;
    await window.clock.advance(410);
    assert.deepEqual([window.log, asked], [['120: browser'], []]);
    delivery.resolve(undefined);
    await window.clock.advance(2000);
    assert.deepEqual(window.log, ['120: browser', '1000: browser']);
    assert.deepEqual(asked[0], [WORKER, `${WORKER}.4711.a`]);
  });

  it('waits for a chosen folder that the build has deleted, and then asks which one is meant', async () => {
    window.extension = () => Promise.resolve(window.clock.now() < 1000 ? undefined : { path: DIST });
    write(WORKER);
    await window.clock.advance(1100);
    assert.deepEqual(window.log, ['1080: browser']);
    window.extension = () => Promise.resolve(undefined);
    write(WORKER);
    await window.clock.advance(2900);
    assert.equal(window.log.length, 1);
    await window.clock.advance(1000);
    assert.equal(window.log[1], 'shown: choose a folder');
  });

  it('is not made where there is no extension', async () => {
    window.extension = () => Promise.reject(new Error('none'));
    write(WORKER);
    await window.clock.advance(10_000);
    assert.deepEqual([window.log, window.clock.pending], [[], 0]);
  });

  it('is not made when the setting was changed while an incomplete build was waited for', async () => {
    window.complete = () => false;
    write(WORKER);
    await window.clock.advance(1000);
    window.mode = { ...window.mode, pushOnSave: 'off' };
    await window.clock.advance(10_000);
    assert.deepEqual([window.log, window.clock.pending], [[], 0]);
  });

  it('is not made after the end of the window, also when it was just being looked at', async () => {
    const found = controlled<Extension | undefined>();
    window.extension = () => found.promise;
    write(WORKER);
    await window.clock.advance(130);
    window.pushes.dispose();
    found.resolve(undefined);
    await window.clock.advance(10_000);
    assert.deepEqual([window.log, window.clock.pending], [[], 0]);
  });

  it('is outstanding from the first write to the end of the push', async () => {
    const delivered = controlled<undefined>();
    window.deliver = () => delivered.promise;
    const pushed: string[] = [];
    const ask = (name: string): Promise<unknown> => window.pushes.untilPushed().then(() => pushed.push(name));
    await ask('nothing');
    write(WORKER);
    const waiting = ask('build');
    await window.clock.advance(1000);
    assert.deepEqual([window.log.length, pushed], [1, ['nothing']]);
    delivered.resolve(undefined);
    await waiting;
    // Other files of the workspace folder are not pushed.
    write(join(ROOT, 'src', 'page.ts'));
    await ask('source');
    assert.deepEqual(pushed, ['nothing', 'build', 'source']);
    write(WORKER);
    const disposed = ask('end');
    window.pushes.dispose();
    await disposed;
  });

  it('is outstanding to the end of its own push, also when that of another build ends before', () =>
    outstanding(window, () => {
      write(WORKER);
    }));
});
