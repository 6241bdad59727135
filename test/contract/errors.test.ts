import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { locateError } from '../../src/console/errorSpots';
import { essenceOf, type ExtensionErrors, type PartError } from '../../src/console/extensionErrors';
import { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import type { ExtensionError } from '../../src/devtools/errors/errorReports';
import { TestEngine } from '../support/testEngine';
import { silentLogger } from '../../src/service/logger';
import { ErrorEvents } from '../support/errorEvents';
import { eventually } from '../support/eventually';
import { type Site, startSite } from '../standins/site';
import { DevTools } from './devtools';
import { buildFaults } from './errors.fixture';
import { byUpload, zipOf } from './pushes';
import { PushStage } from './pushStage';

/** How long errors may take to be reported, in milliseconds. */
const SOON_MS = 30_000;

/** How long Chromium lets an idle worker live, in milliseconds, and how much later its end may be seen. */
const IDLE_MS = { least: 28_000, most: 40_000 };

/** What each part reports: the text without the name of the part, and the place by the source map of its bundle. */
const CONTENT = [
  'error console.error [object Object] @ faults.ts:8',
  'warning console.warn @ faults.ts:9',
  'error console.assert @ faults.ts:10',
];
/** Chromium's list has no column of uncaught errors and of those of workers; the inspector has. */
const UNCAUGHT = ['error thrown later @ faults.ts:12', 'error rejected @ faults.ts:15'];
const IN_PAGE = [
  'error console.error [object Object] @ page.js:4',
  'warning console.warn @ page.js:5',
  'error console.assert @ page.js:6',
  'error thrown later @ page.js:8',
  'error rejected @ page.js:11',
  'error thrown at once @ page.js:18',
];
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  content: [...CONTENT, ...UNCAUGHT],
  'main world': [...CONTENT, ...UNCAUGHT],
  worker: [
    'error console.error [object Object] @ faults.ts:8',
    'error console.assert @ faults.ts:10',
    ...UNCAUGHT,
    'error Unchecked runtime.lastError: No tab with id: 999999. @ manifest.json:7',
    'error thrown in a listener @ worker.ts:11 2 times',
  ],
  popup: IN_PAGE,
  panel: IN_PAGE,
  offscreen: IN_PAGE,
  options: [...IN_PAGE, 'error Executing inline script @ options.html:4 2 times'],
};

/** An extension that faults all the time, beside the pushed one. */
const OTHER = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Other',
    version: '1',
    background: { service_worker: 'worker.js' },
    content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
  }),
  'worker.js': "setInterval(() => { console.error('other'); Promise.reject(new Error('other')); }, 100);",
  'content.js': "console.error('other content'); throw new Error('other content');",
};

/** An engine for the stage, and the errors of each extension that it reports. */
function listen(at: PushStage): ReadonlyMap<string, ExtensionErrors> {
  const { found, events } = new ErrorEvents();
  at.engine.dispose();
  at.engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, eventsOf: () => events });
  return found;
}

/** An error in the form of the table above. */
async function lineOf(error: PartError, folder: string, extensionId: string): Promise<string> {
  const { file, start } = await locateError(error, { folder, root: folder, extensionId });
  const times = error.count === 1 ? '' : ` ${error.count} times`;
  const text = essenceOf(error.text)
    .replace(/^(?:Error in event handler: )?Error: /, '')
    .replace(/^(?:content|main world|worker|popup|panel|offscreen|options): /, '')
    .replace(/^(Executing inline script) .*/s, '$1');
  return `${error.isWarning ? 'warning' : 'error'} ${text} @ ${basename(file)}:${start.line + 1}${times}`;
}

/** The part of the fixture that an error names, or that Chromium says it is in. */
function partOf({ text, part }: PartError): string {
  const [named] = /\b(?:content|main world|worker|popup|panel|offscreen|options)(?=: )/.exec(text) ?? [];
  return named ?? (part.kind === 'page' ? basename(part.path, '.html') : part.kind);
}

describe('the errors of a pushed extension', function () {
  this.timeout(90_000);
  const stage = PushStage.forSuite();
  let site: Site;

  before(async () => {
    site = await startSite();
  });
  after(() => {
    site.close();
  });

  it('are those that Chromium lists, in every part, each once and at its source, until the next push', async () => {
    const at = stage();
    const { client, browser, folder } = at;
    await client.uploadExtensionsToBrowser(browser.id, [{ name: 'other', zip: await zipOf(OTHER) }]);
    const found = listen(at);
    await buildFaults(folder);
    const { extensionId } = await at.mustRun(byUpload);
    const devtools = await DevTools.connect(browser.devToolsUrl);
    const urlOf = (page: string): string => `chrome-extension://${extensionId}/${page}.html`;
    const opened: string[] = [];
    const open = async (url: string): ReturnType<DevTools['attachTo']> => {
      const { targetId } = await devtools.result('Target.createTarget', { url });
      opened.push(String(targetId));
      return await devtools.attachTo(String(targetId));
    };
    const errors = (): readonly PartError[] => found.get(extensionId)?.all ?? [];
    const linesOf = async (all = errors()): Promise<Record<string, string[]>> => {
      const lines: Record<string, string[]> = {};
      for (const error of all) (lines[partOf(error)] ??= []).push(await lineOf(error, folder, extensionId));
      return Object.fromEntries(Object.entries(lines).map(([part, list]) => [part, list.sort()]));
    };
    const expected = Object.fromEntries(Object.entries(EXPECTED).map(([part, list]) => [part, [...list].sort()]));

    for (const url of [site.url, urlOf('popup'), urlOf('panel')]) await open(url);
    const options = await open(urlOf('options'));
    await eventually('the options page faults', () => errors().some(({ text }) => text.includes('options')), SOON_MS);
    await options.evaluate(
      "chrome.offscreen.createDocument({ url: 'offscreen.html', reasons: ['DOM_PARSER'], justification: 'test' })",
    );
    for (const message of ['fault', 'unchecked', 'listener', 'listener']) {
      await options.evaluate(`void chrome.runtime.sendMessage('${message}').catch(() => undefined)`);
    }
    const isAll = async (): Promise<boolean> => {
      try {
        assert.deepEqual(await linesOf(), expected);
        return true;
      } catch {
        return false;
      }
    };
    await eventually(async () => JSON.stringify(await linesOf(), null, 1), isAll, SOON_MS);
    assert.deepEqual(await linesOf(), expected);
    assert.deepEqual([...found.keys()], [extensionId], 'errors of another extension');

    const listed = (await at.engine.connections
      .of(at.client)
      .use(browser, (link) =>
        link.evaluateOnExtensionsPage(
          `chrome.developerPrivate.getExtensionInfo('${extensionId}').then((info) => [...info.manifestErrors, ...info.runtimeErrors])`,
        ),
      )) as (Pick<ExtensionError, 'id'> & { message: string; occurrences?: number })[];
    const known = new Set(errors().map(({ text }) => essenceOf(text)));
    const missed = listed.filter(({ message }) => !known.has(essenceOf(message.replace(/\n\s+at [\s\S]*$/, ''))));
    assert.deepEqual(missed, []);
    const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
    assert.equal(sum(errors().map(({ count }) => count)), sum(listed.map(({ occurrences = 1 }) => occurrences)));

    // Another window takes no error of the list for another one when the inspector of the worker repeats it.
    const others = new ErrorEvents();
    let hasRepeated = false;
    const onErrors: typeof others.events.onErrors = (of, report) => {
      others.events.onErrors?.(of, report);
      hasRepeated ||= report.traces.some(({ isListed }) => isListed === 'unsure');
    };
    const window = new BrowserConnections(client.baseUrl, () => Infinity, { ...others.events, onErrors });
    try {
      window.watchErrors(browser, extensionId);
      await window.use(browser, () => Promise.resolve());
      await eventually('the worker repeats its errors', () => hasRepeated, SOON_MS);
      const { worker } = await linesOf(others.found.get(extensionId)?.all);
      assert.deepEqual(worker, expected['worker']);
    } finally {
      window.dispose();
    }

    // A push reloads the pages that are open, which have their errors again; what has not changed has the errors that it had.
    await options.evaluate('chrome.offscreen.closeDocument()');
    for (const targetId of opened) await devtools.closePage(targetId);
    devtools.close();
    const old = (): PartError[] => errors().filter(({ text }) => /thrown|rejected|console\./.test(text));
    const before = old();
    await at.mustRun({ tabs: 'none' });
    assert.deepEqual(old(), before);
    await at.write('options.html', '<title>Another title</title>');
    await at.mustRun({ tabs: 'none' });
    await eventually(
      () => `after a push of a page: ${JSON.stringify(old())}`,
      () => old().length > 0 && !old().some(({ part }) => part.kind === 'page'),
      SOON_MS,
    );
    await at.write('worker.js', "console.error('the next build');");
    await at.mustRun({ tabs: 'none' });
    const isNext = (): boolean => errors().some(({ text }) => text === 'the next build');
    await eventually('the errors of the next build', isNext, SOON_MS);
    assert.deepEqual(old(), []);
  });

  it('are no errors where Chromium only warns of the manifest', async () => {
    const at = stage();
    const found = listen(at);
    await at.editManifest({ background: { service_worker: 'background.js', scripts: ['background.js'] } });
    const { extensionId } = await at.mustRun();
    const errors = (): readonly PartError[] => found.get(extensionId)?.all ?? [];
    await eventually('the warning', () => errors().length > 0, SOON_MS);
    assert.deepEqual(
      errors().map(({ part, isWarning }) => [part.kind, isWarning]),
      [['manifest', true]],
    );
  });

  it('are all counted from the first load in a new browser on, also in a storm, while the worker may fall asleep', async () => {
    const at = stage();
    const found = listen(at);
    await at.write(
      'background.js',
      'console.error("at start"); globalThis.storm = () => { for (let i = 0; i < 2000; i += 1) console.error("storm"); };',
    );
    const { extensionId } = await at.mustRun();
    await at.ask('setTimeout(storm)');
    const errorOf = (wanted: string): PartError | undefined =>
      found.get(extensionId)?.all.find(({ text }) => text === wanted);
    const storm = (): PartError | undefined => errorOf('storm');
    await eventually(
      () => JSON.stringify(storm()),
      () => storm()?.count === 2000,
      SOON_MS,
    );
    assert.equal(errorOf('at start')?.count, 1);
    // A call of the extension's API counts as an event of the worker.
    const asked = Date.now();
    await at.ask('chrome.runtime.getPlatformInfo().then(() => console.error("after the storm") ?? 1)');
    const isAfter = (): boolean => found.get(extensionId)?.all.some(({ text }) => text === 'after the storm') ?? false;
    await eventually('the error after the storm', isAfter, SOON_MS);
    const workers = await at.engine.connections.of(at.client).use(at.browser, (link) => link.workers());
    const status = (): string | undefined => workers?.stateOf(extensionId)?.status;
    assert.equal(status(), 'running');
    await eventually('the worker is asleep', () => status() === 'stopped', IDLE_MS.most);
    const sleptAfter = (workers?.stateOf(extensionId)?.since ?? 0) - asked;
    assert(sleptAfter >= IDLE_MS.least && sleptAfter <= IDLE_MS.most, `it slept after ${sleptAfter} ms`);
  });
});
