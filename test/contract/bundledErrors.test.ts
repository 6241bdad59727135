// Covers: test/fixtures/bundles, src/devtools/errors/errorTrace.ts, src/devtools/errors/errorTraces.ts, src/sources
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { locateError } from '../../src/console/errorSpots';
import { essenceOf, type ExtensionErrors, type PartError } from '../../src/console/extensionErrors';
import { TestEngine } from '../support/testEngine';
import { silentLogger } from '../../src/service/logger';
import { type Site, startSite } from '../standins/site';
import { dose } from '../runner/seed';
import { ErrorEvents } from '../support/errorEvents';
import { eventually } from '../support/eventually';
import {
  AT_START,
  BUNDLERS,
  type Bundler,
  OUTPUT,
  PARTS,
  useBuild,
  WAYS,
  writeProject,
} from '../support/faultProjects';
import { DevTools } from './devtools';
import { PushStage } from './pushStage';

/** How long errors may take to be reported, in milliseconds. */
const SOON_MS = 30_000;

/** The errors of all parts, as `lineOf` writes them. */
const EXPECTED = [...PARTS.flatMap((part) => WAYS.map((way) => `${part}: ${way}`)), AT_START].sort();

/** The longest line of a source, in characters; that of a minified build has the texts of all errors. */
const MAX_LINE = 400;

/** What an error says, and the text of the line that it is at: the same where the place is right. */
async function lineOf(error: PartError, root: string, folder: string, extensionId: string): Promise<string> {
  const { file, start } = await locateError(error, { folder, root, extensionId });
  const [said = error.text] = /\b\w+: \w+$/.exec(essenceOf(error.text)) ?? [];
  const line = (await readFile(file, 'utf8').catch(() => '')).split('\n')[start.line] ?? '';
  const [, way = ''] = said.split(': ');
  const isThere = line.length <= MAX_LINE && (line.includes(said) || line.includes(`\${part}: ${way}`));
  const times = error.count === 1 ? '' : ` ${error.count} times`;
  return `${said}${isThere ? '' : ` @ ${relative(root, file)}:${start.line + 1}`}${times}`;
}

/** Adds what the extension reports to `found`. */
function listen(at: PushStage): ReadonlyMap<string, ExtensionErrors> {
  const { found, events } = new ErrorEvents();
  at.engine.dispose();
  at.engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, eventsOf: () => events });
  return found;
}

/** Empties all scripts of a build. */
async function repair(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (path.endsWith('.js')) await writeFile(join(folder, path), '// repaired\n');
  }
}

describe('the errors of an extension that was built', function () {
  // With the full doses, bundlers come from npm.
  this.timeout(dose(120_000, 900_000));
  const stage = PushStage.forSuite();
  let site: Site;

  before(async () => {
    site = await startSite();
  });
  after(() => {
    site.close();
  });

  for (const bundler of BUNDLERS) {
    it(`with ${bundler} are in all parts at their lines, in whatever way it fails, each once, until it is repaired`, async () => {
      const at = stage();
      await checkErrors(at, bundler, site.url);
    });
  }
});

async function checkErrors(at: PushStage, bundler: Bundler, site: string): Promise<void> {
  // Bundlers find nothing of the folder of the stage there.
  const root = join(at.folder, 'project');
  await writeProject(root, bundler);
  await useBuild(root, bundler);
  const folder = join(root, OUTPUT[bundler]);
  const found = listen(at);
  const { extensionId } = await at.mustRun({ folder, tabs: 'none' });
  const devtools = await DevTools.connect(at.browser.devToolsUrl);
  const opened: string[] = [];
  const open = async (url: string): Promise<void> => {
    const { targetId } = await devtools.result('Target.createTarget', { url });
    opened.push(String(targetId));
  };
  for (const url of [site, ...(await pagesOf(folder)).map((page) => `chrome-extension://${extensionId}/${page}`)]) {
    await open(url);
  }
  await openOffscreen(at, folder);
  const errors = (): readonly PartError[] => found.get(extensionId)?.all ?? [];
  const lines = async (): Promise<string[]> => {
    const all = await Promise.all(errors().map((error) => lineOf(error, root, folder, extensionId)));
    return all.sort();
  };
  const isAll = async (): Promise<boolean> => JSON.stringify(await lines()) === JSON.stringify(EXPECTED);
  await eventually(async () => JSON.stringify(await lines()), isAll, SOON_MS).catch(() => undefined);
  assert.deepEqual(await lines(), EXPECTED);

  for (const targetId of opened) await devtools.closePage(targetId);
  await repair(folder);
  await at.mustRun({ folder, tabs: 'none' });
  await open(site);
  devtools.close();
  const isGone = (): boolean => errors().length === 0;
  await eventually(async () => JSON.stringify(await lines()), isGone, SOON_MS);
}

/** The pages that a built manifest names. */
async function pagesOf(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8');
  return [...text.matchAll(/"([^"]+\.html)"/g)].flatMap(([, page = '']) => (OFFSCREEN.test(page) ? [] : page));
}

/** The page that the worker opens where nobody sees it; a bundler may add a digest to its name. */
const OFFSCREEN = /(?:^|\/)offscreen\b.*\.html$/;

async function openOffscreen(at: PushStage, folder: string): Promise<void> {
  const url =
    (await readdir(folder, { recursive: true })).find((name) => OFFSCREEN.test(name)) ??
    assert.fail('There is no such page.');
  const options = JSON.stringify({ url, reasons: ['DOM_PARSER'], justification: 'It fails.' });
  // Its promise is not awaited: it may take longer than an answer of the worker.
  await at.ask(`(chrome.offscreen.createDocument(${options}).catch(() => 0), true)`);
}
