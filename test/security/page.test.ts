import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileBelow, locationsIn } from '../../src/editor/console/consoleLocations';
import { dialogMessage, siteOf, viewMessage } from '../../src/editor/screen/viewMessage';
import { isHostMessage } from '../../src/screen/protocol';

const ROOT = join('/home', 'dev', 'project');

/** As many lines as the console has links in. */
const LINES = 10_000;

/** Far more time of the processor than all of them take, and far less than they took (84 s). */
const HOLD_LIMIT_MS = 3000;

describe('a hostile page', () => {
  it('cannot keep the address bar of the screen from showing where the browser is', () => {
    const long = 'a'.repeat(2_100_000);
    const url = `http://localhost/evil?${long}`;
    const message = viewMessage({
      tabs: [
        { targetId: 'a', title: '', url },
        { targetId: 'b', title: long, url },
      ],
      front: 'a',
      history: { url, title: long, canGoBack: false, canGoForward: false },
      isLoading: false,
      document: '',
      zoom: 100,
      surface: undefined,
    });
    assert(isHostMessage(message), 'the screen drops it');
    assert.match(message.address, /^http:\/\/localhost\/evil\?a+…$/);
    assert.match(message.tabs[0]?.title ?? '', /^http:\/\/localhost\/evil/);
  });

  it('cannot ask in the words of the editor: its dialog says whose it is, however long it is', () => {
    const message = 'VS Code: enter your token';
    for (const [url, site] of [
      ['https://evil.test:8443/login', 'https://evil.test:8443'],
      ['chrome-extension://abc/page.html', 'chrome-extension://abc'],
      ['about:blank', 'about:'],
      ['data:text/html,x', 'data:'],
      ['https://user:VS%20Code@evil.test/', 'https://evil.test'],
      ['not an address', 'an unknown site'],
    ] as const) {
      const dialog = dialogMessage('page', { type: 'prompt', url, message, prompt: '' });
      assert(dialog.kind === 'dialog' && isHostMessage(dialog));
      assert.equal(dialog.speaker, `The page of ${site} says:`);
      assert.equal(siteOf(url), site);
    }
    const long = 'x'.repeat(2_000_000);
    assert(
      isHostMessage(
        dialogMessage('page', { type: 'prompt', url: `https://a.test/${long}`, message: long, prompt: long }),
      ),
    );
  });

  it('cannot hold the extension host by what it has written to the console', () => {
    const texts = [
      'at '.repeat(1333),
      ':1)'.repeat(333),
      '('.repeat(3999),
      'at a:1'.repeat(166),
      ':'.repeat(3999),
      `at ${'1:'.repeat(480)}`,
    ];
    for (const text of texts) {
      const began = process.cpuUsage();
      for (let line = 0; line < LINES; line++) locationsIn(text);
      const took = process.cpuUsage(began).user / 1000;
      assert(took < HOLD_LIMIT_MS, `${text.slice(0, 10)}…: ${Math.round(took)} ms`);
    }
  });

  it('cannot make links to files outside of the workspace', () => {
    for (const text of [
      'x (../../../../etc/passwd:1:1)',
      'at ../../../etc/passwd:1',
      'at a/../../../../etc/passwd:1:1',
    ]) {
      const [place] = locationsIn(text);
      assert(place, text);
      assert.equal(fileBelow(ROOT, place.path), undefined, text);
    }
  });
});
