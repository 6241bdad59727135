import { join } from 'node:path';
import type { Target } from '../contract/devtools';
import { DevTools } from '../contract/devtools';
import { eventually } from '../support/eventually';
import { startBareChromium } from '../support/bareChromium';
import { atEnd } from '../support/cleanup';
import type { Beacon } from './beacon';
import type { Subject } from './subject';

/** How long chrome://extensions may take to be usable, in milliseconds. */
const PAGE_LIMIT_MS = 10_000;

/** The floor: a Chromium that reads the edited files where they lie, asked over DevTools, without service and archive. */
export class BareBrowser {
  private constructor(
    private readonly devtools: DevTools,
    private readonly page: Target,
    private readonly id: string,
    private readonly subject: Subject,
    private readonly beacon: Beacon,
  ) {}

  /** Starts one with Developer mode on and a hidden chrome://extensions page, and loads the extension. */
  static async start(executable: string, folder: string, subject: Subject, beacon: Beacon): Promise<BareBrowser> {
    const chromium = await startBareChromium(executable, join(folder, 'user-data'));
    atEnd('the bare browser', () => chromium.stop());
    const devtools = await DevTools.connect(chromium.url);
    const page = await openExtensionsPage(devtools);
    const build = await subject.saveManifest();
    const { id } = await devtools.result('Extensions.loadUnpacked', { path: subject.folder });
    await beacon.called(build);
    return new BareBrowser(devtools, page, String(id), subject, beacon);
  }

  /** Loads another extension. */
  async add(folder: string): Promise<void> {
    await this.devtools.result('Extensions.loadUnpacked', { path: folder });
  }

  /** Milliseconds from the write of the worker's file to its first statement by `developerPrivate.reload`. */
  async reload(): Promise<number> {
    const saved = performance.now();
    const build = await this.subject.saveWorker();
    const reloading = this.page.evaluate(
      `chrome.developerPrivate.reload(${JSON.stringify(this.id)}, { failQuietly: true })`,
    );
    const [called] = await Promise.all([this.beacon.called(build), reloading]);
    return called - saved;
  }

  /** The same with a changed manifest, by `Extensions.loadUnpacked`. */
  async load(): Promise<number> {
    const saved = performance.now();
    const build = await this.subject.saveManifest();
    const loading = this.devtools.result('Extensions.loadUnpacked', { path: this.subject.folder });
    const [called] = await Promise.all([this.beacon.called(build), loading]);
    return called - saved;
  }
}

/** Opens a hidden chrome://extensions page, attaches to it, and switches Developer mode on. */
export async function openExtensionsPage(devtools: DevTools): Promise<Target> {
  const { targetId } = await devtools.result('Target.createTarget', { url: 'chrome://extensions', hidden: true });
  const page = await devtools.attachTo(String(targetId));
  await eventually(
    'chrome://extensions is usable',
    async () => (await page.evaluate('typeof chrome?.developerPrivate?.reload').catch(() => '')) === 'function',
    PAGE_LIMIT_MS,
  );
  await page.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })');
  return page;
}
