import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DEFLATE_LEVEL } from '../../../../src/archive/compress';
import { type Archive, FolderPacker } from '../../../../src/archive/packer';
import { connectDevTools, type Connection } from '../../../../src/devtools/protocol/connect';
import { listExtensions, type LoadedExtension } from '../../../../src/devtools/protocol/loadedExtensions';
import { WorkerWatch } from '../../../../src/devtools/workers/workers';
import { type Verification, verify } from '../../../../src/push/activate/verify';
import { MemorySource } from '../../../standins/memorySource';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';
import { archiveOfFiles, preparedOf } from '../../../transcripts/build';
import { build } from '../../../transcripts/scenarios';

const ID = 'a'.repeat(32);
const PATH = '/extensions/sample';

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** What was delivered. */
interface Delivered {
  version: string;
  hasWorker: boolean;
  isAfterRestart: boolean;
  archive: Promise<Archive>;
  pushedIds: readonly string[];
}

const DELIVERED: Delivered = {
  version: '1.0',
  hasWorker: true,
  isAfterRestart: false,
  archive: archiveOfFiles({ 'worker.js': '1;\n' }),
  pushedIds: [],
};

const OURS: LoadedExtension = { id: ID, name: 'Sample', version: '1.0', path: PATH, enabled: true };

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('the verification of a build', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connection: Connection;
  let watch: WorkerWatch;
  /** The browser's list, one per question; the last one stays. */
  let lists: LoadedExtension[][];
  /** Questions for that list, and workers that have started, in their order. */
  let order: string[];
  let state: string;
  let workers = 0;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    lists = [[OURS]];
    order = [];
    state = 'activated';
    browser.on('Extensions.getExtensions', () => {
      order.push('list');
      return { extensions: (lists.length > 1 ? lists.shift() : lists[0]) ?? [] };
    });
    browser.onEvaluate(() => {
      order.push('worker');
      return state;
    });
    clock = new TestClock();
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    watch = await WorkerWatch.begin(connection, undefined, clock);
  });

  afterEach(() => {
    connection.dispose();
  });

  /** A worker starts that has these scripts, by path with their hashes. */
  const start = (scripts: Record<string, string> = { 'worker.js': digestOf('1;\n') }): void => {
    const url = `chrome-extension://${ID}/`;
    workers += 1;
    const target = `worker-${workers}`;
    browser.attach(target, `${url}worker.js`, 'service_worker', true);
    for (const [path, hash] of Object.entries(scripts)) {
      const address = path.includes(':') ? path : url + path;
      browser.event('Debugger.scriptParsed', { scriptId: path, url: address, hash }, target);
    }
  };

  /** Verifies what was delivered, with another watch or none. */
  const look = async (
    change: Partial<Delivered> = {},
    on: WorkerWatch | 'none' = watch,
    signal?: AbortSignal,
    enabled?: Promise<void>,
  ): Promise<Verification> => {
    const { version, hasWorker, isAfterRestart, archive, pushedIds } = { ...DELIVERED, ...change };
    const { serviceWorker, ...others } = (await preparedOf(build(1), 0)).manifest;
    const prepared = {
      manifest: { ...others, version, ...(hasWorker && serviceWorker && { serviceWorker }) },
      archive: await archive,
    };
    const staged = { restarted: isAfterRestart };
    const placed = {
      delivery: { prepared },
      path: PATH,
      staged,
      pushedIds: Promise.resolve(pushedIds),
      ...(enabled && { enabled }),
    };
    return await verify(
      { extensions: () => listExtensions(connection) },
      on === 'none' ? undefined : on,
      ID,
      placed,
      signal,
    );
  };

  const verified = (change: Partial<Delivered> = {}): Promise<Verification> => clock.run(look(change));

  /** What is wrong. */
  const reason = async (change: Partial<Delivered> = {}): Promise<string> => {
    const seen = await verified(change);
    return seen.state === 'wrong' ? `${seen.reason}${seen.needsLoad === true ? ' (load again)' : ''}` : seen.state;
  };

  it('is passed by one enabled copy, from our folder, whose new worker has run our scripts', async () => {
    start();
    assert.deepEqual(await verified(), {
      state: 'running',
      extension: OURS,
      worker: 'running',
      scripts: ['worker.js'],
    });
  });

  it('knows a version by its numbers', async () => {
    for (const [listed, pushed] of [
      ['1.2', '1.02'],
      ['1', '1.0.0.0'],
    ] as const) {
      lists = [[{ ...OURS, version: listed }]];
      assert.equal((await verified({ version: pushed, hasWorker: false })).state, 'running');
    }
    lists = [[{ ...OURS, version: '1.20' }]];
    assert.equal(await reason({ version: '1.2', hasWorker: false }), 'The browser runs version 1.20, not 1.2.');
  });

  it('asks once more when the list is not as it should be: a browser that has just started may still load', async () => {
    lists = [[], [OURS]];
    assert.equal((await verified({ hasWorker: false })).state, 'running');
    assert.deepEqual(order, ['list', 'list']);
    order = [];
    lists = [[OURS]];
    await verified({ hasWorker: false });
    assert.deepEqual(order, ['list']);
  });

  it('says what is wrong with the copy that is loaded', async () => {
    const change = { hasWorker: false };
    lists = [[]];
    assert.match(await reason(change), /does not list the extension/);
    lists = [[{ ...OURS, path: '/extensions/other' }]];
    assert.match(await reason(change), /from another folder, \/extensions\/other/);
    lists = [[{ ...OURS, enabled: false }]];
    assert.match(await reason(change), /has disabled/);
  });

  it('finds other copies of the same name that are enabled', async () => {
    const other = { ...OURS, id: 'b'.repeat(32), path: '/extensions/by-hand' };
    const different = { ...other, id: 'c'.repeat(32), name: 'Other' };
    lists = [[OURS, { ...other, enabled: false }, different]];
    assert.equal((await verified({ hasWorker: false })).state, 'running');
    lists = [[OURS, other, different]];
    assert.deepEqual(await verified({ hasWorker: false }), { state: 'doubled', extension: OURS, others: [other] });
  });

  it('finds what the folder was pushed as before its name was changed, while that is enabled', async () => {
    const former = { ...OURS, id: 'b'.repeat(32), path: '/extensions/former', name: 'Former' };
    lists = [[OURS, former]];
    const change = { hasWorker: false, pushedIds: [former.id, OURS.id] };
    assert.deepEqual(await verified(change), { state: 'doubled', extension: OURS, others: [former] });
    lists = [[OURS, { ...former, enabled: false }]];
    assert.equal((await verified(change)).state, 'running');
  });

  it('lists a browser that was restarted only when the worker has come', async () => {
    start();
    await verified({ isAfterRestart: true });
    assert.deepEqual(order, ['worker', 'list']);
  });

  it('leaves that worker while the browser is listed, and is over when it is left', async () => {
    let list: () => void = () => undefined;
    let leave: () => void = () => undefined;
    browser.on('Extensions.getExtensions', async () => {
      await new Promise<void>((resolve) => (list = resolve));
      return { extensions: [OURS] };
    });
    browser.on('Target.detachFromTarget', async () => {
      await new Promise<void>((resolve) => (leave = resolve));
      return {};
    });
    start();
    let isDone = false;
    const looking = look({ isAfterRestart: true }).finally(() => (isDone = true));
    await clock.idle();
    assert.ok(browser.methodsOf(undefined).includes('Target.detachFromTarget'));
    list();
    await clock.idle();
    assert.equal(isDone, false);
    leave();
    assert.equal((await clock.run(looking)).state, 'running');
  });

  it('lists any other browser while the worker starts', async () => {
    start();
    await verified();
    assert.deepEqual(order.sort(), ['list', 'worker']);
    let isDone = false;
    order = [];
    const again = await WorkerWatch.begin(connection, undefined, clock);
    void look({}, again).then(() => (isDone = true));
    await clock.idle();
    assert.deepEqual([order, isDone], [['list'], false]);
  });

  it('waits for a disabled extension to be enabled, and only for that', async () => {
    lists = [[{ ...OURS, enabled: false }], [OURS]];
    start();
    let enable: () => void = () => undefined;
    const enabled = new Promise<void>((resolve) => (enable = resolve));
    const looking = look({}, watch, undefined, enabled);
    await clock.idle();
    assert.deepEqual(order.sort(), ['list', 'worker']);
    enable();
    assert.equal((await clock.run(looking)).state, 'running');
    assert.equal(
      (await clock.run(look({ hasWorker: false }, 'none', undefined, new Promise(() => undefined)))).state,
      'running',
    );
  });

  it('says that the worker has not started, which another load does not cure', async () => {
    assert.equal(await reason(), 'The service worker did not start.');
  });

  it('says that an extension whose worker has not started is gone, or disabled, since it was listed', async () => {
    lists = [[OURS], []];
    assert.match(
      await reason(),
      /does not list the extension after loading it\. .* look in its code for chrome\.management\.uninstallSelf\.$/,
    );
    lists = [[OURS], [{ ...OURS, enabled: false }]];
    assert.match(await reason(), /has disabled the extension\. .* in its code for chrome\.management\.setEnabled\.$/);
  });

  it('says that the start of a worker does not end, which another load does not cure', async () => {
    state = 'parsed';
    start();
    assert.match(await reason(), /has begun its script, but its start does not end\. Look in it .*\.$/);
  });

  it('says that Chromium refuses the worker’s calls, which another load may cure', async () => {
    state = 'apiRefused';
    start();
    assert.match(await reason(), /refuses its calls .* \(load again\)$/);
  });

  it('says which script is another one, which another load may cure', async () => {
    browser.on('Debugger.getScriptSource', () => ({ scriptSource: '2;\n' }));
    start({ 'worker.js': digestOf('2;\n') });
    assert.equal(
      await reason(),
      'The service worker runs another worker.js than the one that was pushed. (load again)',
    );
  });

  it('takes a script of ours that the build does not have for another one', async () => {
    start({ 'worker.js': digestOf('1;\n'), 'gone.js': digestOf('') });
    assert.match(await reason(), /another gone\.js/);
  });

  it('does not judge scripts of others', async () => {
    start({ 'worker.js': digestOf('1;\n'), 'chrome-extension://other/lib.js': 'x', 'extensions::api': 'y' });
    assert.equal((await verified()).state, 'running');
  });

  it('verifies no worker where nothing was reloaded, or there is none', async () => {
    const kept = await clock.run(look({}, 'none'));
    assert.deepEqual([kept.state, kept.state === 'running' && kept.worker], ['running', 'kept']);
    const none = await verified({ hasWorker: false });
    assert.deepEqual([none.state, none.state === 'running' && none.worker], ['running', 'none']);
  });

  it('ends with its signal', async () => {
    const abort = new AbortController();
    const verifying = look({}, watch, abort.signal);
    verifying.catch(() => undefined);
    await clock.idle();
    abort.abort(new Error('cancelled'));
    await assert.rejects(verifying, /cancelled/);
  });

  describe('of a script whose bytes are not what the browser decodes', () => {
    /** Whether the file of an archive is what the worker runs: a text, or the bytes of a module. */
    const isSameIn = async (
      archive: Promise<Archive>,
      running: { scriptSource?: string; bytecode?: string },
    ): Promise<boolean> => {
      browser.on('Debugger.getScriptSource', () => ({ scriptSource: '', ...running }));
      start({ 'worker.js': 'another hash' });
      return (await verified({ archive })).state === 'running';
    };

    const isSame = (file: Buffer, running: { scriptSource?: string; bytecode?: string }): Promise<boolean> =>
      isSameIn(archiveOfFiles({ 'worker.js': file }), running);

    it('compares the texts', async () => {
      const file = Buffer.from('\uFEFFlet ü = 1;\n');
      assert.equal(await isSame(file, { scriptSource: 'let ü = 1;\n' }), true);
      assert.equal(await isSame(file, { scriptSource: '\uFEFFlet ü = 1;\n' }), true);
      assert.equal(await isSame(file, { scriptSource: 'let ü = 2;\n' }), false);
    });

    it('compares the bytes of WebAssembly', async () => {
      const file = Buffer.from([0, 97, 115, 109, 1]);
      assert.equal(await isSame(file, { bytecode: file.toString('base64') }), true);
      assert.equal(await isSame(file, { bytecode: Buffer.from([0, 97, 115, 109, 2]).toString('base64') }), false);
    });

    it('decodes invalid UTF-8 as the browser does', async () => {
      const file = Buffer.from([0x22, 0xff, 0x22]);
      assert.equal(await isSame(file, { scriptSource: '"\uFFFD"' }), true);
      assert.equal(await isSame(file, { scriptSource: '"ÿ"' }), false);
    });

    it('compares what was packed, whatever was saved since', async () => {
      const source = new MemorySource({ 'worker.js': `\uFEFF${'1;\n'.repeat(100)}` });
      const packing = new FolderPacker(source).pack((await source.list()).files, { level: DEFLATE_LEVEL });
      await packing;
      source.write('worker.js', '2;\n');
      assert.equal(await isSameIn(packing, { scriptSource: '1;\n'.repeat(100) }), true);
      assert.equal(await isSameIn(packing, { scriptSource: '2;\n' }), false);
    });
  });
});
