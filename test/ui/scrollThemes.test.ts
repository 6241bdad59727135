// Covers: src/screen/page, media/scroll.css
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Frame, FrameLocator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { axeFindings } from '../workbench/axe';
import { eventually } from '../support/eventually';
import { contrast, drawnColours, type DrawnColours } from '../workbench/contrast';
import { CACHE } from '../support/paths';
import { BUTTONS, SCREEN, SCROLL } from '../workbench/phrases';
import { createBrowser, openBrowsers } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'theme-browser';

/** One theme of each kind, with the class that VS Code gives to the page. */
const THEMES = [
  ['Light Modern', 'vscode-light'],
  ['Dark Modern', 'vscode-dark'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
  ['Dark High Contrast', 'vscode-high-contrast'],
] as const;

/** By WCAG 2: for texts, and for what shows a state. */
const TEXT_RATIO = 4.5;
const STATE_RATIO = 3;

/** Sizes of the window in CSS pixels: 1440 × 900 at 200 %, and one in which the panel is about 200 pixels wide. */
const NARROW = [
  { width: 720, height: 450 },
  { width: 520, height: 450 },
] as const;

/** How long the page may take to follow the size of its place, in milliseconds. */
const FOLLOW_LIMIT_MS = 5000;

/** What of the page is cut off or reaches out of it: the texts of the elements. */
const FIND_CUT_OFF = `(body) => {
  const width = document.documentElement.clientWidth;
  const faults = document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
  for (const element of body.querySelectorAll('button:not([role=tab]), input, select, label, legend, p:not(.spoken), h1')) {
    const box = element.getBoundingClientRect();
    const isCut = element.tagName !== 'INPUT' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    if (box.width > 0 && (box.left < 0 || box.right > width + 0.5 || isCut)) faults.push(element.id || element.textContent);
  }
  return faults;
}`;

describe('the page of the scroll controls', () => {
  let shared: SharedWindow;
  let panel: FrameLocator;
  let frame: Frame;
  /** The theme of the window. */
  let theme: string;

  before(async function () {
    shared = await sharedWindow(this);
    await createBrowser(shared.workbench, BROWSER);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    panel = shared.workbench.editors.webview();
    await panel.getByRole('img', { name: SCROLL.screen }).waitFor();
    await panel.getByText(SCREEN.precise, { exact: true }).click();
    frame = (await (await panel.locator('body').elementHandle())?.ownerFrame()) ?? assert.fail('the page has no frame');
    theme = await frame.evaluate<string>('document.body.dataset.vscodeThemeName');
  });

  after(async () => {
    await useTheme(theme);
    const view = await openBrowsers(shared.workbench);
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
    await shared.workbench.press(BUTTONS.delete);
    await shared.workbench.editors.closeAll();
  });

  async function useTheme(name: string, pageClass?: string): Promise<void> {
    const { workbench } = shared;
    await workbench.commandThatAsks('Preferences: Color Theme');
    await workbench.quickInput.type(name);
    await workbench.quickInput.accept();
    await workbench.quickInput.closed();
    if (pageClass === undefined) return;
    const other = pageClass === 'vscode-high-contrast' ? ':not(.vscode-high-contrast-light)' : '';
    await panel.locator(`body.${pageClass}${other}`).waitFor();
  }

  function requireReadable(what: string, { text, background }: DrawnColours): void {
    const ratio = contrast(text, background);
    assert.ok(ratio >= TEXT_RATIO, `${what}: ${ratio.toFixed(2)}:1, ${String(text)} on ${String(background)}`);
  }

  async function requireRing(what: string): Promise<void> {
    const { outline, around, outlineWidth } = await drawnColours(frame, '#alt');
    assert.ok(outlineWidth >= 2, `${what} has no ring`);
    assert.ok(contrast(outline, around) >= STATE_RATIO, `${what}: the ring cannot be seen`);
  }

  for (const [name, pageClass] of THEMES) {
    it(`can be read in ${name}: texts, and buttons in every state`, async () => {
      await useTheme(name, pageClass);
      const { page } = shared.workbench;
      for (const place of ['#browser', '#status', '#padHelp', 'legend', 'label', '#x', '#giveKeys']) {
        requireReadable(place, await drawnColours(frame, place));
      }
      await panel.locator('#x').fill('5000');
      requireReadable('an error', await drawnColours(frame, '#xError'));
      await panel.locator('#x').fill('960');

      const alt = panel.getByRole('button', { name: SCROLL.alt, exact: true });
      const normal = await drawnColours(frame, '#alt');
      requireReadable('normal', normal);
      assert.equal(normal.hasMark, false);
      await alt.hover();
      requireReadable('under the pointer', await drawnColours(frame, '#alt'));
      await page.mouse.move(0, 0);
      // The ring is for the keyboard.
      await panel.locator('#shift').focus();
      await page.keyboard.press('Tab');
      const focused = await drawnColours(frame, '#alt');
      requireReadable('focused', focused);
      assert.equal(focused.hasMark, false, 'focused looks pressed');
      await requireRing('focused');

      await page.keyboard.press('Space');
      const both = await drawnColours(frame, '#alt');
      requireReadable('pressed and focused', both);
      assert.equal(both.hasMark, true);
      await requireRing('pressed and focused');
      await shared.workbench.picture(join(CACHE, 'ui', `scroll-${pageClass}.png`));
      await alt.hover();
      requireReadable('pressed and under the pointer', await drawnColours(frame, '#alt'));
      assert.equal((await drawnColours(frame, '#alt')).hasMark, true);
      await page.mouse.move(0, 0);
      await alt.blur();
      const pressed = await drawnColours(frame, '#alt');
      requireReadable('pressed', pressed);
      assert.equal(pressed.hasMark, true);
      assert.equal(pressed.outlineWidth, 0, 'pressed looks focused');
      if (name.includes('High Contrast')) {
        assert.ok(contrast(pressed.background, normal.background) >= STATE_RATIO, 'pressed looks like normal');
      }
      await alt.click();
      await page.mouse.move(0, 0);

      await frame.evaluate('document.querySelector("#alt").disabled = true');
      const disabled = await drawnColours(frame, '#alt');
      await frame.evaluate('document.querySelector("#alt").disabled = false');
      assert.ok(contrast(disabled.text, disabled.background) >= STATE_RATIO, 'disabled cannot be read');
    });

    it(`gives axe-core nothing to find in ${name}, at 100 % and 200 %, folded and unfolded`, async () => {
      await useTheme(name, pageClass);
      const { page } = shared.workbench;
      const whole = page.viewportSize() ?? assert.fail('the window has no size');
      const findings: string[] = [];
      try {
        for (const size of [whole, NARROW[0]]) {
          await page.setViewportSize(size);
          for (const isOpen of [true, false]) {
            await frame.evaluate(`document.querySelector('#precise').open = ${isOpen}`);
            const found = await axeFindings(frame);
            findings.push(...found.map((finding) => `${size.width} px, ${isOpen ? 'unfolded' : 'folded'}: ${finding}`));
          }
        }
      } finally {
        await frame.evaluate("document.querySelector('#precise').open = true");
        await page.setViewportSize(whole);
      }
      assert.deepEqual(findings, []);
    });
  }

  for (const size of NARROW) {
    it(`cuts nothing off in a window of ${size.width} × ${size.height} pixels`, async () => {
      const { page } = shared.workbench;
      const before = page.viewportSize();
      await page.setViewportSize(size);
      try {
        // The page follows its place with the next picture of the screen.
        let cut: string[] = [];
        await eventually(
          () => `nothing is cut off: ${cut.join(', ')}`,
          async () => {
            cut = await frame.evaluate<string[]>(`(${FIND_CUT_OFF})(document.body)`);
            return cut.length === 0;
          },
          FOLLOW_LIMIT_MS,
        );
        await shared.workbench.picture(join(CACHE, 'ui', `scroll-${size.width}.png`));
      } finally {
        if (before) await page.setViewportSize(before);
      }
    });
  }

  it('moves nothing when the user wants less motion', async () => {
    await panel.locator('body.vscode-reduce-motion').waitFor();
    const durations = await frame.evaluate<string[]>(
      '[...document.querySelectorAll("*")].map((element) => getComputedStyle(element)).flatMap((style) => [style.transitionDuration, style.animationDuration])',
    );
    assert.deepEqual([...new Set(durations)], ['0s']);
  });
}).timeout(120_000);
