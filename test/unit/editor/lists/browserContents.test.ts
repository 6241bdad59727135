import assert from 'node:assert/strict';
import { contentNodes, tabTexts } from '../../../../src/editor/lists/browserContents';
import type { LastPush } from '../../../../src/editor/lists/nodes';
import { itemOf } from '../../../../src/editor/lists/row';
import { TabScripts } from '../../../../src/editor/lists/tabScripts';
import { ROWS } from '../../../../src/ids';
import { NOW, BROWSER } from './sampleBrowser';

const extension = (id: string, name: string) => ({ id, name, version: '1.0', path: `/home/${id}`, enabled: true });
const tab = (url: string, title = '') => ({ targetId: url, url, title });
const PUSH: LastPush = { state: 'running', at: NOW - 120_000, reason: '', extensionId: 'b', version: '1.0', ms: 320 };

describe('the rows below a browser', () => {
  it('are its extensions, the pushed one first, and then its tabs', () => {
    const contents = {
      extensions: [extension('a', 'Other'), { ...extension('b', 'Mine'), enabled: false }, extension('c', 'Mine')],
      tabs: [tab('https://example.com/x', 'Example')],
    };
    const rows = contentNodes(BROWSER, contents, PUSH, NOW);
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

  it('have one for each tab, which says of which extension its page is, and which content scripts run in it', () => {
    const [mine, other] = [extension('a'.repeat(32), 'Mine'), extension('b'.repeat(32), 'Other')];
    const own = `chrome-extension://${mine.id}/options.html`;
    const tabs = [
      tab('https://example.com:8443/x', 'Example'),
      tab(`${own}?a#b`, 'Options of mine'),
      tab(own, own.slice(0, 30)),
      tab(`chrome-extension://${'c'.repeat(32)}/x.html`, 'Viewer'),
      tab('about:blank'),
    ];
    const scripts = new TabScripts();
    assert.equal(scripts.note({ browser: BROWSER, extension: mine }, tabs.slice(0, 1)), true);
    assert.equal(scripts.note({ browser: BROWSER, extension: other }, tabs.slice(0, 1)), true);
    const texts = () =>
      contentNodes(BROWSER, { extensions: [mine, other], tabs }, undefined, NOW, scripts.in(BROWSER.id))
        .filter(({ contextValue }) => contextValue === ROWS.browserTab)
        .map(({ icon, label, description, spoken }) => [icon, label, description, spoken]);
    const others = [
      ['preview', 'Options of mine', 'options.html?a#b · Mine', 'Tab Options of mine, options.html?a#b, Mine'],
      ['preview', 'options.html', 'Mine', 'Tab options.html, Mine'],
      ['window', 'Viewer', 'page of an extension', 'Tab Viewer, page of an extension'],
      ['window', 'Blank page', '', 'Tab Blank page'],
    ];
    const [host, both] = ['example.com:8443', 'content script of Mine, Other'];
    assert.deepEqual(texts(), [['code', 'Example', `${host} · ${both}`, `Tab Example, ${host}, ${both}`], ...others]);

    assert.equal(scripts.forget(BROWSER.id, other.id), true);
    const one = 'content script of Mine';
    assert.deepEqual(texts(), [['code', 'Example', `${host} · ${one}`, `Tab Example, ${host}, ${one}`], ...others]);
    assert.equal(scripts.forget(BROWSER.id), true);
    assert.deepEqual(texts()[0], ['window', 'Example', host, `Tab Example, ${host}`]);
  });

  it('say nothing new where the same tabs are read again', () => {
    const scripts = new TabScripts();
    const of = { browser: BROWSER, extension: extension('a', 'Mine') };
    const [one, two] = [tab('https://one.example/'), tab('https://two.example/')];
    assert.equal(scripts.note(of, []), false);
    assert.equal(scripts.note(of, [one, two]), true);
    assert.equal(scripts.note(of, [two, one]), false);
    assert.equal(scripts.note(of, [two]), true);
    assert.equal(scripts.note(of, []), true);
    assert.equal(scripts.forget('another'), false);
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
    const rows = contentNodes(BROWSER, contents, { ...PUSH, lacks: ['Options', 'SidePanel'] }, NOW);
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
    const rows = contentNodes(BROWSER, { extensions: [], tabs: [] }, undefined, NOW);
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
      BROWSER,
      { extensions: [], tabs: [tab('https://e.com/', `a\n\u202e${'x'.repeat(5000)}`)] },
      undefined,
      NOW,
    );
    assert.match(row?.label ?? '', /^a x{10,}…$/);
    assert.ok((row?.label.length ?? 0) <= 101);
  });
});
