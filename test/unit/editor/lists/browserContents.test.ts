import assert from 'node:assert/strict';
import { contentNodes, tabTexts } from '../../../../src/editor/lists/browserContents';
import type { LastPush } from '../../../../src/editor/lists/nodes';
import { itemOf } from '../../../../src/editor/lists/row';
import { NOW, SESSION } from './session';

const extension = (id: string, name: string) => ({ id, name, version: '1.0', path: `/home/${id}`, enabled: true });
const tab = (url: string, title = '') => ({ targetId: url, url, title });
const PUSH: LastPush = { state: 'running', at: NOW - 120_000, reason: '', extensionId: 'b', version: '1.0', ms: 320 };

describe('the rows below a browser', () => {
  it('are its extensions, the pushed one first, and then its tabs', () => {
    const contents = {
      extensions: [extension('a', 'Other'), { ...extension('b', 'Mine'), enabled: false }, extension('c', 'Mine')],
      tabs: [tab('https://example.com/x', 'Example')],
    };
    const rows = contentNodes(SESSION, contents, PUSH, NOW);
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Mine', '1.0 · disabled · 2 copies · pushed 2 min ago in 0.32 s'],
        ['Other', '1.0'],
        ['Mine', '1.0 · 2 copies'],
        ['Example', 'example.com'],
      ],
    );
    assert.equal(rows[0]?.spoken, 'Extension Mine, version 1.0, disabled, 2 copies, pushed 2 minutes ago in 0.32 s');
    assert.equal(itemOf(rows[0], 'browserExtension')?.extension.id, 'b');
    assert.equal(itemOf(rows[3], 'browserTab')?.tab.title, 'Example');
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  it('tell menus what the manifest of the pushed one lacks, and whether a worker runs', () => {
    const contents = {
      extensions: [extension('a', 'Other'), extension('b', 'Mine'), extension('c', 'Third')],
      tabs: [],
      workers: new Map([
        ['a', 'runs'],
        ['b', 'stopped'],
      ] as const),
    };
    const rows = contentNodes(SESSION, contents, { ...PUSH, lacks: ['Options', 'SidePanel'] }, NOW);
    assert.deepEqual(
      rows.map(({ contextValue }) => contextValue),
      ['loadedExtensionWithoutOptionsWithoutSidePanelWorkerStopped', 'loadedExtensionWorkerRuns', 'loadedExtension'],
    );
    assert.deepEqual(
      rows.map((row) => itemOf(row, 'browserExtension')?.extension.id),
      ['b', 'a', 'c'],
    );
  });

  it('say so when there are none', () => {
    const rows = contentNodes(SESSION, { extensions: [], tabs: [] }, undefined, NOW);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['No extension and no tab'],
    );
  });

  it('name pages of the browser sensibly, and others by their title and host', () => {
    const texts = (url: string, title = ''): string[] => Object.values(tabTexts(tab(url, title)));
    assert.deepEqual(texts('about:blank', 'about:blank'), ['Blank page', '']);
    assert.deepEqual(texts('', 'about:blank'), ['Blank page', '']);
    assert.deepEqual(texts('chrome://newtab/', 'New Tab'), ['New tab', '']);
    assert.deepEqual(texts('chrome://new-tab-page-third-party/', 'New Tab'), ['New tab', '']);
    assert.deepEqual(texts('chrome://extensions/', 'Extensions'), ['Extensions', 'chrome://extensions']);
    assert.deepEqual(texts('https://example.com:8443/a?token=x', 'Shop'), ['Shop', 'example.com:8443']);
    assert.deepEqual(texts('https://example.com/a'), ['example.com', 'example.com']);
    assert.deepEqual(texts('data:text/html,<p>x', 'data:text/html,<p>x'), ['Page without a title', 'data:']);
    assert.deepEqual(texts('chrome-extension://abc/popup.html', 'Popup'), ['Popup', 'page of an extension']);
  });

  it('are one line each and short, whatever a page calls itself', () => {
    const [row] = contentNodes(
      SESSION,
      { extensions: [], tabs: [tab('https://e.com/', `a\n\u202e${'x'.repeat(5000)}`)] },
      undefined,
      NOW,
    );
    assert.match(row?.label ?? '', /^a x{10,}…$/);
    assert.ok((row?.label.length ?? 0) <= 101);
  });
});
