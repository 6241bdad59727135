import * as l10n from '@vscode/l10n';
import { commands, env, Uri, workspace } from 'vscode';
import { COMMANDS, UPDATE_SCHEME } from '../../ids';
import { fieldOf, textField } from '../../base/fields';
import type { OldVersionName } from '../../publish/oldVersion';
import type { UpdateReport } from '../../publish/updateReport';
import { localDefaults } from '../browsers/creating/startBrowser';
import type { Handler } from '../commandRegistry';
import { UserError } from '../errorTexts';
import { pickOneExtension } from '../folder/extensionFolder';
import { saveFiles } from '../folder/saveFiles';
import { confirm, offer, withProgressUnlessCancelled } from '../notify';
import { buildText } from '../push/historyRows';
import type { PushWiring } from '../push/pushWiring';
import { readFolderSettings } from '../settings';
import { requireTrust } from '../trust';
import { askOldVersion, askStorage, type KeptBuild, storageIn } from './updateQuestions';
import { rootOf, type UpdateChoice, UpdateTests } from './updateTests';

/** The most reports that can be opened again. */
const MOST_REPORTS = 20;

/** Tests of updates from old versions: the command, and the documents with what they have found. */
export class UpdateFeature {
  readonly handlers: Record<typeof COMMANDS.testUpdate, Handler> = {
    [COMMANDS.testUpdate]: (row) => this.#run(row),
  };

  /** The texts of the documents by their paths, oldest first. */
  readonly #texts = new Map<string, string>();
  readonly #tests: UpdateTests;
  #last = 0;

  constructor(private readonly wiring: PushWiring) {
    const textOf = ({ path }: Uri): string => this.#texts.get(path) ?? l10n.t('This report is no longer there.');
    wiring.own(workspace.registerTextDocumentContentProvider(UPDATE_SCHEME, { provideTextDocumentContent: textOf }));
    this.#tests = new UpdateTests(wiring, async (folder, choice, signal) => {
      refuseUntrusted();
      return await this.#test(folder, choice, signal);
    });
  }

  /** `row`: that of a push, whose folder and, while it is kept, build are meant; else the extension of the workspace. */
  async #run(row: unknown): Promise<void> {
    refuseUntrusted();
    const named = textField(fieldOf(row, 'item'), 'folder');
    const folder = named || (await pickOneExtension(this.wiring.context.workspaceState))?.path;
    if (folder === undefined) return;
    const from = this.#buildOf(row) ?? (await askOldVersion(folder, this.#builds(folder)));
    const storage = from && (await askStorage());
    if (!from || !storage) return;
    const choice: UpdateChoice = { from, ...(storage !== 'own' && { storage: storage.file }) };
    const report = await withProgressUnlessCancelled(l10n.t('Testing the update'), (signal, tell) =>
      this.#test(folder, choice, signal, tell),
    );
    if (!report) return;
    await this.#tests.remember(folder, choice);
    await this.#show(report, rootOf(folder));
  }

  /** The build of the row of a push, while it is kept. */
  #buildOf(row: unknown): OldVersionName | undefined {
    const { history } = this.wiring;
    const push = history.pushes.find((one) => one === fieldOf(row, 'item'));
    const path = push && history.buildOf(push);
    return push && path !== undefined ? { from: 'build', path, label: buildText(push) } : undefined;
  }

  /** The builds of a folder that are kept, each once, newest first. */
  #builds(folder: string): KeptBuild[] {
    const { history } = this.wiring;
    const found = new Map<string, KeptBuild>();
    for (const push of history.pushes) {
      const path = push.folder === folder ? history.buildOf(push) : undefined;
      if (path === undefined || found.has(path)) continue;
      const time = new Date(push.at).toLocaleTimeString(env.language);
      found.set(path, { path, label: buildText(push), description: l10n.t('pushed to {0}, {1}', push.browser, time) });
    }
    return [...found.values()];
  }

  async #test(
    folder: string,
    { from, storage }: UpdateChoice,
    signal: AbortSignal,
    tell: (message: string) => void = () => undefined,
  ): Promise<UpdateReport> {
    const { connection, log, lists } = this.wiring;
    await saveFiles(folder);
    const { runUpdateTest } = await import('../../publish/updateTest');
    const { stepTitle, UpdateTestError } = await import('../../publish/updateStep');
    const uri = Uri.file(folder);
    const order = {
      folder,
      root: rootOf(folder),
      from,
      ...(storage !== undefined && { storage: await storageIn(storage) }),
      isLocal: connection.isLocal,
      settings: readFolderSettings(uri),
      browser: localDefaults(),
    };
    try {
      return await runUpdateTest(
        order,
        { service: await connection.client(), log, mayDownload, onStep: (step) => tell(stepTitle(step)) },
        signal,
      );
    } catch (error) {
      if (!(error instanceof UpdateTestError)) throw error;
      throw new UserError(l10n.t('The update was not tested. {0}: {1}', stepTitle(error.step), error.message));
    } finally {
      await lists.browsers.refresh().catch(() => undefined);
    }
  }

  /** Opens the report, and offers to compare the data. */
  async #show(report: UpdateReport, root: string): Promise<void> {
    const [{ reportMarkdown }, { dataText }, { hasPassed }] = await Promise.all([
      import('../../publish/reportText'),
      import('../../publish/extensionData'),
      import('../../publish/updateReport'),
    ]);
    this.#last += 1;
    const add = (name: string, text: string): Uri => {
      const path = `/${this.#last}/${name}`;
      this.#texts.set(path, text);
      return Uri.from({ scheme: UPDATE_SCHEME, path });
    };
    const document = add('update.md', reportMarkdown(report, root));
    const before = add('before.json', dataText(report.before));
    const after = add('after.json', dataText(report.after));
    for (const path of [...this.#texts.keys()].slice(0, -3 * MOST_REPORTS)) this.#texts.delete(path);
    this.wiring.log.info(
      `Update test of ${report.name}: ${hasPassed(report) ? 'passed' : 'failed'} in ${report.ms} ms`,
    );
    await commands.executeCommand('vscode.open', document, { preview: false });
    if (report.differences.length === 0) return;
    const compare = l10n.t('Compare');
    const { length: count } = report.differences;
    const text =
      count === 1
        ? l10n.t('The data of {0} differs in one place before and after the update.', report.name)
        : l10n.t('The data of {0} differs in {1} places before and after the update.', report.name, count);
    void offer(text, compare).then(async (button) => {
      if (button !== compare) return;
      await commands.executeCommand('vscode.diff', before, after, l10n.t('Data before and after the update'));
    });
  }
}

function refuseUntrusted(): void {
  requireTrust(l10n.t('This workspace is not trusted, so nothing of it is built or pushed.'));
}

/** Asks whether a published version may be downloaded from an address. */
async function mayDownload(address: string): Promise<boolean> {
  const { host } = new URL(address);
  return await confirm(
    l10n.t('Download the published version from {0}?', host),
    [
      l10n.t(
        'The service does not do it. {0} then learns your address on the network, and which extension you test:',
        host,
      ),
      address,
    ],
    l10n.t('Download'),
  );
}
