import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PushStep } from '../../src/push/outcome';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { eventually } from '../support/eventually';
import { newEngine } from './pushes';
import { PushStage } from './pushStage';

/** How long the spare may take to be there after a push, in milliseconds: nobody waits for it. */
const SPARE_LIMIT_MS = 30_000;

const ASSETS = 20;
const ASSET_BYTES = 10_000;

describe('a push of a large extension', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  /** The files of the browser's extensions, on this machine. */
  let root: string;

  beforeEach(async () => {
    const { service, browser, folder } = stage();
    root = join(service.dataFolder, 'sessions', browser.id, 'files', ...EXTENSIONS_ROOT.split('/'));
    await mkdir(join(folder, 'assets', 'deep'), { recursive: true });
    for (let at = 0; at < ASSETS; at++) {
      await stage().write(`assets/${at % 2 === 0 ? 'deep/' : ''}${at}.txt`, String(at).padEnd(ASSET_BYTES, '.'));
    }
    await stage().mustRun({ delivery: 'inPlace' });
    await save(1);
    await push();
  });

  /** Pushes; resolves to the number of bytes that are sent for it. */
  async function push(): Promise<number> {
    let bytes = 0;
    const onStep = (step: PushStep): void => {
      if (step.step === 'uploading') bytes = step.bytes;
    };
    await stage().mustRun({ delivery: 'inPlace', onStep });
    await mustHoldTheFolder();
    return bytes;
  }

  function save(build: number): Promise<void> {
    return stage().write('background.js', `globalThis.BUILD = ${build};`);
  }

  /** The spare beside the extension, once the push has made it. */
  async function spare(): Promise<string> {
    let names: string[] = [];
    const isThere = async (): Promise<boolean> => {
      names = (await readdir(root)).filter((name) => name !== stage().folderName);
      return names.length === 1 && names[0]?.startsWith('.sideload-spare-') === true;
    };
    await eventually(`one spare: ${names.join(', ')}`, isThere, SPARE_LIMIT_MS);
    return join(root, names[0] ?? '');
  }

  /** The files below a folder, by path, without what Chromium writes there. */
  async function filesIn(folder: string): Promise<Record<string, string>> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const texts = files
      .sort()
      .map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const);
    return Object.fromEntries((await Promise.all(texts)).filter(([path]) => !path.startsWith('_metadata/')));
  }

  async function mustHoldTheFolder(): Promise<void> {
    assert.deepEqual(await filesIn(join(root, stage().folderName)), await filesIn(stage().folder));
  }

  it('sends only what differs from the build before the last, and removes what is no longer there', async () => {
    await spare();
    await save(2);
    await stage().write('assets/new.txt', 'new');
    await rm(join(stage().folder, 'assets', '1.txt'));
    assert.ok((await push()) < ASSET_BYTES);
    assert.equal(await stage().ask('BUILD'), 2);
    await spare();
    await rm(join(stage().folder, 'assets', 'deep'), { recursive: true });
    await save(3);
    assert.ok((await push()) < ASSET_BYTES);
    assert.equal(await stage().ask('BUILD'), 3);
  });

  it('sends all where the spare is not what it was: a file is missing, there is one more, or one has another size', async () => {
    const disturbances: ((folder: string) => Promise<void>)[] = [
      (folder) => rm(join(folder, 'assets', '3.txt')),
      (folder) => writeFile(join(folder, 'assets', 'deep', 'foreign.txt'), ''),
      (folder) => writeFile(join(folder, 'assets', '5.txt'), 'shorter'),
      (folder) => rename(join(folder, 'assets'), join(folder, 'other')),
      (folder) => rm(folder, { recursive: true }),
    ];
    for (const [at, disturb] of disturbances.entries()) {
      await disturb(await spare());
      await save(10 + at);
      assert.ok((await push()) > ASSETS * ASSET_BYTES, String(disturb));
      assert.equal(await stage().ask('BUILD'), 10 + at);
    }
  });

  it('sends all where a folder has become a file', async () => {
    await spare();
    await rm(join(stage().folder, 'assets', 'deep'), { recursive: true });
    await stage().write('assets/deep', 'a file now');
    assert.ok((await push()) > (ASSETS / 2) * ASSET_BYTES);
  });

  it('sends all after another window has pushed, which takes over', async () => {
    await spare();
    const own = stage().engine;
    stage().engine = newEngine();
    try {
      await save(20);
      assert.ok((await push()) > ASSETS * ASSET_BYTES);
    } finally {
      stage().engine.dispose();
      stage().engine = own;
    }
    await save(21);
    assert.ok((await push()) > ASSETS * ASSET_BYTES);
    assert.equal(await stage().ask('BUILD'), 21);
  });

  it('uses the spare of an extension with rulesets, into whose folder Chromium writes', async () => {
    await stage().write('rules.json', '[]');
    const resource = { id: 'rules', enabled: true, path: 'rules.json' };
    await stage().editManifest({
      permissions: ['declarativeNetRequest'],
      declarative_net_request: { rule_resources: [resource] },
    });
    for (const build of [30, 31, 32]) {
      await save(build);
      await push();
      await spare();
    }
    assert.ok((await readdir(await spare())).includes('_metadata'), 'Chromium has written nothing');
    await save(33);
    assert.ok((await push()) < ASSET_BYTES);
    assert.equal(await stage().ask('BUILD'), 33);
  });
});
