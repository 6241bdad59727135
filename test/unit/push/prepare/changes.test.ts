import assert from 'node:assert/strict';
import { reloadFor, textsOf, type KnownBuild } from '../../../../src/push/prepare/changes';

const MANIFEST = {
  name: 'x',
  background: { service_worker: '/sw.js' },
  action: { default_popup: 'popup.html', default_icon: { 16: 'icon.png' } },
  content_scripts: [{ matches: ['<all_urls>'], js: ['./cs.js'], css: ['cs.css'] }],
  declarative_net_request: { rule_resources: [{ id: 'r', path: 'rules.json', enabled: true }] },
};

const FILES = [
  'manifest.json',
  'sw.js',
  'lib.js',
  'popup.html',
  'popup.js',
  'icon.png',
  'cs.js',
  'cs.css',
  'rules.json',
];

const before: KnownBuild = {
  extensionId: 'a'.repeat(32),
  contentScripts: 'null',
  digests: new Map(FILES.map((path) => [path, 'old'])),
  workerScripts: new Set(['sw.js', 'lib.js']),
  files: new Map(),
};

/** What a change of these files asks for. */
function reload(changed: readonly string[], manifest: unknown = MANIFEST): string {
  const digests = new Map(before.digests);
  for (const path of changed) digests.set(path, 'new');
  return reloadFor(before, digests, textsOf(manifest)).reload;
}

describe('reloadFor', () => {
  it('asks for a load when the manifest has changed, or when it is unknown what runs', () => {
    assert.equal(reload(['manifest.json']), 'load');
    assert.equal(reload(['manifest.json', 'sw.js']), 'load');
    assert.equal(reloadFor(undefined, before.digests, textsOf(MANIFEST)).reload, 'load');
  });

  it('asks for the fast reload for the worker, its imports, WebAssembly, content scripts, icons and rules', () => {
    for (const path of ['sw.js', 'lib.js', 'cs.js', 'cs.css', 'icon.png', 'rules.json', 'any.wasm']) {
      assert.equal(reload([path]), 'reload', path);
    }
    assert.equal(reload(['popup.html', 'sw.js']), 'reload');
  });

  it('asks for the fast reload for data that a worker may have read, and for none of those of a page', () => {
    const digests = new Map(before.digests).set('config.json', 'new');
    assert.equal(reloadFor(before, digests, textsOf(MANIFEST)).reload, 'reload');
    assert.equal(reloadFor({ ...before, workerScripts: new Set() }, digests, textsOf(MANIFEST)).reload, 'pages');
  });

  it('reloads only pages for pages and what only they use', () => {
    assert.equal(reload(['popup.html']), 'pages');
    assert.equal(reload(['popup.js', 'new.css']), 'pages');
  });

  it('asks for the fast reload for any script or style sheet of an extension that can register content scripts', () => {
    const manifest = { ...MANIFEST, permissions: ['scripting'] };
    assert.equal(reload(['popup.js'], manifest), 'reload');
    assert.equal(reload(['new.css'], manifest), 'reload');
    assert.equal(reload(['popup.html'], manifest), 'pages');
    assert.equal(reload(['new.css'], { ...MANIFEST, permissions: ['userScripts'] }), 'reload');
  });

  it('names the files that are read only if they are registered, and what it asks for when none is', () => {
    const texts = textsOf({ ...MANIFEST, permissions: ['scripting'] });
    const registrable = (...paths: string[]): [string[], string] => {
      const digests = new Map(before.digests);
      for (const path of paths) digests.set(path, 'other');
      const need = reloadFor(before, digests, texts);
      return [need.registrable, need.reloadUnregistered];
    };
    assert.deepEqual(registrable('popup.js', 'new.css', 'popup.html'), [['new.css', 'popup.js'], 'pages']);
    assert.deepEqual(registrable('popup.js', 'sw.js', 'cs.js'), [['popup.js'], 'reload']);
    assert.deepEqual(registrable('popup.js', 'manifest.json'), [['popup.js'], 'load']);
    assert.deepEqual(registrable('popup.html'), [[], 'pages']);
  });

  it('asks for nothing when nothing has changed', () => {
    assert.equal(reload([]), 'none');
  });

  it('counts a deleted file as changed', () => {
    const digests = new Map(before.digests);
    digests.delete('lib.js');
    assert.deepEqual(reloadFor(before, digests, textsOf(MANIFEST)), {
      reload: 'reload',
      changed: ['lib.js'],
      registrable: [],
      reloadUnregistered: 'reload',
    });
  });

  it('asks for the fast reload for message catalogues; for a load where the manifest names messages, or one is added or deleted', () => {
    const path = '_locales/en/messages.json';
    const changed = new Map(before.digests).set(path, 'other');
    const known = { ...before, digests: new Map(before.digests).set(path, 'one') };
    assert.equal(reloadFor(known, changed, textsOf(MANIFEST)).reload, 'reload');
    assert.equal(reloadFor(known, changed, textsOf({ ...MANIFEST, name: '__MSG_name__' })).reload, 'load');
    assert.equal(reloadFor(known, before.digests, textsOf(MANIFEST)).reload, 'load');
    assert.equal(reloadFor(before, changed, textsOf(MANIFEST)).reload, 'load');
  });
});
