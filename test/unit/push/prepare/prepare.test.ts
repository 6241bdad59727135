import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OpenSource } from '../../../../src/archive/extensionSource';
import { FolderPackers } from '../../../../src/archive/packers';
import type { LeftOut } from '../../../../src/archive/selection';
import type { PushStep, Refusal } from '../../../../src/push/outcome';
import type { LocalhostAccess, LocalhostGrant } from '../../../../src/push/localhost';
import { hasChecked } from '../../../../src/push/prepare/checkedFiles';
import { LocalhostScan } from '../../../../src/push/prepare/localhostScan';
import { checkSmall } from '../../../../src/push/prepare/folderCheck';
import { prepare, type Prepared } from '../../../../src/push/prepare/prepare';
import { MemorySource } from '../../../standins/memorySource';
import { packTexts } from '../../../support/packFiles';
import { unzip } from '../../../support/unzip';

type Texts = Readonly<Record<string, string>>;

const MANIFEST = { manifest_version: 3, name: 'Sample', version: '1.0' };
const WORKER = { ...MANIFEST, background: { service_worker: 'worker.js' } };
const LOCALISED = { ...MANIFEST, default_locale: 'en' };

const manifestFile = (manifest: object): Texts => ({ 'manifest.json': JSON.stringify(manifest) });

const CATALOGUE = '{"name":{"message":"Sample"}}';
const KEY = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`;

describe('a folder that is prepared for a push', () => {
  let folder: string;
  let packers: FolderPackers | undefined;
  let steps: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-prepare-'));
    steps = [];
  });
  afterEach(async () => {
    packers?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const write = async (texts: Texts): Promise<void> => {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };

  const prepared = async (
    open?: OpenSource,
    isLocal = true,
    localhost?: LocalhostAccess,
  ): Promise<Prepared | Refusal> => {
    packers = new FolderPackers(open && { open });
    const onStep = ({ step }: PushStep): void => {
      if (!['checking', 'packing'].includes(step)) steps.push(step);
    };
    const order = {
      folder,
      exclude: ['skipped'],
      include: [],
      isLocal,
      browsers: [],
      onStep,
      ...(localhost && { localhost }),
    };
    return prepare(order, { packers, localhostScan: new LocalhostScan() });
  };

  /** Prepares a folder with these files, of which others were listed and read to be packed: they have changed in between. */
  const preparedBetween = async (checked: Texts, packed: Texts): Promise<Prepared | Refusal> => {
    await write(checked);
    return prepared(() => new MemorySource(packed, folder));
  };

  const namesIn = async (outcome: Prepared | Refusal): Promise<string[]> => {
    assert('archive' in outcome, JSON.stringify(outcome));
    return [...(await unzip(await outcome.archive.zip())).keys()];
  };

  it('is checked once when it does not change, whatever is in it beside the files that are packed', async () => {
    await write({
      ...manifestFile({
        ...WORKER,
        ...LOCALISED,
        content_scripts: [{ matches: ['https://*/*'], js: ['c.js'] }],
        action: { default_popup: 'lib/a.html' },
      }),
      'worker.js': 'importScripts("lib/a.js");',
      'lib/a.js': '',
      'c.js': '',
      '_locales/en/messages.json': CATALOGUE,
      '.env': 'A=1',
      'node_modules/a/index.js': '',
      'skipped/a.html': '',
      'lib/a.html': '',
      'notes.txt': KEY,
      'a.zip': '',
    });
    await mkdir(join(folder, 'empty'));
    await symlink('lib', join(folder, 'link'));
    const outcome = await prepared();
    assert.deepEqual(steps, ['checked', 'packed']);
    const names = ['_locales/en/messages.json', 'c.js', 'lib/a.html', 'lib/a.js', 'manifest.json', 'worker.js'];
    assert.deepEqual(await namesIn(outcome), names);
    assert('secrets' in outcome);
    assert.deepEqual(outcome.secrets, ['.env', 'notes.txt']);
  });

  const incomplete: Record<string, [object, Texts, left: string]> = {
    'a script of the worker in a folder of packages': [
      WORKER,
      { 'worker.js': 'importScripts("node_modules/a/a.js");', 'node_modules/a/a.js': '' },
      'node_modules/a/a.js',
    ],
    'a ruleset that a setting leaves out': [
      {
        ...MANIFEST,
        permissions: ['declarativeNetRequest'],
        declarative_net_request: { rule_resources: [{ id: 'a', enabled: true, path: 'skipped/a.json' }] },
      },
      { 'skipped/a.json': '[]' },
      'skipped/a.json',
    ],
    'an options page that a setting leaves out': [
      { ...MANIFEST, options_page: 'skipped/a.html' },
      { 'skipped/a.html': '' },
      'skipped/a.html',
    ],
  };
  for (const [what, [manifest, texts, left]] of Object.entries(incomplete)) {
    it(`is refused without ${what}, which Chromium needs`, async () => {
      await write({ ...manifestFile(manifest), ...texts });
      const outcome = await prepared();
      assert('kind' in outcome && outcome.kind === 'leftOut', JSON.stringify(outcome));
      assert.deepEqual(
        outcome.files.map(({ path }) => path),
        [left],
      );
    });
  }

  it('is refused where all its catalogues are links, which are not packed', async () => {
    await write({ ...manifestFile(LOCALISED), 'texts/en/messages.json': CATALOGUE });
    await symlink('texts', join(folder, '_locales'));
    const outcome = await prepared();
    assert('kind' in outcome && outcome.kind === 'leftOut', JSON.stringify(outcome));
    assert.deepEqual(
      outcome.files.map(({ path }) => path),
      ['_locales/en/messages.json'],
    );
  });

  it('is checked as it is packed where a page is left out that Chromium does without', async () => {
    await write({
      ...manifestFile({ ...MANIFEST, action: { default_popup: 'link/a.html' } }),
      'lib/a.html': '',
    });
    await symlink('lib', join(folder, 'link'));
    await namesIn(await prepared());
    assert.deepEqual(steps, ['checked', 'packed', 'checked']);
  });

  const broken: Record<string, [checked: Texts, packed: Texts]> = {
    'a manifest with an error': [manifestFile(MANIFEST), manifestFile({ ...MANIFEST, version: 'x' })],
    'a worker that never starts': [
      { ...manifestFile(WORKER), 'worker.js': 'let a;' },
      { ...manifestFile(WORKER), 'worker.js': 'let !;' },
    ],
    'a script of the worker that is gone': [
      { ...manifestFile(WORKER), 'worker.js': 'importScripts("a.js");', 'a.js': '' },
      { ...manifestFile(WORKER), 'worker.js': 'importScripts("a.js");' },
    ],
    'a catalogue that was added': [
      { ...manifestFile(LOCALISED), '_locales/en/messages.json': CATALOGUE },
      { ...manifestFile(LOCALISED), '_locales/en/messages.json': CATALOGUE, '_locales/fr/messages.json': '{' },
    ],
    'a folder of catalogues that was added': [
      manifestFile(MANIFEST),
      { ...manifestFile(MANIFEST), '_locales/en/messages.json': CATALOGUE },
    ],
    'a name that Chromium reserves': [manifestFile(MANIFEST), { ...manifestFile(MANIFEST), '_new.js': '' }],
  };
  for (const [what, [checked, packed]] of Object.entries(broken)) {
    it(`is refused for ${what}, which came after the check`, async () => {
      const outcome = await preparedBetween(checked, packed);
      assert('kind' in outcome && outcome.kind === 'refusedByCheck', JSON.stringify(outcome));
      assert.deepEqual(steps, ['checked', 'packed', 'checked']);
    });
  }

  it('is refused for an error that came after the check, and not for a page that is left out and that Chromium does without', async () => {
    const manifest = manifestFile({ ...WORKER, action: { default_popup: 'skipped/a.html' } });
    const broken = { ...manifest, 'worker.js': 'let !;' };
    await write({ ...manifest, 'worker.js': 'let a;', 'skipped/a.html': '' });
    const source = new MemorySource(broken, folder);
    const { files, totalBytes } = await source.list();
    const leftOut: LeftOut[] = [{ path: 'skipped', reason: 'excluded', rule: 'setting' }];
    source.list = async () => {
      await write(broken);
      return { files, leftOut, totalBytes };
    };
    const checked = await checkSmall({ folder, exclude: ['skipped'], include: [] });
    packers = new FolderPackers({ open: () => source });
    const order = {
      folder,
      exclude: ['skipped'],
      include: [],
      isLocal: true,
      browsers: [],
      checked,
      onStep: () => undefined,
    };
    const outcome = await prepare(order, { packers, localhostScan: new LocalhostScan() });
    assert('kind' in outcome && outcome.kind === 'refusedByCheck', JSON.stringify(outcome));
    assert.deepEqual(
      outcome.findings.filter(({ severity }) => severity === 'error').map(({ file }) => file),
      ['worker.js'],
    );
  });

  it('is sent as it was packed, and as that was checked', async () => {
    const packed = { ...manifestFile({ ...WORKER, version: '2.0' }), 'worker.js': 'let b;' };
    const outcome = await preparedBetween(manifestFile(MANIFEST), packed);
    assert.deepEqual(await namesIn(outcome), Object.keys(packed));
    assert('manifest' in outcome);
    assert.equal(outcome.manifest.version, '2.0');
    assert.equal(outcome.manifest.serviceWorker?.path, 'worker.js');
    assert.deepEqual(steps, ['checked', 'packed', 'checked']);
  });

  it('is not checked by what is only a part of what the check depends on', async () => {
    const js = Array.from({ length: 6000 }, (_, index) => `${index}.js`);
    const manifest = { ...MANIFEST, content_scripts: [{ matches: ['https://*/*'], js }] };
    const { zip, packed } = await packTexts(manifestFile(manifest));
    const found = await checkSmall({ folder, exclude: [], include: [], zip: await zip() });
    assert(found.dependsOn.size <= 5000);
    assert.equal(hasChecked({ dependsOn: found.dependsOn }, packed), true);
    assert.equal(hasChecked(found, packed), false);
  });

  it('is searched for addresses of this machine as it was packed', async () => {
    await write(manifestFile(MANIFEST));
    const packed = { ...manifestFile(MANIFEST), 'a.js': 'let a;\nimport "http://localhost:5173/a.js";' };
    const outcome = await prepared(() => new MemorySource(packed, folder), false);
    const uses = [{ what: 'code', file: 'a.js', line: 2, address: 'http://localhost:5173' }];
    assert.deepEqual(outcome, { kind: 'needsLocalhost', uses });
  });

  it('may connect to servers of this machine where that is granted, by scripts whose sockets reach them', async () => {
    const socket = 'new WebSocket("ws://localhost:5173/");';
    const packed = {
      ...manifestFile(MANIFEST),
      'a.js': `import "http://localhost:5173/a.js";\n${socket}`,
      'b.js': 'let b;',
    };
    const given: string[] = [];
    const grant: LocalhostGrant = {
      withSockets: (script) => script.replace(socket, 'carried();'),
      open: () => Promise.resolve(),
      allow: () => Promise.resolve(),
    };
    const grantFor: LocalhostAccess['grantFor'] = (uses) => {
      given.push(...uses.map(({ what, line }) => `${what} ${line}`));
      return Promise.resolve(grant);
    };
    const outcome = await prepared(() => new MemorySource(packed), false, { grantFor });
    assert(!('kind' in outcome));
    assert.equal(outcome.localhost, grant);
    assert.deepEqual(given, ['code 1', 'connection 2']);
    assert.deepEqual(steps.slice(-1), ['carriedSockets']);
    const texts = await unzip(await outcome.archive.zip());
    assert.equal(texts.get('a.js')?.content.toString(), 'import "http://localhost:5173/a.js";\ncarried();');
    assert.equal(texts.get('b.js')?.content.toString(), 'let b;');
  });

  it('goes without servers that it can do without', async () => {
    const packed = { ...manifestFile(MANIFEST), 'a.js': 'new WebSocket("ws://localhost:5173/");' };
    const outcome = await prepared(() => new MemorySource(packed), false, {
      grantFor: () => Promise.resolve(undefined),
    });
    assert(!('kind' in outcome) && outcome.localhost === undefined);
    assert.deepEqual(steps.slice(-1), ['foundConnections']);
  });

  it('is refused where the person has declined what it needs, also for browsers behind an address of this machine', async () => {
    const packed = { ...manifestFile(MANIFEST), 'a.js': 'import "http://localhost:5173/a.js";' };
    const declined = await prepared(() => new MemorySource(packed), true, {
      grantFor: () => Promise.resolve('declined'),
    });
    assert('kind' in declined && declined.kind === 'needsLocalhost');
    const unasked = await prepared(() => new MemorySource(packed), true, {
      grantFor: () => Promise.resolve(undefined),
    });
    assert(!('kind' in unasked));
  });

  it('is checked for secrets and size by the list of its files, where there is one', async () => {
    await write({ ...manifestFile(MANIFEST), 'note.txt': KEY, 'other.txt': KEY });
    const rulesWith = async (listed?: { bytes: number; secrets: string[] }): Promise<string[]> => {
      const { findings } = await checkSmall({ folder, exclude: [], include: [], ...(listed && { listed }) });
      return findings.map(({ rule, file }) => `${rule} ${file}`);
    };
    assert.deepEqual(await rulesWith(), ['R-SECRET note.txt', 'R-SECRET other.txt']);
    assert.deepEqual(await rulesWith({ bytes: 2, secrets: ['note.txt'] }), ['R-SECRET note.txt']);
    assert.deepEqual(await rulesWith({ bytes: 1e9, secrets: [] }), ['R-SIZE manifest.json']);
  });

  it('is checked with the list of a watched folder, which is there at once', async () => {
    await write({ ...manifestFile(MANIFEST), 'note.txt': 'no key' });
    const source = Object.assign(new MemorySource(manifestFile(MANIFEST), folder), { isListed: true });
    const { files, totalBytes } = await source.list();
    const leftOut: LeftOut[] = [{ path: 'note.txt', reason: 'a secret', isSecret: true }];
    source.list = () => Promise.resolve({ files, leftOut, totalBytes });
    let rules: string[] = [];
    packers = new FolderPackers({ open: () => source });
    const onStep = (step: PushStep): void => {
      if (step.step === 'checked') rules = step.findings.map(({ rule }) => rule);
    };
    const order = { folder, exclude: [], include: [], isLocal: true, browsers: [], onStep };
    await prepare(order, { packers, localhostScan: new LocalhostScan() });
    assert.deepEqual(rules, ['R-SECRET']);
  });

  describe('as a source in memory', () => {
    it('is packed and checked without a folder', async () => {
      const files = { ...manifestFile(WORKER), 'lib/a.js': '', 'worker.js': 'importScripts("lib/a.js");' };
      const outcome = await prepared(() => new MemorySource(files));
      assert.deepEqual(await namesIn(outcome), Object.keys(files).sort());
      assert.deepEqual(steps, ['packed', 'checked']);
    });

    it('is refused for its errors', async () => {
      const outcome = await prepared(() => new MemorySource(manifestFile(WORKER)));
      assert('kind' in outcome && outcome.kind === 'refusedByCheck');
      assert.deepEqual(
        outcome.findings.map(({ rule }) => rule),
        ['R-SW-MISSING'],
      );
    });
  });
});
