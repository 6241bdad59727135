import { join } from 'node:path';
import { Location, Position, TestMessage, Uri, type TestController, type TestItem, type TestRun } from 'vscode';
import type { Browser } from '../../service/model';
import { SMOKE_TEST_IDS, type SmokeResult, type SmokeTestId } from '../../programs/headless/smokeNames';
import { browserLabel } from '../lists/labels';
import { numberedItem } from '../numberedItem';
import { terminalText } from '../plainText';
import * as l10n from '@vscode/l10n';

/** The place at the beginning of a line of a failure. */
const PLACE = /^(\S.*?):(\d+):(\d+) /m;

/** The item of an extension, by its path, with one for each test. */
export function extensionItem(controller: TestController, path: string, label: string): TestItem {
  return numberedItem(controller, path, label, { ids: SMOKE_TEST_IDS, titleOf: testTitle });
}

/** The browser whose results an item stands for, by its id; undefined for one that stands for all. */
export function browserOf(item: TestItem): string | undefined {
  return item.parent?.parent && item.id.slice(item.parent.id.length + 1);
}

/** The items of one extension for a run: a row for each test, and with several browsers below it one for each browser. */
export class TestRows {
  /** The browsers that there are rows for; undefined when the rows of the tests have the results. */
  readonly #columns: ReadonlySet<string> | undefined;

  constructor(
    controller: TestController,
    private readonly extension: TestItem,
    browsers: readonly Browser[],
  ) {
    const shown = shownBrowsers(extension);
    const isShown = browsers.every(({ id }) => shown.has(id));
    if (browsers.length > 1 || !isShown) this.#draw(controller, browsers);
    this.#columns = browsers.length > 1 || (isShown && shown.size > 0) ? shownBrowsers(extension) : undefined;
  }

  /** The row of each test of a browser. */
  of({ id: browserId }: Browser): TestItem[] {
    return SMOKE_TEST_IDS.flatMap((id) => this.#row(id, browserId) ?? []);
  }

  /** Shows a result in its row; a failure at the line of its first error. `root`: what the paths of errors are relative to. */
  report(run: TestRun, browser: Browser, result: SmokeResult, root: string): void {
    const row = this.#row(result.id, browser.id);
    if (!row) return;
    if (result.state === 'failed') run.failed(row, messageOf(browser, result, root), result.ms);
    else if (result.state === 'outdated') run.errored(row, messageOf(browser, result, root), result.ms);
    else if (result.state === 'passed') run.passed(row, result.ms);
    else run.skipped(row);
    const note = result.state === 'failed' || result.state === 'outdated' ? '' : result.message;
    if (note === '') return;
    const line = terminalText(`${browserLabel(browser)}: ${testTitle(result.id)}: ${note}\n`);
    // oxlint-disable-next-line no-restricted-properties -- it is the text of terminalText
    run.appendOutput(line, undefined, row);
  }

  #row(id: SmokeTestId, browserId: string): TestItem | undefined {
    const test = this.extension.children.get(`${this.extension.id}#${id}`);
    return this.#columns ? test?.children.get(`${test.id}@${browserId}`) : test;
  }

  #draw(controller: TestController, browsers: readonly Browser[]): void {
    const columns = browsers.length > 1 ? browsers : [];
    this.extension.children.forEach((test) => {
      test.children.replace(
        columns.map((browser) =>
          controller.createTestItem(`${test.id}@${browser.id}`, browserLabel(browser), test.uri),
        ),
      );
    });
  }
}

function shownBrowsers(extension: TestItem): Set<string> {
  const shown = new Set<string>();
  extension.children.forEach((test) => test.children.forEach((row) => shown.add(browserOf(row) ?? '')));
  return shown;
}

function messageOf(browser: Browser, { message }: SmokeResult, root: string): TestMessage {
  const text = new TestMessage(`${browserLabel(browser)}: ${message}`);
  const [, file, line, column] = PLACE.exec(message) ?? [];
  if (file !== undefined) {
    text.location = new Location(Uri.file(join(root, file)), new Position(Number(line) - 1, Number(column) - 1));
  }
  return text;
}

function testTitle(id: SmokeTestId): string {
  return {
    loads: l10n.t('Chromium loads it'),
    worker: l10n.t('Its service worker starts'),
    alone: l10n.t('No other copy of it runs'),
    wakes: l10n.t('Its service worker starts again after an idle stop'),
    popup: l10n.t('Its popup opens without an error'),
    options: l10n.t('Its options page opens without an error'),
    sidePanel: l10n.t('Its side panel opens without an error'),
    content: l10n.t('Its content scripts run on a page that matches'),
    quiet: l10n.t('It has no error for 5 s'),
  }[id];
}
