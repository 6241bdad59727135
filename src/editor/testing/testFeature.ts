import * as l10n from '@vscode/l10n';
import {
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
} from 'vscode';
import { pathFrom } from '../../base/disk';
import { SETTINGS } from '../../ids';
import type { BrowserOutcome } from '../../push/pushRun';
import type { Browser } from '../../service/model';
import { countsText, type SmokeResult } from '../../programs/headless/smokeNames';
import { editorWindow } from '../agents/editorWindow';
import { signalOf } from '../signalOf';
import { UserError } from '../errorTexts';
import { knownExtensions } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { sentenceFor } from '../messages';
import { extensionOf, wantedOf } from '../numberedItem';
import type { PushWiring } from '../push/pushWiring';
import { browsersToRun } from '../push/runBrowsers';
import { browserOf, extensionItem, TestRows } from './testItems';

/** A browser to test in; `pushed`: the push that is tested there, instead of a new one. */
interface Target {
  browser: Browser;
  pushed?: BrowserOutcome;
}

/** The smoke tests of the extensions in the workspace, in the Test view. There is none in a window without an extension. */
export class TestFeature {
  #controller: TestController | undefined;
  /** What ends the tests of a push, by browser and folder. */
  readonly #afterPush = new Map<string, AbortController>();
  /** The end of the tests of pushes so far, by browser: the extensions of one push are tested one after the other. */
  readonly #tested = new Map<string, Promise<void>>();

  constructor(private readonly wiring: PushWiring) {
    const find = (): void => {
      this.#find().catch((error: unknown) => wiring.log.debug(`The tests are not listed: ${String(error)}`));
    };
    wiring.own(
      workspace.onDidChangeWorkspaceFolders(find),
      workspace.onDidChangeConfiguration((event) => {
        if ([SETTINGS.folder, SETTINGS.folders].some((name) => event.affectsConfiguration(name))) find();
      }),
      // A push shows that there is an extension, which may have been built, or chosen, just now.
      wiring.history.onDidEnd(({ outcome }) => {
        // A folder that a build has emptied keeps its item.
        if ('digest' in outcome.outcome) find();
      }),
      { dispose: () => this.#end() },
    );
    find();
  }

  #end(): void {
    this.#controller?.dispose();
    for (const abort of this.#afterPush.values()) abort.abort();
  }

  async #find(): Promise<void> {
    const extensions = await knownExtensions(this.wiring.context.workspaceState);
    if (extensions.length === 0 && !this.#controller) return;
    const controller = (this.#controller ??= this.#create());
    const known = new Set<string>();
    controller.items.forEach(({ id }) => known.add(id));
    for (const { path, workspaceFolder } of extensions) {
      const isOnly = extensions.filter((other) => other.workspaceFolder === workspaceFolder).length === 1;
      const label = isOnly
        ? workspaceFolder.name
        : `${workspaceFolder.name}: ${pathFrom(workspaceFolder.uri.fsPath, path)}`;
      const item = known.delete(path) ? controller.items.get(path) : undefined;
      if (item) item.label = label;
      else controller.items.add(extensionItem(controller, path, label));
    }
    for (const id of known) controller.items.delete(id);
  }

  #create(): TestController {
    const controller = tests.createTestController('sideload', 'Sideload');
    const profile = controller.createRunProfile(
      l10n.t('Run in the Chosen Browsers'),
      TestRunProfileKind.Run,
      (request, token) =>
        request.continuous === true
          ? this.#runAfterPushes(controller, request, token)
          : this.#run(controller, request, token),
      true,
    );
    profile.supportsContinuousRun = true;
    controller.refreshHandler = () => this.#find();
    return controller;
  }

  /** The tests of an extension run together: each builds on those before. */
  async #run(controller: TestController, request: TestRunRequest, token: CancellationToken): Promise<void> {
    const run = controller.createTestRun(request);
    try {
      // Another folder may be chosen since the items were listed.
      if (!request.include) await this.#find();
      for (const item of wantedOf(controller, request)) {
        if (token.isCancellationRequested) break;
        const only = new Set(request.include?.filter((one) => extensionOf(one) === item).map(browserOf));
        await this.#runIn(run, controller, item, signalOf(token), async () => {
          const browsers = (await browsersToRun(this.wiring)) ?? [];
          const targets = browsers.filter(({ id }) => only.size === 0 || only.has(undefined) || only.has(id));
          if (targets.length === 0 && browsers.length > 0)
            throw new UserError(
              l10n.t('This browser is no longer chosen. Choose it in the list of browsers and run the tests again.'),
            );
          return targets.map((browser) => ({ browser }));
        });
      }
    } finally {
      run.end();
    }
  }

  /** Tests each push of the user from now on in its browser, without another push, until it is switched off. */
  #runAfterPushes(controller: TestController, request: TestRunRequest, token: CancellationToken): void {
    const listener = this.wiring.history.onDidEnd(({ folder, outcome: pushed, origin }) => {
      const item = wantedOf(controller, request).find(({ id }) => id === folder);
      const { kind: outcome } = pushed.outcome;
      if (!item || origin === 'agent' || origin === 'test' || outcome === 'cancelled' || outcome === 'unchanged')
        return;
      const { browser } = pushed;
      const key = `${browser.id} ${folder}`;
      this.#afterPush.get(key)?.abort();
      const abort = new AbortController();
      this.#afterPush.set(key, abort);
      const run = controller.createTestRun(request);
      const signal = AbortSignal.any([abort.signal, signalOf(run.token), signalOf(token)]);
      const turn = this.#tested.get(browser.id) ?? Promise.resolve();
      const test = (): Promise<void> =>
        this.#runIn(run, controller, item, signal, () => Promise.resolve([{ browser, pushed }]));
      this.#tested.set(
        browser.id,
        turn.then(test).then(() => run.end()),
      );
    });
    token.onCancellationRequested(() => {
      listener.dispose();
    });
  }

  /** Runs the tests of an extension in all of the browsers at the same time. Never rejects. */
  async #runIn(
    run: TestRun,
    controller: TestController,
    item: TestItem,
    signal: AbortSignal,
    targetsOf: () => Promise<readonly Target[]>,
  ): Promise<void> {
    const root = workspace.getWorkspaceFolder(Uri.file(item.id))?.uri.fsPath ?? item.id;
    try {
      const targets = await targetsOf();
      const rows = new TestRows(
        controller,
        item,
        targets.map(({ browser }) => browser),
      );
      const { runSmokeTests } = await import('../../programs/headless/smokeTests');
      const window = editorWindow(this.wiring, { origin: 'test' });
      const test = async (target: Target): Promise<void> => {
        const { browser } = target;
        for (const row of rows.of(browser)) run.started(row);
        const { results } = await runSmokeTests(window, { folder: item.id, root, ...target }, signal, (result) => {
          if (!signal.aborted) rows.report(run, browser, result, root);
        });
        this.#logEnd(item, browser, signal.aborted ? [] : results);
      };
      await Promise.all(targets.map(test));
    } catch (error) {
      item.children.forEach((child) => run.errored(child, new TestMessage(sentenceFor(error) ?? String(error))));
    }
  }

  /** No results: the tests were stopped. */
  #logEnd(item: TestItem, browser: Browser, results: readonly SmokeResult[]): void {
    const end = results.length === 0 ? 'stopped' : countsText(results);
    this.wiring.log.info(`Smoke tests of ${item.label} in ${browserLabel(browser)}: ${end}`);
  }
}
