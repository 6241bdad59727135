// Covers: src/editor/problems, src/manifest/pages
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedWindow } from '../workbench/sharedWindow';
import type { Workbench } from '../workbench/workbench';

/** Longest time for Problems to follow what is typed, in milliseconds. */
const PROBLEMS_LIMIT_MS = 30_000;

/** Longest time to undo what was typed, in milliseconds. */
const CLOSE_LIMIT_MS = 40_000;

describe('the entries of a manifest', () => {
  let workbench: Workbench;
  let good: string;

  before(async function () {
    const window = await sharedWindow(this);
    workbench = window.workbench;
    good = await readFile(join(window.folder, 'manifest.json'), 'utf8');
    await workbench.editors.open('manifest.json');
    await workbench.problems.open();
    await workbench.editors.replaceAll(good.replace('"default_popup"', '"default_popop"'));
    await workbench.problems.waitFor('default_popop', PROBLEMS_LIMIT_MS);
  });

  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await workbench.editors.replaceAllIn('manifest.json', good);
    await workbench.problems.waitForNone('default_popop', PROBLEMS_LIMIT_MS);
    await workbench.hidePanel();
    await workbench.editors.discard();
  });

  it('are summed up in the language status of the manifest', async () => {
    const status = workbench.page.locator('[id="status.languageStatus"]').first();
    assert.match((await status.getAttribute('aria-label')) ?? '', /Chromium \d+ loads it, 1 warning/);
  });

  it('link to the page of their rule, which is shown as text with headings', async () => {
    await workbench.page.locator('.markers-panel').getByText('R-UNKNOWN-NESTED').click();
    const tab = workbench.page.getByRole('tab', { name: /R-UNKNOWN-NESTED/ });
    await tab.waitFor();
    const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: 'R-UNKNOWN-NESTED' }).waitFor();
    await page.getByRole('heading', { name: 'Correct' }).waitFor();
    assert.match(await page.locator('body').innerText(), /"default_popup": "popup\.html"/);
    // Other tests look for the only page of their kind.
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  });
}).timeout(120_000);
