import assert from 'node:assert/strict';
import { AllChoices, ScrollChoices } from '../../../../src/editor/screen/scrollChoices';
import { requestsOf } from '../../../../src/editor/screen/scrolling';
import type { Browser } from '../../../../src/service/model';

const BROWSER: Browser = {
  id: 'htzv5orfit78e1m2biiifpbv',
  createdAt: '2026-05-01T11:57:30Z',
  devToolsUrl: 'wss://proxy.example/cdp',
  webDriverUrl: 'wss://proxy.example/wd',
  headless: true,
  stealth: false,
  timeoutSeconds: 3600,
  viewport: { width: 800, height: 600 },
};

describe('scroll requests', () => {
  it('carry at most ten ticks each way, and together all of them', () => {
    assert.deepEqual(requestsOf({ right: 0, down: 0 }), []);
    assert.deepEqual(requestsOf({ right: 0, down: -3 }), [{ right: 0, down: -3 }]);
    assert.deepEqual(requestsOf({ right: -12, down: 25 }), [
      { right: -10, down: 10 },
      { right: -2, down: 10 },
      { right: 0, down: 5 },
    ]);
  });
});

describe('scroll choices', () => {
  it('are the centre without keys at first, and kept for each browser', () => {
    const choices = new ScrollChoices();
    const other = { ...BROWSER, id: 'other' };
    assert.deepEqual(choices.get(BROWSER), { point: { x: 400, y: 300 }, hold: [] });
    choices.set(BROWSER, { hold: ['alt'] });
    choices.set(BROWSER, { point: { x: 1, y: 2 } });
    assert.deepEqual(choices.get(BROWSER), { point: { x: 1, y: 2 }, hold: ['alt'] });
    assert.deepEqual(choices.get(other), { point: { x: 400, y: 300 }, hold: [] });
  });

  it('keep the point inside a screen that has become smaller', () => {
    const choices = new ScrollChoices();
    choices.set(BROWSER, { point: { x: 799, y: 599 } });
    assert.deepEqual(choices.get({ ...BROWSER, viewport: { width: 500, height: 400 } }).point, { x: 499, y: 399 });
  });

  it('are points of the page, whose view is larger on a display with more pixels', () => {
    const choices = new ScrollChoices();
    assert.deepEqual(choices.pixelAt(BROWSER, { x: 300, y: 200 }), { x: 300, y: 200 });
    choices.showIn(BROWSER.id, { width: 390, height: 500, ratio: 1.5 });
    assert.deepEqual(choices.pixelAt(BROWSER, { x: 301, y: 200 }), { x: 451, y: 300 });
    assert.deepEqual(choices.screenOf(BROWSER), { width: 390, height: 400 });
    assert.deepEqual(choices.pageOf(BROWSER), { width: 390, height: 500 });
    choices.showIn(BROWSER.id, { width: 390, height: 500, ratio: 0 });
    assert.deepEqual(choices.pixelAt(BROWSER, { x: 301, y: 200 }), { x: 301, y: 200 });
  });

  it('are those of each service, which may have browsers of the same ids', () => {
    const all = new AllChoices();
    all.of('one').set(BROWSER, { point: { x: 1, y: 2 } });
    all.of('one').showIn(BROWSER.id, { width: 390, height: 500, ratio: 1 });
    assert.deepEqual(all.of('one').get(BROWSER).point, { x: 1, y: 2 });
    assert.deepEqual(all.of('other').get(BROWSER).point, { x: 400, y: 300 });
    assert.deepEqual(all.of('other').screenOf(BROWSER), { width: 800, height: 600 });
  });
});
