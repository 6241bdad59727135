import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attach } from '../../src/devtools/protocol/attach';
import { peek } from '../../src/devtools/protocol/evaluate';
import { type Site, startSite } from '../standins/site';
import { eventually } from '../support/eventually';
import { PushStage } from './pushStage';

/** How long a page may take to run what was pushed, in milliseconds. */
const SHOWN_LIMIT_MS = 10_000;

/** How long the worker takes until it registers its content script, in milliseconds: longer than a tab takes to be reloaded. */
const REGISTERING_MS = 500;

const MATCHES = ['http://127.0.0.1/*'];

/** Brings a script into the page by an element, and removes that when it has run. */
const BY_ELEMENT = `
const script = document.createElement('script');
script.src = chrome.runtime.getURL('shown.js');
script.onload = () => script.remove();
document.head.append(script);`;

const BY_IMPORT = `import(chrome.runtime.getURL('lib/shown.js'));`;

const BY_FETCH = `fetch(chrome.runtime.getURL('shown.txt')).then((answer) => answer.text()).then((text) => (document.title = text));`;

describe('a push of a file that is not declared, with a tab that has it', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let site: Site;

  before(async () => {
    site = await startSite('<title>Site</title>');
  });

  after(() => {
    site.close();
  });

  /** Opens the site in a tab, and resolves to what asks the page there. */
  async function openTab(): Promise<(expression: string) => Promise<unknown>> {
    const { targetId } = await stage().look((connection) => connection.send('Target.createTarget', { url: site.url }));
    return (expression) =>
      stage().look(async (connection) => {
        const session = await attach(connection, targetId);
        return session && (await peek(session, expression));
      });
  }

  const shows = async (inTab: (expression: string) => Promise<unknown>, title: string): Promise<void> => {
    let seen: unknown;
    const isShown = async (): Promise<boolean> => (seen = await inTab('document.title')) === title;
    await eventually(() => `the tab shows "${String(seen)}", not "${title}"`, isShown, SHOWN_LIMIT_MS);
  };

  for (const [how, script, file] of [
    ['an element of the page', BY_ELEMENT, 'shown.js'],
    ['an import', BY_IMPORT, 'lib/shown.js'],
    ['a fetch', BY_FETCH, 'shown.txt'],
  ] as const) {
    it(`has the tab show it when a content script loads it by ${how}, and leaves the tab when another file has changed`, async () => {
      const at = stage();
      const textOf = (title: string): string => (file.endsWith('.txt') ? title : `document.title = '${title}';`);
      await at.editManifest({
        content_scripts: [{ matches: MATCHES, js: ['own.js'] }],
        web_accessible_resources: [{ resources: ['*'], matches: MATCHES }],
      });
      await at.write('own.js', script);
      await mkdir(join(at.folder, 'lib'), { recursive: true });
      await at.write(file, textOf('first'));
      await at.mustRun();
      const inTab = await openTab();
      await shows(inTab, 'first');
      await at.write('other.js', 'void 0;');
      await inTab('globalThis.isKept = true');
      await at.mustRun();
      assert.equal(await inTab('globalThis.isKept'), true);
      await at.write(file, textOf('second'));
      await at.mustRun();
      await shows(inTab, 'second');
    });
  }

  it('has the tab run a script that the manifest names from now on', async () => {
    const at = stage();
    await at.editManifest({ content_scripts: undefined, host_permissions: MATCHES });
    await at.write('own.js', "document.title = 'declared';");
    await at.mustRun();
    const inTab = await openTab();
    await shows(inTab, 'Site');
    await at.editManifest({ content_scripts: [{ matches: MATCHES, js: ['own.js'] }] });
    await at.mustRun();
    await shows(inTab, 'declared');
  });

  describe('that the extension registers as a content script', () => {
    /** A worker that registers it some time after it was installed. */
    const workerOf = (build: number): string => `
      globalThis.BUILD = ${build};
      chrome.runtime.onInstalled.addListener(async () => {
        await new Promise((resolve) => setTimeout(resolve, ${REGISTERING_MS}));
        await chrome.scripting.registerContentScripts([${JSON.stringify({ id: 'own', matches: MATCHES, js: ['own.js'] })}]);
      });`;

    beforeEach(async () => {
      const at = stage();
      await at.editManifest({ content_scripts: undefined, permissions: ['scripting'], host_permissions: MATCHES });
      await at.write('own.js', "document.title = 'first';");
      await at.write('background.js', workerOf(1));
      await at.mustRun();
      const count = 'chrome.scripting.getRegisteredContentScripts().then((all) => all.length)';
      await eventually('the script is registered', async () => (await at.ask(count)) === 1, SHOWN_LIMIT_MS);
    });

    it('has the tab run it once it is registered again', async () => {
      const at = stage();
      const inTab = await openTab();
      await shows(inTab, 'first');
      await at.write('own.js', "document.title = 'second';");
      await at.mustRun();
      await shows(inTab, 'second');
    });

    it('has the tab run it also when the worker has changed, too', async () => {
      const at = stage();
      const inTab = await openTab();
      await shows(inTab, 'first');
      await at.write('own.js', "document.title = 'second';");
      await at.write('background.js', workerOf(2));
      await at.mustRun();
      await shows(inTab, 'second');
    });

    it('reloads the extension where that is demanded and only a page’s script has changed', async () => {
      const at = stage();
      await at.ask('globalThis.isKept = true');
      await at.write('page.js', 'void 0;');
      assert.equal((await at.mustRun()).reload, 'pages');
      assert.equal(await at.ask('globalThis.isKept === true'), true);
      await at.write('page.js', 'void 1;');
      assert.equal((await at.mustRun({ mustReload: true })).reload, 'reload');
      assert.equal(await at.ask('globalThis.isKept === true'), false);
    });
  });
});
