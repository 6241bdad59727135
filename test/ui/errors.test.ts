// Covers: src/editor/problems, src/editor/console, src/console
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { PROBLEMS, QUICK_INPUT, ROW_TEXTS } from '../workbench/phrases';
import { createPushed, deleteBrowser, openBrowsers, pushByRow } from '../workbench/pushing';
import { eventually } from '../support/eventually';
import type { Witness } from '../workbench/observer';
import { CACHE } from '../support/paths';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';

const BROWSER = 'ui-errors';
const OTHER = 'ui-faults';

/** Longest time for an error in the browser to be shown, in milliseconds. */
const SHOWN_LIMIT_MS = 30_000;

/** Throws when it is called, so that nothing else decides how often. */
const FAILING = `
globalThis.fail = () => setTimeout(() => {
  throw new Error('on request');
}) > 0;
`;

describe('the errors after a push', () => {
  let shared: SharedWindow;
  let pushes: View;
  let file: string;
  let good: string;
  /** By the name of their browser. */
  const witnesses = new Map<string, Witness>();
  let hasOther = false;

  before(async function () {
    shared = await sharedWindow(this);
    file = join(shared.folder, 'background.js');
    good = await readFile(file, 'utf8');
    await create(BROWSER);
  });

  after(async function () {
    this.timeout(120_000);
    await writeFile(file, good);
    for (const witness of witnesses.values()) await witness.close();
    if (hasOther) await deleteBrowser(shared.workbench, OTHER);
    await deleteBrowser(shared.workbench, BROWSER);
  });

  async function create(browser: string): Promise<void> {
    const [witness] = await createPushed(shared, browser);
    witnesses.set(browser, witness);
  }

  async function push(text: string): Promise<void> {
    await writeFile(file, text);
    const { succeeded, status } = await pushByRow(shared.workbench, BROWSER);
    assert.ok(succeeded, status);
  }

  /** Has the worker in a browser throw. */
  async function fail(browser: string): Promise<void> {
    const witness = witnesses.get(browser) ?? assert.fail(`${browser} is not there`);
    const [sample] = await witness.extensions();
    assert.equal(await witness.inWorker(sample?.id ?? '', 'fail()'), true);
  }

  /** Waits for the entry of the requested errors, which is the only one. */
  async function untilOneEntry(browsers: readonly string[], times: number): Promise<void> {
    const { problems } = shared.workbench;
    await problems.open();
    await problems.waitFor(PROBLEMS.errorIn('Uncaught Error: on request', browsers, times), SHOWN_LIMIT_MS);
    const found = (await problems.read()).filter(({ message }) => message.includes('on request'));
    assert.equal(found.length, 1, found.map(({ message }) => message).join('\n'));
  }

  it('are entries of Problems at their lines, counted, with their part and browser', async () => {
    const { workbench } = shared;
    await push(`${good}\nsetTimeout(() => {\n  throw new Error('later');\n}, 500);\n`);
    const line = good.split('\n').length + 2;
    await workbench.problems.open();
    const error = PROBLEMS.errorIn('Uncaught Error: later', [BROWSER]);
    await workbench.problems.waitFor(error, SHOWN_LIMIT_MS);
    const found = (await workbench.problems.read()).filter(({ message }) => error.test(message));
    assert.deepEqual(
      found.map(({ file, line }) => [file, line]),
      [['background.js', line]],
    );
  });

  it('are counted in the row of the push', async () => {
    const { workbench } = shared;
    await openBrowsers(workbench);
    pushes = workbench.view(viewTitle(VIEWS.pushes));
    await pushes.open();
    await pushes.waitForRow(ROW_TEXTS.errorsSince(BROWSER), SHOWN_LIMIT_MS);
    assert.match((await pushes.rows())[0] ?? '', ROW_TEXTS.push('1.0.0', BROWSER));
    await workbench.picture(join(CACHE, 'pictures', 'pushes.png'));
  });

  it('lead to the files that have changed since an earlier push', async () => {
    const { quickInput } = shared.workbench;
    await pushes.clickRowAction(ROW_TEXTS.errorsSince(BROWSER), commandTitle(COMMANDS.comparePushes));
    await quickInput.pick(BROWSER);
    const asksForFile = async (): Promise<boolean> => QUICK_INPUT.oneChanged.test(await quickInput.opened());
    await eventually(() => quickInput.opened(), asksForFile, SHOWN_LIMIT_MS);
    assert.deepEqual(await quickInput.entries(), ['background.jschanged']);
    await quickInput.accept();
    await shared.workbench.page.getByRole('tab', { name: /background\.js/ }).waitFor();
  });

  it('are one entry for two browsers, which names both and counts their sum', async () => {
    hasOther = true;
    await push(good + FAILING);
    await create(OTHER);
    await fail(OTHER);
    await untilOneEntry([OTHER], 1);
    await fail(BROWSER);
    await fail(BROWSER);
    await untilOneEntry([BROWSER, OTHER], 3);
    // Both are the same error.
    await pushes.waitForRow(ROW_TEXTS.errorsSince(BROWSER), SHOWN_LIMIT_MS);
    await pushes.waitForRow(ROW_TEXTS.errorsSince(OTHER), SHOWN_LIMIT_MS);
    await shared.workbench.picture(join(CACHE, 'pictures', 'errors-in-two.png'));
  });

  it('stay for one browser when the other has got the next push', async () => {
    await push(good);
    await untilOneEntry([OTHER], 1);
  });

  it('that stop the worker in both browsers are one entry alone, which names both', async () => {
    const { workbench } = shared;
    await writeFile(file, `${good}\nthrow new Error('at the start');\n`);
    // Pushes go on to the browser that got the last build, of which the status bar speaks.
    assert.ok(!(await pushByRow(workbench, BROWSER)).succeeded);
    await (await openBrowsers(workbench)).clickRowAction(OTHER, commandTitle(COMMANDS.pushToRow));
    for (const browser of [BROWSER, OTHER]) await pushes.waitForRow(ROW_TEXTS.workerFailed(browser), SHOWN_LIMIT_MS);
    const { problems } = workbench;
    await problems.open();
    await problems.waitFor(PROBLEMS.workerFailed('Error: at the start', [BROWSER, OTHER]), SHOWN_LIMIT_MS);
    await problems.waitForNone('on request', SHOWN_LIMIT_MS);
    await workbench.picture(join(CACHE, 'pictures', 'worker-failed-in-two.png'));
    const found = await problems.read();
    assert.equal(found.length, 1, found.map(({ message }) => message).join('\n'));
    await workbench.clearNotifications();
  });

  it('leave nothing when their file is edited', async () => {
    const { editors, page, problems } = shared.workbench;
    await editors.open('background.js');
    // One change: the next one would remove what the first has left.
    await page.keyboard.insertText('x');
    await problems.waitForNone(PROBLEMS.ofWorkerFailure, SHOWN_LIMIT_MS);
    assert.deepEqual(await problems.read(), []);
    await editors.discard();
  });

  it('go with their browser when it is deleted', async () => {
    await push(good + FAILING);
    assert.ok((await pushByRow(shared.workbench, OTHER)).succeeded);
    for (const browser of [BROWSER, OTHER]) await fail(browser);
    await untilOneEntry([BROWSER, OTHER], 2);
    await deleteBrowser(shared.workbench, OTHER);
    hasOther = false;
    await untilOneEntry([BROWSER], 1);
  });

  it('are gone after the next push', async () => {
    await push(good);
    const { problems } = shared.workbench;
    await problems.open();
    await problems.waitForNone('on request', SHOWN_LIMIT_MS);
  });
}).timeout(120_000);
