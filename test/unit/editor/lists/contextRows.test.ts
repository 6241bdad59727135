import assert from 'node:assert/strict';
import type { ContextPage, ContextWorker, ExtensionContexts } from '../../../../src/devtools/extensions/contexts';
import { contentNodes } from '../../../../src/editor/lists/browserContents';
import { contextNodes, unreadableContexts } from '../../../../src/editor/lists/contextRows';
import { itemOf } from '../../../../src/editor/lists/row';
import { ROWS } from '../../../../src/ids';
import { NOW, BROWSER } from './sampleBrowser';

const EXTENSION = { id: 'a'.repeat(32), name: 'Mine', version: '1', path: '/x', enabled: true };
const OF = { browser: BROWSER, extension: EXTENSION };
const NOTHING: ExtensionContexts = { worker: undefined, pages: [], contentScriptTabs: [] };

const page = (kind: ContextPage['kind'], holder: ContextPage['holder'], path: string, title = ''): ContextPage => ({
  kind,
  holder,
  targetId: path,
  url: `chrome-extension://${EXTENSION.id}/${path}`,
  title,
});

describe('the rows below an extension', () => {
  const rowsOf = (contexts: Partial<ExtensionContexts>) => contextNodes(OF, { ...NOTHING, ...contexts }, NOW);

  it('are its worker and its pages, except those in tabs, which have rows of their own', () => {
    const rows = rowsOf({
      worker: { status: 'running', since: undefined },
      pages: [
        page('popup', 'own', 'popup.html', 'Popup of mine'),
        page('options', 'tab', 'options.html?a#b'),
        page('sidePanel', 'own', 'panel.html'),
        page('offscreen', 'none', 'off.html'),
        page('tab', 'tab', 'report.html', 'Report'),
        page('frame', 'frame', 'frame.html', `chrome-extension://${EXTENSION.id}/frame.html`),
      ],
      contentScriptTabs: [{ targetId: 't', url: 'https://example.com/a?token=x', title: 'Shop' }],
    });
    assert.deepEqual(
      rows.map(({ label, description, contextValue }) => [label, description, contextValue]),
      [
        ['Service worker', 'running', ROWS.runningWorker],
        ['Popup', 'popup.html', ROWS.extensionPage],
        ['Side panel', 'panel.html', ROWS.extensionPage],
        ['Offscreen document', 'off.html', ROWS.extensionPage],
        ['frame.html', 'page in a frame', ROWS.extensionFrame],
      ],
    );
    assert.equal(rows[4]?.spoken, 'frame.html, page in a frame');
    assert.equal(itemOf(rows[0], 'extensionWorker')?.extension.id, EXTENSION.id);
    assert.equal(itemOf(rows[1], 'browserTab')?.tab.targetId, 'popup.html');
    assert.equal(itemOf(rows[4], 'browserTab')?.tab.targetId, 'frame.html');
    assert.equal(itemOf(rows[0], 'browserTab'), undefined);
  });

  it('have ids below that of the extension, which differ from those of the tabs below the browser', () => {
    const tabs = [{ targetId: 't', url: 'https://example.com/', title: '' }];
    const rows = rowsOf({
      worker: { status: 'running', since: 1 },
      pages: [page('popup', 'own', 't')],
      contentScriptTabs: tabs,
    });
    const [above, tab] = contentNodes(BROWSER, { extensions: [EXTENSION], tabs }, undefined, NOW);
    assert.ok(rows.every(({ id }) => id.startsWith(`${above?.id ?? '?'}/`)));
    assert.equal(new Set([...rows, above, tab].map((row) => row?.id)).size, 4);
  });

  it('tell the state of the worker in words, since when, and what can be done', () => {
    const texts = (worker: ContextWorker) => {
      const [row] = rowsOf({ worker });
      return [row?.description, row?.spoken, row?.contextValue];
    };
    const since = NOW - 5 * 60_000;
    assert.deepEqual(texts({ status: 'starting', since }), [
      'starting',
      'Service worker, starting',
      ROWS.runningWorker,
    ]);
    assert.deepEqual(texts({ status: 'running', since }), [
      'running · 5 min ago',
      'Service worker, running, started 5 minutes ago',
      ROWS.runningWorker,
    ]);
    assert.deepEqual(texts({ status: 'asleep', since }), [
      'asleep · 5 min ago',
      'Service worker, fell asleep 5 minutes ago',
      ROWS.stoppedWorker,
    ]);
    assert.deepEqual(texts({ status: 'asleep', since: undefined }), [
      'asleep',
      'Service worker, asleep',
      ROWS.stoppedWorker,
    ]);
    assert.deepEqual(texts({ status: 'stopped', since: NOW }), [
      'stopped · just now',
      'Service worker, stopped less than a minute ago',
      ROWS.stoppedWorker,
    ]);
    assert.deepEqual(texts({ status: 'failed', since: undefined }), [
      'failed to start',
      'Service worker, failed to start',
      ROWS.note,
    ]);
  });

  it('say so when nothing of it runs, or nobody knows', () => {
    assert.deepEqual(
      rowsOf({}).map(({ label }) => label),
      ['Nothing of it runs now'],
    );
    const inTabs = [
      { pages: [page('options', 'tab', 'options.html')] },
      { contentScriptTabs: [{ targetId: 't', url: 'https://example.com/', title: '' }] },
    ];
    for (const contexts of inTabs) {
      assert.deepEqual(
        rowsOf(contexts).map(({ label }) => label),
        ['It runs in tabs only'],
      );
    }
    const row = unreadableContexts(OF, 'DevTools could not be reached', 'all that is known');
    assert.deepEqual(
      [row.label, row.tooltip, row.contextValue],
      ['DevTools could not be reached', 'all that is known', ROWS.note],
    );
  });

  it('are one line each and short, whatever a page calls itself', () => {
    const [row] = rowsOf({ pages: [page('frame', 'frame', 'x'.repeat(5000), `a\n\u202e${'y'.repeat(5000)}`)] });
    assert.match(row?.label ?? '', /^a y{10,}…$/);
    for (const text of [row?.label, row?.description, row?.spoken]) assert.ok((text?.length ?? 0) < 350);
    assert.ok((row?.tooltip.length ?? 0) < 350);
  });
});
