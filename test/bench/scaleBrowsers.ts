import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { BrowserConsole } from '../../src/console/browserConsole';
import { ConsoleFeed } from '../../src/console/consoleFeed';
import { BrowserLink } from '../../src/devtools/connection/link';
import { listContexts } from '../../src/devtools/extensions/contexts';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { HiddenPage } from '../../src/devtools/protocol/hiddenPage';
import { readStorage, writeStorage } from '../../src/devtools/storage/extensionStorage';
import { StorageDocument } from '../../src/editor/storage/storageDocument';
import { parseItems } from '../../src/editor/storage/storageText';
import type { Browser } from '../../src/service/model';
import { DevTools } from '../contract/devtools';
import { MemoryPush } from '../standins/memoryPush';
import { atEnd } from '../support/cleanup';
import { addressOf } from '../support/devToolsAddress';
import { BareBrowser } from './bareBrowser';
import { hostOf } from './consoleLine';
import type { Bench } from './context';
import { InPlace } from './inPlace';
import { PushWindow } from './pushWindow';
import { HELD, timed, type ScaleCase } from './scaleCase';
import { Subject } from './subject';
import { attachToWorker } from './workerTarget';

/** Bytes of one item of a storage. */
const ITEM_BYTES = 1000;

/** How long lines may take to come, in milliseconds. */
const LINES_LIMIT_MS = 120_000;

/** Extensions that are loaded at once, and one of how many has a worker. */
const AT_ONCE = 10;
const WITH_WORKER = 20;

async function newBrowser(bench: Bench): Promise<Browser> {
  const { client } = await bench.service();
  return await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
}

async function linkTo(browser: Browser): Promise<BrowserLink> {
  const link = await BrowserLink.open(addressOf(browser));
  atEnd('a connection to a browser', () => {
    link.close();
    return Promise.resolve();
  });
  await link.prepare();
  return link;
}

/** Lines that a worker writes as fast as it can, until the console has come to the last of them. */
export const lines: ScaleCase = {
  things: 'lines of the console',
  full: 100_000,
  figures: { 'to the last': { growth: 12 }, ...HELD },
  prepare: async (bench, count) => {
    const name = `lines-${count}`;
    const subject = await Subject.create(join(bench.root, name), name, await bench.beacon());
    const browser = await newBrowser(bench);
    await new PushWindow((await bench.service()).client, true).push(browser, subject.folder, 'load');
    const devtools = await DevTools.connect(browser.devToolsUrl);
    const worker = await attachToWorker(devtools, subject.id);
    let seen: (text: string) => void = () => undefined;
    const feed = new ConsoleFeed(({ text }) => {
      seen(text);
    });
    const opened = await BrowserConsole.open(addressOf(browser), hostOf(subject, feed));
    atEnd('a console', () => {
      opened.close();
      devtools.close();
      return Promise.resolve();
    });
    let run = 0;
    return async () => {
      run += 1;
      const last = `the last of run ${run}`;
      const { ms, held } = await timed(async () => {
        const written = new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`${last} has not come`)), LINES_LIMIT_MS);
          seen = (text) => {
            if (!text.includes(last)) return;
            clearTimeout(timer);
            resolve();
          };
        });
        await Promise.all([written, worker.evaluate(linesOf(count, last))]);
      });
      return { 'to the last': ms, held };
    };
  },
};

/** Has a worker write lines, and the last one when all are written; it answers meanwhile. */
function linesOf(count: number, last: string): string {
  return `void (async () => {
  for (let at = 0; at < ${count}; at++) {
    console.log('line', at, { at });
    if (at % 1000 === 999) await new Promise((resolve) => setTimeout(resolve));
  }
  console.log('${last}');
})()`;
}

/** A storage area that is read, shown as a document, and of which one item is written. `json` is what V8 needs to write and read the same by itself. */
export const storage: ScaleCase = {
  things: 'MB of storage',
  full: 40,
  figures: {
    read: { growth: 12 },
    document: { of: { figure: 'json', times: 4 } },
    json: {},
    edit: { growth: 12 },
    ...HELD,
  },
  prepare: async (bench, count) => {
    const folder = join(bench.root, `storage-${count}`);
    await mkdir(folder, { recursive: true });
    const permissions = ['storage', 'unlimitedStorage'];
    const manifest = { manifest_version: 3, name: 'Storage', version: '1', permissions };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const link = await linkTo(await newBrowser(bench));
    const page = await HiddenPage.open(link.connection, await loadUnpacked(link.connection, folder));
    if (!page) throw new Error('the extension is not loaded');
    // A little less than the size: keys count, too, and what is larger than 40 MB is not read.
    const items = (count * 1_000_000) / ITEM_BYTES;
    const values = Array.from({ length: items }, (_, at): [string, unknown] => [
      `item ${at}`,
      { text: 'x'.repeat(ITEM_BYTES - 40) },
    ]);
    for (let at = 0; at < items; at += 4000) {
      await writeStorage(page, 'local', { set: new Map(values.slice(at, at + 4000)), remove: [] });
    }
    let edit = 0;
    return async () => {
      let stored: Awaited<ReturnType<typeof readStorage>> = new Map();
      const read = await timed(async () => {
        stored = await readStorage(page, 'local');
      });
      const document = new StorageDocument();
      const opened = await timed(() => document.accept(stored));
      const bytes = document.serve();
      // That of the editor, which makes it by itself.
      const text = Buffer.from(bytes).toString();
      const saved = await timed(async () => {
        if (!document.show(text)) throw new Error('it shows another document');
        const parsed = await parseItems(bytes);
        if (!('items' in parsed)) throw new Error('it is no document');
        document.written(parsed.items, bytes);
        if (await document.accept(stored)) throw new Error('it is another document');
      });
      const written = await timed(() =>
        writeStorage(page, 'local', { set: new Map([['item 0', ++edit]]), remove: [] }),
      );
      const held = Math.max(read.held, opened.held, saved.held, written.held);
      const json = await timed(() => Promise.resolve(JSON.parse(JSON.stringify(Object.fromEntries(stored), null, 2))));
      return { read: read.ms, document: opened.ms + saved.ms, json: json.ms, edit: written.ms, held };
    };
  },
};

const BUILDS = [1, 2].map((version) => ({
  manifest: { name: 'Many', version: String(version), background: { service_worker: 'worker.js' } },
  files: { 'worker.js': `globalThis.build = ${version};` },
}));

/** Pushes to many browsers at once, as the host does them: the browsers and their service are in memory, and answer at once. */
export const browsers: ScaleCase = {
  things: 'browsers in memory',
  full: 50,
  figures: { push: { growth: 12 }, ...HELD },
  prepare: (_bench, count) => {
    const all = Array.from({ length: count }, () => new MemoryPush());
    atEnd('browsers in memory', () => {
      for (const one of all) one.end();
      return Promise.resolve();
    });
    let at = 0;
    return Promise.resolve(async () => {
      at += 1;
      const build = BUILDS[at % BUILDS.length];
      if (!build) throw new Error('there is no build');
      const { ms, held } = await timed(async () => {
        for (const outcome of await Promise.all(all.map((one) => one.push(build)))) {
          if (!outcome.startsWith('running')) throw new Error(outcome);
        }
      });
      return { push: ms, held };
    });
  },
};

/** Pushes to several real Chromiums at once, up to the verified worker in the last of them. */
export const chromiums: ScaleCase = {
  things: 'Chromiums',
  full: 12,
  figures: { push: { growth: 12 }, ...HELD },
  prepare: async (bench, count) => {
    const name = `chromiums-${count}`;
    const subject = await Subject.create(join(bench.root, name), name, await bench.beacon());
    const window = new PushWindow((await bench.service()).client, true);
    const all: Browser[] = [];
    for (let at = 0; at < count; at++) all.push(await newBrowser(bench));
    await window.pushToAll(all, subject.folder, 'load');
    return async () => {
      await subject.saveWorker();
      const { ms, held } = await timed(() => window.pushToAll(all, subject.folder, 'reload'));
      return { push: ms, held };
    };
  },
};

/**
 * Many extensions in one browser: a save of one of them, and the contexts of it. `reload` is how long a Chromium with as many takes by itself, by its
 * page of all extensions, which lists them.
 */
export const extensions: ScaleCase = {
  things: 'extensions in a browser',
  full: 200,
  figures: { save: { of: { figure: 'reload', times: 1 } }, reload: {}, contexts: { growth: 5 }, ...HELD },
  prepare: async (bench, count) => {
    const [{ client }, beacon, name] = [await bench.service(), await bench.beacon(), `extensions-${count}`];
    const create = (of: string): Promise<Subject> => Subject.create(join(bench.root, of), of, beacon);
    const [subject, bareSubject] = [await create(name), await create(`bare-${name}`)];
    const pushed = await InPlace.prepare(client, subject, beacon);
    const link = await linkTo(pushed.browser);
    const bare = await BareBrowser.start(bench.executable, join(bench.root, `${name}-browser`), bareSubject, beacon);
    const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
    await pLimit(AT_ONCE).map(others, async (at) => {
      const folder = join(bench.root, `${name}-${at}`);
      await writeOther(folder, at);
      await Promise.all([loadUnpacked(link.connection, folder), bare.add(folder)]);
    });
    return async () => {
      let save = 0;
      const saved = await timed(async () => {
        save = await pushed.worker();
      });
      const contexts = await timed(() => listContexts(link, subject.id));
      const reload = await bare.reload();
      return { save, reload, contexts: contexts.ms, held: Math.max(saved.held, contexts.held) };
    };
  },
};

async function writeOther(folder: string, at: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Each worker is a process of its own, of which no machine has hundreds.
  const background = at % WITH_WORKER === 0 ? { background: { service_worker: 'worker.js' } } : {};
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ manifest_version: 3, name: `Other ${at}`, version: '1', ...background }),
  );
  await writeFile(join(folder, 'worker.js'), `globalThis.at = ${at};`);
}
