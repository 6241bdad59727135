import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import {
  Disposable,
  Location,
  Position,
  TestMessage,
  TestRunProfileKind,
  tests,
  Uri,
  workspace,
  type CancellationToken,
  type TestController,
  type TestItem,
  type TestRun,
  type TestRunRequest,
  type WorkspaceFolder,
} from 'vscode';
import { SETTINGS } from '../../ids';
import type { BrowserSession } from '../../service/model';
import { SMOKE_TEST_IDS, type SmokeResult } from '../../tools/smokeNames';
import { EditorWindow } from '../agents/editorWindow';
import { signalOf } from '../cancellation';
import { findExtensionFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { sentenceFor } from '../messages';
import type { PushParts } from '../push/pushParts';
import { browsersToRun } from '../push/runBrowsers';
import { testTitle } from './testTitles';

/** The place at the beginning of a line of a failure. */
const PLACE = /^(\S.*?):(\d+):(\d+) /m;

/** The results of one test in several browsers. */
type ByBrowser = readonly { session: BrowserSession; result: SmokeResult }[];

/** The smoke tests of the extensions in the workspace, in the Test view. There is none in a window without an extension. */
export class TestFeature implements Disposable {
  readonly #parts: PushParts;
  readonly #subscriptions: Disposable;
  #controller: TestController | undefined;

  constructor(parts: PushParts) {
    this.#parts = parts;
    const find = (): void => {
      this.#find().catch((error: unknown) => {
        parts.log.debug(`The tests are not listed: ${String(error)}`);
      });
    };
    this.#subscriptions = Disposable.from(
      workspace.onDidChangeWorkspaceFolders(find),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS.folder)) find();
      }),
      // A push shows that there is an extension, which may have been built just now.
      parts.history.onDidChange(() => {
        if (!this.#controller) find();
      }),
    );
    find();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#controller?.dispose();
  }

  async #find(): Promise<void> {
    const { workspaceState } = this.#parts.context;
    const onDisk = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const found = await Promise.all(
      onDisk.map((folder) => findExtensionFolder(folder, workspaceState, false).catch(() => undefined)),
    );
    const extensions = found.filter((extension) => extension !== undefined);
    if (extensions.length === 0 && !this.#controller) return;
    const controller = (this.#controller ??= this.#create());
    const known = new Set<string>();
    controller.items.forEach(({ id }) => known.add(id));
    for (const { path, workspaceFolder } of extensions) {
      if (!known.delete(path)) controller.items.add(itemOf(controller, path, workspaceFolder));
    }
    for (const id of known) controller.items.delete(id);
  }

  #create(): TestController {
    const controller = tests.createTestController('sideload', 'Sideload');
    controller.createRunProfile(
      l10n.t('Run in the Chosen Browsers'),
      TestRunProfileKind.Run,
      (request, token) => this.#run(controller, request, token),
      true,
    );
    controller.refreshHandler = () => this.#find();
    return controller;
  }

  /** The tests of an extension run together: each builds on those before. */
  async #run(controller: TestController, request: TestRunRequest, token: CancellationToken): Promise<void> {
    const run = controller.createTestRun(request);
    try {
      const wanted = new Set((request.include ?? []).map((item) => item.parent ?? item));
      if (request.include === undefined) controller.items.forEach((item) => wanted.add(item));
      for (const item of wanted) if (!token.isCancellationRequested) await this.#runOne(run, item, token);
    } finally {
      run.end();
    }
  }

  async #runOne(run: TestRun, item: TestItem, token: CancellationToken): Promise<void> {
    const children: TestItem[] = [];
    item.children.forEach((child) => children.push(child));
    for (const child of children) run.started(child);
    const root = workspace.getWorkspaceFolder(Uri.file(item.id))?.uri.fsPath ?? item.id;
    try {
      const sessions = await browsersToRun(this.#parts);
      const { runSmokeTests } = await import('../../tools/smokeTests');
      const window = new EditorWindow(this.#parts);
      const ran = await Promise.all(
        (sessions ?? []).map(async (session) => ({
          session,
          ...(await runSmokeTests(window, { folder: item.id, root, session }, signalOf(token))),
        })),
      );
      for (const { session, results } of ran) {
        const count = (state: SmokeResult['state']): number => results.filter((one) => one.state === state).length;
        const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
        this.#parts.log.info(`Smoke tests of ${item.label} in ${browserLabel(session)}: ${counts}`);
      }
      for (const child of children) {
        const all = ran.flatMap(({ session, results }) =>
          results.filter(({ id }) => child.id.endsWith(`#${id}`)).map((result) => ({ session, result })),
        );
        report(run, child, all, root);
      }
    } catch (error) {
      for (const child of children) run.errored(child, new TestMessage(sentenceFor(error) ?? String(error)));
    }
  }
}

function itemOf(controller: TestController, path: string, { name }: WorkspaceFolder): TestItem {
  const manifest = Uri.file(join(path, 'manifest.json'));
  const item = controller.createTestItem(path, name, manifest);
  item.children.replace(
    SMOKE_TEST_IDS.map((id, index) => {
      const child = controller.createTestItem(`${path}#${id}`, testTitle(id), manifest);
      child.sortText = String(index);
      return child;
    }),
  );
  return item;
}

/** One end for all browsers: it fails where it fails in one, and is skipped where it is skipped in all. */
function report(run: TestRun, item: TestItem, all: ByBrowser, root: string): void {
  const failed = all.filter(({ result }) => result.state === 'failed');
  const ms = Math.max(0, ...all.map(({ result }) => result.ms));
  if (failed.length > 0) {
    run.failed(
      item,
      failed.map(({ session, result }) => messageOf(session, result, root)),
      ms,
    );
  } else if (all.some(({ result }) => result.state === 'passed')) run.passed(item, ms);
  else run.skipped(item);
}

/** With the browser, at the line of the first error. */
function messageOf(session: BrowserSession, { message }: SmokeResult, root: string): TestMessage {
  const text = new TestMessage(`${browserLabel(session)}: ${message}`);
  const [, file, line, column] = PLACE.exec(message) ?? [];
  if (file !== undefined) {
    text.location = new Location(Uri.file(join(root, file)), new Position(Number(line) - 1, Number(column) - 1));
  }
  return text;
}
