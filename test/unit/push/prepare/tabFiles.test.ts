import assert from 'node:assert/strict';
import type { PackedFile } from '../../../../src/archive/knownFile';
import { storedEntry } from '../../../../src/archive/zip';
import { isServed, loadedIntoTabs, namesInScript } from '../../../../src/push/prepare/tabFiles';
import { isQuick, repeated } from '../../../support/longTexts';

const packedOf = (files: Record<string, string>): Promise<PackedFile[]> =>
  Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const entry = await storedEntry(name, Buffer.from(text));
      return { entry, size: text.length, digest: `${name} ${text}`, zipBytes: 0 };
    }),
  );

const MANIFEST = {
  content_scripts: [{ matches: ['<all_urls>'], js: ['content.js'], css: ['content.css'] }],
  web_accessible_resources: [{ resources: ['*'], matches: ['<all_urls>'] }],
};

describe('a changed file', () => {
  const use = async (
    path: string,
    files: Record<string, string>,
    manifest: unknown = MANIFEST,
  ): Promise<'declared' | 'named' | undefined> =>
    await loadedIntoTabs(manifest, { packed: await packedOf({ [path]: '', ...files }) }, [path]);

  it('comes into tabs when the manifest declares it as a content script or its style sheet', async () => {
    assert.equal(await use('content.js', {}), 'declared');
    assert.equal(await use('content.css', {}), 'declared');
  });

  it('comes into tabs when a content script names it, however it loads it', async () => {
    const loads = [
      `import(chrome.runtime.getURL('lib/part.js'))`,
      'fetch(chrome.runtime.getURL(`/lib/part.js`))',
      `s.src=chrome.runtime.getURL("part.js")`,
      `new URL("./part.js?x=1", base)`,
    ];
    for (const code of loads) assert.equal(await use('lib/part.js', { 'content.js': code }), 'named', code);
    assert.equal(await use('ui.css', { 'content.js': `fetch(chrome.runtime.getURL('ui.css'))` }), 'named');
  });

  it('comes into tabs when a script names it that a content script names, also when these name each other', async () => {
    const files = {
      'content.js': `import(chrome.runtime.getURL('main.js'))`,
      'main.js': `import './a.js'`,
      'a.js': `import './main.js'; import './deep/part.js'`,
    };
    assert.equal(await use('deep/part.js', files), 'named');
    assert.equal(await use('other.js', files), undefined);
  });

  it('comes into none when only other parts name it, or its name is a part of another one', async () => {
    const files = { 'content.js': `import('./xpart.js'); // part.js`, 'popup.html': `<script src="part.js"></script>` };
    assert.equal(await use('part.js', files), undefined);
  });

  it('comes into none when it is a page, which a frame shows, when pages may not have it, or when there are no content scripts', async () => {
    const names = { 'content.js': `f.src=getURL('panel.html'); import('./part.js')` };
    assert.equal(await use('panel.html', names), undefined);
    const { content_scripts, web_accessible_resources } = MANIFEST;
    assert.equal(await use('part.js', names, { content_scripts }), undefined);
    assert.equal(await use('part.js', names, { web_accessible_resources }), undefined);
  });

  it('is looked for quickly in long scripts', () => {
    for (const part of ['a', '"', 'a/', '"a/', `'${'a'.repeat(99)}`])
      assert.ok(
        isQuick(() => namesInScript(repeated(part))),
        part,
      );
  });
});

describe('the tabs of a build', () => {
  const raw = MANIFEST;
  const serviceWorker = { path: 'worker.js', type: 'module' } as const;
  const served = async (files: Record<string, string>): Promise<boolean> =>
    await isServed({ raw, serviceWorker }, { packed: await packedOf(files) });

  it('are updated by the development server that its worker or a content script connects to, or its manifest lets in', async () => {
    const loader = `import 'http://localhost:5173/@vite/env';`;
    assert.equal(await served({ 'worker.js': loader, 'content.js': '' }), true);
    assert.equal(await served({ 'worker.js': '', 'content.js': `new WebSocket("ws://localhost:3000")` }), true);
    assert.equal(await served({ 'worker.js': '', 'content.js': '', 'popup.js': loader }), false);
    const policy = `{"content_security_policy":{"extension_pages":"script-src 'self' http://localhost:3000;"}}`;
    assert.equal(await served({ 'manifest.json': policy, 'worker.js': '' }), true);
  });
});
