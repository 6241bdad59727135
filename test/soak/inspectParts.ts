import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Beacon } from '../bench/beacon';
import { DebugSession, stopLineOf } from '../bench/debugSession';
import { PushWindow } from '../bench/pushWindow';
import { Subject } from '../bench/subject';
import { BrowserLink } from '../../src/devtools/connection/link';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { HiddenPage } from '../../src/devtools/protocol/hiddenPage';
import { readStorage, writeStorage } from '../../src/devtools/storage/extensionStorage';
import { addressOf } from '../support/devToolsAddress';
import { folderOf, type SoakPart } from './soakPart';

/** Debug sessions as the editor starts them, each until the worker runs with its breakpoints set. */
export const debug: SoakPart = {
  name: 'debug',
  full: 200,
  begin: async (stage) => {
    const beacon = await Beacon.start();
    const subject = await Subject.create(folderOf(stage, 'debug'), 'debug', beacon);
    const browser = await stage.client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const window = new PushWindow(stage.client, true);
    await window.push(browser, subject.folder, 'load');
    const options = {
      browser,
      extensionId: subject.id,
      stop: await stopLineOf(subject),
      hidden: window.hiddenOf(browser),
    };
    return {
      browser,
      step: async () => {
        const begun = performance.now();
        const session = await DebugSession.start(options);
        await session.worker();
        const ms = performance.now() - begun;
        await session.end();
        return ms;
      },
      end: async () => {
        window.dispose();
        await stage.client.deleteBrowser(browser.id);
        await beacon.close();
      },
    };
  },
};

/** Edits of a storage area: one key is written, with its old value checked, and the area is read again, as after each save of its document. */
export const storage: SoakPart = {
  name: 'storage',
  full: 2000,
  begin: async (stage) => {
    const folder = folderOf(stage, 'storage');
    await mkdir(folder, { recursive: true });
    const manifest = { manifest_version: 3, name: 'Storage', version: '1', permissions: ['storage'] };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const browser = await stage.client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const link = await BrowserLink.open(addressOf(browser));
    await link.prepare();
    const page = await HiddenPage.open(link.connection, await loadUnpacked(link.connection, folder));
    if (!page) throw new Error('the extension is not loaded');
    const rest = new Map(
      Array.from({ length: 200 }, (_, at): [string, unknown] => [`key ${at}`, { at, text: 'x'.repeat(200) }]),
    );
    await writeStorage(page, 'local', { set: rest, remove: [] });
    let last: number | undefined;
    return {
      browser,
      step: async (at) => {
        const begun = performance.now();
        const change = { set: new Map([['edited', at]]), remove: [] };
        const { end } = await writeStorage(page, 'local', change, new Map([['edited', last]]));
        if (end !== 'written') throw new Error('somebody else has written');
        last = at;
        const items = await readStorage(page, 'local');
        if (items.get('edited') !== at || items.size !== rest.size + 1)
          throw new Error('it was read otherwise than written');
        return performance.now() - begun;
      },
      end: async () => {
        await page.close();
        link.close();
        await stage.client.deleteBrowser(browser.id);
      },
    };
  },
};
