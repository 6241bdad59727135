import assert from 'node:assert/strict';
import { html } from '../../../../src/screen/page/html';
import { scrollPage, type ScrollPageOptions } from '../../../../src/screen/page/pageHtml';
import { isHostMessage, isPageMessage } from '../../../../src/screen/protocol';
import { decodeState, parsePoint, parseWhole, pointOn } from '../../../../src/screen/rememberedState';
import { decodeTexts, format, scrollTexts } from '../../../../src/screen/screenTexts';

describe('messages of the scroll panel', () => {
  const scroll = { kind: 'scroll', id: 1, x: 5, y: 0, right: 0, down: -3, hold: ['ctrl', 'shift'] };
  const ready = {
    kind: 'ready',
    page: 1,
    browser: 'b',
    screen: { width: 1920, height: 1080 },
    point: { x: 1, y: 2 },
    hold: [],
  };

  it('pass when they are right in every detail', () => {
    for (const kind of ['refresh', 'leave', 'choose']) assert.ok(isPageMessage({ kind }), kind);
    assert.ok(isPageMessage({ kind: 'hello', page: 1, isWhole: true }));
    assert.equal(isPageMessage({ kind: 'hello', isWhole: true }), false);
    assert.equal(isPageMessage({ kind: 'hello', page: 1 }), false);
    assert.ok(isPageMessage(scroll));
    assert.ok(isPageMessage({ kind: 'jump', to: 'top' }));
    assert.ok(isPageMessage({ kind: 'chosen', point: { x: 0, y: 1 }, hold: ['alt'] }));
    assert.ok(isHostMessage(ready));
    const { screen, point } = ready;
    assert.ok(isHostMessage({ kind: 'screen', screen, point }));
    assert.equal(isHostMessage({ kind: 'screen', screen }), false);
    assert.equal(isHostMessage({ kind: 'screen', screen: { width: 0, height: 1 }, point }), false);
    assert.ok(isHostMessage({ kind: 'jumped', to: 'bottom' }));
    assert.ok(isHostMessage({ kind: 'scrolled', id: 1, milliseconds: 12.5 }));
    assert.ok(isHostMessage({ kind: 'failed', id: 1, message: 'no' }));
    assert.ok(isHostMessage({ kind: 'picture', bytes: new Uint8Array(1) }));
    assert.ok(isHostMessage({ kind: 'notice', message: 'gone', gone: true }));
  });

  for (const [what, change] of [
    ['a fraction', { down: 0.5 }],
    ['more than the cap', { down: 11 }],
    ['no turn at all', { down: 0 }],
    ['a negative point', { x: -1 }],
    ['a point that is a text', { x: '5' }],
    ['an unknown key', { hold: ['Control_L'] }],
    ['a key twice', { hold: ['ctrl', 'ctrl'] }],
    ['no keys', { hold: undefined }],
    ['NaN', { right: Number.NaN }],
  ] as const) {
    it(`refuse a scroll with ${what}`, () => {
      assert.equal(isPageMessage({ ...scroll, ...change }), false);
    });
  }

  it('refuse values that are not messages', () => {
    for (const value of [null, undefined, 'hello', 5, [], {}, { kind: 'command', command: 'workbench.action.quit' }]) {
      assert.equal(isPageMessage(value), false);
      assert.equal(isHostMessage(value), false);
    }
    assert.equal(isHostMessage({ kind: 'picture', bytes: [1] }), false);
    assert.equal(isHostMessage({ ...ready, screen: { width: 0, height: 1 } }), false);
    assert.equal(isHostMessage({ ...ready, point: { x: -1, y: 1 } }), false);
    assert.equal(isPageMessage({ kind: 'jump', to: 'left' }), false);
    assert.equal(isPageMessage({ kind: 'chosen', point: { x: 0.5, y: 1 }, hold: [] }), false);
    assert.equal(isPageMessage({ kind: 'chosen', point: { x: 0, y: 1 }, hold: ['nope'] }), false);
  });
});

describe('state of the scroll page', () => {
  it('is restored, with defaults for invalid fields', () => {
    const more = { isPrecise: true, givesKeys: true, isWhole: true, size: 'phone', isRotated: true };
    const state = { ticksSideways: 4, ticksUpDown: 10, drafts: { x: '5000' }, ...more };
    assert.deepEqual(decodeState(state), state);
    const usual = { isPrecise: false, givesKeys: false, isWhole: false, size: 'fit', isRotated: false };
    const defaults = { ticksSideways: 3, ticksUpDown: 3, drafts: {}, ...usual };
    for (const value of [
      undefined,
      null,
      'x',
      {},
      { ticksSideways: 0, ticksUpDown: 11, drafts: { x: 5 }, size: 'toString' },
    ]) {
      assert.deepEqual(decodeState(value), defaults);
    }
  });

  it('puts the point in the centre of a screen, and keeps a remembered one inside it', () => {
    assert.deepEqual(pointOn({ width: 1921, height: 1080 }, undefined), { x: 960, y: 540 });
    assert.deepEqual(pointOn({ width: 800, height: 600 }, { x: 900, y: 10 }), { x: 799, y: 10 });
  });

  it('reads a point of the screen and nothing else', () => {
    const screen = { width: 800, height: 600 };
    for (const text of ['10, 20', '10,20', ' 10 20 ', '10; 20'])
      assert.deepEqual(parsePoint(text, screen), { x: 10, y: 20 });
    for (const text of ['', '10', '10, 600', '800, 1', '-1, 2', '1, 2, 3', 'x, y'])
      assert.equal(parsePoint(text, screen), undefined, text);
  });

  it('reads whole numbers within limits and nothing else', () => {
    assert.equal(parseWhole(' 12 ', 0, 12), 12);
    for (const text of ['', '13', '-1', '1.5', '1e1', 'x', '0x1'])
      assert.equal(parseWhole(text, 0, 12), undefined, text);
  });
});

describe('texts of the scroll page', () => {
  it('are filled in, and English where a translation is missing or damaged', () => {
    assert.equal(format('from {0} to {1}', 1, 'b'), 'from 1 to b');
    const texts = decodeTexts('{"up": "Hoch", "down": 5, "unknown": "x"}');
    assert.deepEqual([texts.up, texts.down], ['Hoch', scrollTexts().down]);
    assert.deepEqual(decodeTexts('{'), scrollTexts());
  });
});

describe('markup of the scroll page', () => {
  const options: ScrollPageOptions = {
    nonce: 'abcdefghijklmnop',
    scriptUri: 'https://example.invalid/scroll.js',
    styleUri: 'https://example.invalid/scroll.css',
    cspSource: 'https://example.invalid',
    language: 'en',
    texts: scrollTexts(),
    place: 'editor',
  };

  it('escapes what is filled in, and takes its own markup as it is', () => {
    const list = ['<b>', '"&'].map((text) => html`<i title="${text}">${text}</i>`);
    assert.equal(
      html`<p>${list}${1}</p>`.text,
      '<p><i title="&lt;b&gt;">&lt;b&gt;</i><i title="&quot;&amp;">&quot;&amp;</i>1</p>',
    );
  });

  it('has a policy that starts from none, and allows nothing unsafe', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(scrollPage(options))?.[1];
    assert.equal(
      policy,
      'default-src &#39;none&#39;; style-src https://example.invalid; script-src &#39;nonce-abcdefghijklmnop&#39;',
    );
  });

  it('refuses a nonce that could end the policy', () => {
    assert.throws(() => scrollPage({ ...options, nonce: "x'; script-src *" }), RangeError);
  });

  it('cannot be broken by a translation', () => {
    const page = scrollPage({ ...options, texts: { ...scrollTexts(), up: '"><script>alert(1)</script>' } });
    assert.equal(page.match(/<script/g)?.length, 1);
  });

  it('has the word beside each drawing that is not known from browsers, and says it to a screen reader, too', () => {
    const page = scrollPage(options);
    const words = { rotate: 'Rotate', whole: 'Whole Screen', openPopup: 'Popup', record: 'Record' };
    for (const [id, word] of Object.entries(words)) {
      const button = new RegExp(`<button\\s+id="${id}"[^>]*aria-label="[^"]*${word}[^"]*"[^]*?</button>`).exec(page);
      assert.match(button?.[0] ?? '', new RegExp(`<span class="word">${word}</span>\\s*</button>$`), id);
    }
    const others = [...page.matchAll(/<button\s+id="(\w+)"\s+class="icon"[^]*?<\/button>/g)]
      .filter(([button]) => !button.includes('class="word"'))
      .map(([, id]) => id);
    assert.deepEqual(others, ['choose', 'back', 'forward', 'reload', 'savePicture', 'newTab', 'closeSurface']);
  });

  it('labels every control, uses real buttons, and keeps the natural focus order', () => {
    const page = scrollPage(options);
    for (const id of ['x', 'y', 'ticksSideways', 'ticksUpDown']) assert.match(page, new RegExp(`<label for="${id}">`));
    for (const id of ['up', 'down', 'left', 'right'])
      assert.match(page, new RegExp(`<button\\s+id="${id}"[^>]*aria-label="Scroll ${id}"`));
    for (const id of ['ctrl', 'shift', 'alt', 'meta'])
      assert.match(page, new RegExp(`<button\\s+id="${id}"[^>]*aria-pressed="false"`));
    assert.match(page, /id="live"[^>]*aria-live="polite"/);
    assert.doesNotMatch(page, /tabindex="[1-9]/);
    assert.doesNotMatch(page, / (style|on\w+)="/);
  });
});
