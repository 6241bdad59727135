// Covers: src/screen/page, src/devtools
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { SCREEN } from '../workbench/phrases';
import { makeRoom } from '../workbench/pushing';
import { ScreenStage } from '../workbench/screenStage';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';

/** Thin lines, and texts of usual sizes in several colours, which a picture that is scaled or strongly compressed blurs. */
const LINES = ['#222', '#06c', '#b00', '#080', '#555'].flatMap((colour) =>
  [11, 13, 16].map(
    (size) =>
      `<p style="margin:0;color:${colour};font:${size}px/1.5 sans-serif;border-bottom:1px solid">Ill 1 oO0 The quick brown fox jumps over the lazy dog, {}[]();</p>`,
  ),
);
const PAGE = `data:text/html,<meta charset=utf-8><title>Sharp</title><body style="margin:16px;background:white">${encodeURIComponent(LINES.join(''))}`;

/** VS Code's window in device pixels, and its zoom. */
const DEVICE = { width: 1920, height: 1200 };
const ZOOMS = [1, 1.5, 2];

/**
 * The most that the picture may differ from the browser's own, as a share of how much that differs from itself when it is blurred by one pixel of
 * the display: what a stream of JPEG takes (measured: 0.09 to 0.11, and 0.9 for a picture with one pixel for each CSS pixel at 200 %).
 */
const MOST_DIFFERENT = 0.25;

/** How long the picture may take to be that of the page in its size, in milliseconds. */
const SOON_MS = 60_000;

/**
 * In a page: by how much a picture differs from the part of another one that begins at a point, in the mean of the luminance of its pixels, from 0
 * to 255. A point between two pixels is drawn at one of them.
 */
const DIFFERENCE = `async ({ own, shown, x, y, blur }) => {
  const read = async (base64, blur) => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + base64)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.filter = blur > 0 ? 'blur(' + blur + 'px)' : 'none';
    context.drawImage(bitmap, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width, height, at: (x, y) => {
      const from = (y * width + x) * 4;
      return 0.2126 * data[from] + 0.7152 * data[from + 1] + 0.0722 * data[from + 2];
    } };
  };
  const [one, other] = [await read(own, 0), await read(shown, blur)];
  const differenceAt = (left, top) => {
    let sum = 0;
    for (let row = 0; row < one.height; row++)
      for (let column = 0; column < one.width; column++)
        sum += Math.abs(one.at(column, row) - other.at(left + column, top + row));
    return sum / (one.width * one.height);
  };
  const around = (at) => [...new Set([Math.floor(at), Math.ceil(at)])];
  return Math.min(...around(x).flatMap((left) => around(y).map((top) => differenceAt(left, top))));
}`;

describe('the picture of the screen', () => {
  let shared: SharedWindow;
  let stage: ScreenStage;
  let window: CDPSession;
  /** A page that compares pictures, which the policies of VS Code's pages do not allow. */
  let scales: Page;

  before(async function () {
    shared = await sharedWindow(this);
    await makeRoom(shared.workbench);
    stage = await ScreenStage.open(shared, 'sharp', PAGE);
    await stage.panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor();
    const { page } = shared.workbench;
    window = await page.context().newCDPSession(page);
    scales = await page.context().newPage();
    await page.bringToFront();
  });

  after(async () => {
    await window.detach();
    await scales.close();
    await stage.end();
  });

  const difference = (given: { own: string; shown: string; x: number; y: number; blur: number }): Promise<number> =>
    scales.evaluate<number>(`(${DIFFERENCE})(${JSON.stringify(given)})`);

  for (const zoom of ZOOMS)
    it(`is as sharp as the browser's own at ${zoom * 100} % of VS Code's zoom`, async () => {
      // The picture pauses where nobody uses the window, as these tests do for longer than a minute on a slow machine.
      await stage.panel.locator('#status').hover();
      const size = { width: DEVICE.width / zoom, height: DEVICE.height / zoom };
      await window.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: zoom, mobile: false });
      const remote = await stage.page.context().newCDPSession(stage.page);
      let last = '';
      const isSharp = async (): Promise<boolean> => {
        const box = (await stage.picture.boundingBox()) ?? assert.fail('the picture is not shown');
        const [width, height, ratio] = await stage.page.evaluate<number[]>(
          '[innerWidth, innerHeight, devicePixelRatio]',
        );
        last = `${width} × ${height} at ${ratio}, shown as ${box.width} × ${box.height}`;
        if (box.width !== width || box.height !== height || ratio !== zoom) return false;
        // With a clip of its own, Chromium would end the size that the screen has set.
        const own = (await remote.send('Page.captureScreenshot', { format: 'png' })).data;
        const pixels = Buffer.from(own, 'base64').readUInt32BE(16);
        last = `the browser's own picture is ${pixels} pixels wide`;
        if (pixels !== Math.round(width * zoom)) return false;
        const shown = (await window.send('Page.captureScreenshot', { format: 'png' })).data;
        const seen = await difference({ own, shown, x: box.x * zoom, y: box.y * zoom, blur: 0 });
        const blurred = await difference({ own, shown: own, x: 0, y: 0, blur: 1 });
        last = `the difference is ${seen.toFixed(2)}, and ${blurred.toFixed(2)} of a picture that is blurred`;
        return seen / blurred <= MOST_DIFFERENT;
      };
      await eventually(() => last, isSharp, SOON_MS);
      console.log(`      ${zoom * 100} %: ${last}`);
      await remote.detach();
    });
}).timeout(120_000);
