import { setTimeout as delay } from 'node:timers/promises';
import { DevTools } from '../contract/devtools';
import { startBareChromium } from '../support/bareChromium';
import { atEnd } from '../support/cleanup';
import { openExtensionsPage } from './bareBrowser';
import type { Beacon } from './beacon';
import type { PeerProject } from './peerProject';
import type { Script } from './subject';

/** What a page does after its first statement, such as a connection to the tool, is over after so long, in milliseconds. */
const SETTLE_MS = 700;

/** How long a script may take to run in a new tab, in milliseconds, and how often a tab is opened for it. */
const ATTEMPT_MS = 3000;
const ATTEMPTS = 4;
const POLL_MS = 20;

/** Starts a Chromium with Developer mode on and loads the extension in `folder`, for tools that reload it by themselves. */
export async function startForPeer(executable: string, profile: string, folder: string): Promise<string> {
  const chromium = await startBareChromium(executable, profile);
  atEnd('the browser of a peer', () => chromium.stop());
  const devtools = await DevTools.connect(chromium.url);
  try {
    await openExtensionsPage(devtools);
    await devtools.result('Extensions.loadUnpacked', { path: folder });
    return chromium.url;
  } finally {
    devtools.close();
  }
}

/** The tabs in which scripts are looked at: one that the content script runs in, and the options page only where it is measured. */
export class PeerTabs {
  constructor(
    /** The DevTools address of the browser. */
    private readonly address: string,
    private readonly project: PeerProject,
    private readonly beacon: Beacon,
  ) {}

  /** Opens what a script is looked at in, puts it in front, and closes the rest. Afterwards nothing is attached to the browser. */
  async show(script: Script): Promise<void> {
    const devtools = await DevTools.connect(this.address);
    try {
      const options = this.project.optionsPage;
      const site = `${this.beacon.origin}/site`;
      const open = pagesOf(await devtools.result('Target.getTargets'));
      for (const { targetId, url } of open) {
        if (url === options && script !== 'page') await devtools.result('Target.closeTarget', { targetId });
      }
      if (script === 'worker') return;
      const wanted = script === 'page' ? options : site;
      const there = open.find(({ url }) => url === wanted);
      if (there) {
        await devtools.result('Target.activateTarget', { targetId: there.targetId });
        return;
      }
      await this.#open(devtools, wanted, script);
      await delay(SETTLE_MS);
    } finally {
      devtools.close();
    }
  }

  /** Opens a tab until the script runs in it: some tools register content scripts a while after the worker has started. */
  async #open(devtools: DevTools, url: string, script: Script): Promise<void> {
    const build = this.project.last(script);
    this.beacon.forget(build);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { targetId } = await devtools.result('Target.createTarget', { url });
      const until = performance.now() + ATTEMPT_MS;
      while (performance.now() < until) {
        if (this.beacon.hasSeen(build)) return;
        await delay(POLL_MS);
      }
      await devtools.result('Target.closeTarget', { targetId });
    }
    throw new Error(`the ${script} script does not run in ${url}`);
  }
}

/** The pages in the answer to `Target.getTargets`. */
function pagesOf({ targetInfos }: Readonly<Record<string, unknown>>): { targetId: string; url: string }[] {
  if (!Array.isArray(targetInfos)) return [];
  return (targetInfos as readonly Readonly<Record<string, unknown>>[]).flatMap(({ type, targetId, url }) =>
    type === 'page' ? [{ targetId: String(targetId), url: String(url) }] : [],
  );
}
