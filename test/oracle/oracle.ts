import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { launch, type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import type { CaseFile } from './caseFolder';
import { CASE_FOLDER, type Case, type Verdict } from './cases';

/** Longest time the browser may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 30_000;

/** Longest time a browser may take to end by itself, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;

/** What Chromium adds after the load, when it has tried to start the worker: whether it is there already depends on the machine. */
const LATE_WARNING = /^Service worker registration failed\b/;

/** A page of the origin that may read install warnings. A bare resource, since the page itself redraws at every load. */
const EXTENSIONS_PAGE = 'chrome://extensions/strings.m.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--enable-unsafe-extension-debugging',
  '--disable-background-networking',
];

/** The browser came to its end while it was asked. */
export class BrowserEndedError extends Error {}

/**
 * The installed Chromium's own verdicts on extension folders, by `Extensions.loadUnpacked`, which refuses names with an underscore that
 * `--load-extension` only warns of. One browser for many cases, ended by `close`.
 */
export class Oracle {
  private constructor(
    private readonly browser: Browser,
    private readonly session: CDPSession,
    private readonly page: Page,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Oracle> {
    const executablePath = await findBrowser();
    if (executablePath === undefined)
      throw new Error('No browser was found. Install Chromium, or set SIDELOAD_BROWSER.');
    const folder = await mkdtemp(join(tmpdir(), 'sideload-oracle-'));
    let browser: Browser | undefined;
    try {
      browser = await launch({
        executablePath,
        headless: true,
        pipe: true,
        enableExtensions: true,
        protocolTimeout: ANSWER_LIMIT_MS,
        args: FLAGS,
        // Packaged apps get entries in the menu of the desktop: not in that of whoever runs the tests.
        env: { ...process.env, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') },
      });
      const page = await browser.newPage();
      await page.goto(EXTENSIONS_PAGE);
      await page.waitForFunction(`typeof chrome.developerPrivate?.getExtensionInfo === 'function'`);
      await page.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })');
      const session = await browser.target().createCDPSession();
      return new Oracle(browser, session, page, folder);
    } catch (error) {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** What Chromium says about a case. Rejects with BrowserEndedError when the browser ends. */
  async judge({ files }: Case): Promise<Verdict> {
    const folder = await mkdtemp(join(this.folder, 'case-'));
    try {
      for (const [path, content] of Object.entries(files)) await materialise(folder, path, content);
      return await this.#judgeFolder(folder);
    } catch (error) {
      if (this.browser.connected) throw error;
      throw new BrowserEndedError('The browser ended.', { cause: error });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #judgeFolder(folder: string): Promise<Verdict> {
    const shown = (text: string): string => text.replaceAll(folder, CASE_FOLDER);
    let id: string;
    try {
      ({ id } = await this.session.send('Extensions.loadUnpacked', { path: folder }));
    } catch (error) {
      if (!this.browser.connected) throw error;
      // Puppeteer puts the command before the browser's own text.
      const text = (error instanceof Error ? error.message : String(error)).replace(/^Protocol error \([^)]*\): /, '');
      return { ok: false, error: shown(text), warnings: [] };
    }
    const warnings = await this.page.evaluate(
      `chrome.developerPrivate.getExtensionInfo(${JSON.stringify(id)}).then(
        (info) => [...info.manifestErrors.map(({ message }) => message), ...info.installWarnings], () => null)`,
    );
    // Gone already when a theme or an extension of the same key has taken its place.
    await this.session.send('Extensions.uninstall', { id }).catch((error: unknown) => {
      if (!this.browser.connected) throw error;
    });
    const loadWarnings = isTexts(warnings) ? warnings.filter((text) => !LATE_WARNING.test(text)).map(shown) : null;
    return { ok: true, error: null, warnings: loadWarnings };
  }

  /** Ends the browser, by force when it does not end by itself: now and then one that has loaded hundreds of extensions does not. */
  async close(): Promise<void> {
    const process = this.browser.process();
    const force = setTimeout(() => process?.kill('SIGKILL'), CLOSE_LIMIT_MS);
    try {
      await this.browser.close();
    } finally {
      clearTimeout(force);
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

async function materialise(folder: string, path: string, content: CaseFile): Promise<void> {
  const target = resolve(folder, path);
  if (!target.startsWith(folder + sep)) throw new Error(`${path} leads out of the case.`);
  await mkdir(dirname(target), { recursive: true });
  if (typeof content === 'string') await writeFile(target, content);
  else if ('base64' in content) await writeFile(target, Buffer.from(content.base64, 'base64'));
  else if ('symlink' in content) await symlink(content.symlink, target);
  else await mkdir(target, { recursive: true });
}
