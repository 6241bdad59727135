import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { findBrowser } from '../../src/local/chromium/browserPaths';

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  ...['--enable-unsafe-extension-debugging', '--lang=en-US'],
];

/** The installed Chromium's own warnings about the permissions of manifests, without an installation. Ended by `close`. */
export class WarningOracle {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly folder: string,
  ) {}

  static async start(): Promise<WarningOracle> {
    const executablePath = await findBrowser();
    if (executablePath === undefined)
      throw new Error('No browser was found. Install Chromium, or set SIDELOAD_BROWSER.');
    const folder = await mkdtemp(join(tmpdir(), 'sideload-warnings-'));
    let browser: Browser | undefined;
    try {
      // The call is for extensions only: chrome://extensions has no part in it.
      await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3, "name": "Asks", "version": "1.0" }');
      await writeFile(join(folder, 'page.html'), '<title>Asks</title>');
      browser = await launch({
        executablePath,
        headless: true,
        pipe: true,
        enableExtensions: true,
        args: FLAGS,
        env: { ...process.env, LANGUAGE: 'en_US', LC_ALL: 'C.UTF-8' },
      });
      const session = await browser.target().createCDPSession();
      const { id } = await session.send('Extensions.loadUnpacked', { path: folder });
      const page = await browser.newPage();
      await page.goto(`chrome-extension://${id}/page.html`);
      return new WarningOracle(browser, page, folder);
    } catch (error) {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The main texts about each of some manifests, or why Chromium does not read one. */
  async judge(manifests: readonly string[]): Promise<(readonly string[] | string)[]> {
    const answers = await this.page.evaluate(
      `Promise.all(${JSON.stringify(manifests)}.map((text) =>
        chrome.management.getPermissionWarningsByManifest(text).catch((error) => error.message)))`,
    );
    if (!Array.isArray(answers)) throw new Error('The browser gave no list of answers.');
    return answers.map((answer: unknown) =>
      Array.isArray(answer) ? answer.filter((text) => typeof text === 'string') : String(answer),
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
