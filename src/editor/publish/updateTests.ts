import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import {
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
  type TestRunRequest,
} from 'vscode';
import { fieldOf, isObject, optionalText } from '../../base/fields';
import type { OldVersionName } from '../../publish/oldVersion';
import { checkTitle, UPDATE_CHECK_IDS, type UpdateReport } from '../../publish/updateReport';
import { sentenceFor } from '../messages';
import { numberedItem, wantedOf } from '../numberedItem';
import { terminalText } from '../plainText';
import { signalOf } from '../signalOf';
import type { Wiring } from '../wiring';

/** Where the workspace remembers which updates were tested, by the folder of the new build. */
const REMEMBERED = 'sideload.updateTests';

/** The digest of a commit, and its beginning, by which git shows it. */
const WHOLE_COMMIT = /^([0-9a-f]{7})(?:[0-9a-f]{33}|[0-9a-f]{57})$/i;

/** From which old version an update is tested; `storage`: the file with what that has stored, absolute; without it, what it stores by itself. */
export interface UpdateChoice {
  from: OldVersionName;
  storage?: string;
}

/** Tests an update and resolves to its report; rejects with a sentence for people. */
export type RunUpdate = (folder: string, choice: UpdateChoice, signal: AbortSignal) => Promise<UpdateReport>;

/**
 * The update tests in the Test view, beside the smoke tests: one for each extension of which an update was tested in this workspace, from the
 * old version that was chosen last. They run by themselves, and not with all tests, since each starts a browser.
 */
export class UpdateTests {
  #controller: TestController | undefined;

  constructor(
    private readonly wiring: Wiring,
    private readonly run: RunUpdate,
  ) {
    for (const folder of Object.keys(this.#choices())) this.#show(folder);
  }

  /** Remembers what was tested last of a folder. */
  async remember(folder: string, choice: UpdateChoice): Promise<void> {
    await this.wiring.context.workspaceState.update(REMEMBERED, { ...this.#choices(), [folder]: choice });
    this.#show(folder);
  }

  #choices(): Record<string, unknown> {
    const remembered: unknown = this.wiring.context.workspaceState.get(REMEMBERED);
    return isObject(remembered) ? remembered : {};
  }

  #show(folder: string): void {
    const controller = (this.#controller ??= this.#create());
    const choice = choiceOf(this.#choices()[folder]);
    if (!choice) return;
    // Not as a description, which screen readers would get in place of the label.
    const label = l10n.t('Update of {0} from {1}', basename(folder), oldVersionText(choice));
    const item = numberedItem(controller, folder, label, { ids: UPDATE_CHECK_IDS, titleOf: checkTitle });
    controller.items.add(item);
    // Its results may be those of another old version.
    controller.invalidateTestResults(item);
  }

  #create(): TestController {
    const controller = this.wiring.own(tests.createTestController('sideload-updates', l10n.t('Sideload Updates')));
    controller.createRunProfile(l10n.t('Test in a New Browser'), TestRunProfileKind.Run, (request, token) =>
      this.#runAll(controller, request, token),
    );
    return controller;
  }

  async #runAll(controller: TestController, request: TestRunRequest, token: CancellationToken): Promise<void> {
    const wanted = wantedOf(controller, request);
    const run = controller.createTestRun(request);
    try {
      const { shownText } = await import('../../publish/reportText');
      for (const item of wanted) {
        const choice = choiceOf(this.#choices()[item.id]);
        if (token.isCancellationRequested || !choice) continue;
        item.children.forEach((child) => run.started(child));
        try {
          const report = await this.run(item.id, choice, signalOf(token));
          const root = rootOf(item.id);
          for (const check of report.checks) {
            const row = item.children.get(`${item.id}#${check.id}`);
            if (!row) continue;
            const shown = shownText(check.message, root);
            if (check.state === 'failed') run.failed(row, messageOf(check, shown));
            else if (check.state === 'passed') run.passed(row);
            else run.skipped(row);
            const line = terminalText(`${checkTitle(check.id)}: ${shown}\n`);
            // oxlint-disable-next-line no-restricted-properties -- it is the text of terminalText
            run.appendOutput(line, undefined, row);
          }
        } catch (error) {
          const message = new TestMessage(sentenceFor(error) ?? String(error));
          item.children.forEach((child: TestItem) => {
            if (token.isCancellationRequested) run.skipped(child);
            else run.errored(child, message);
          });
        }
      }
    } finally {
      run.end();
    }
  }
}

/** The workspace folder that holds a folder; itself when none does. */
export function rootOf(folder: string): string {
  return workspace.getWorkspaceFolder(Uri.file(folder))?.uri.fsPath ?? folder;
}

function messageOf({ at }: UpdateReport['checks'][number], shown: string): TestMessage {
  const text = new TestMessage(shown);
  if (at) text.location = new Location(Uri.file(at.file), new Position(at.line - 1, at.column - 1));
  return text;
}

/** What the workspace remembers of a folder; undefined when that is not as it was written. */
function choiceOf(value: unknown): UpdateChoice | undefined {
  const from = fieldOf(value, 'from');
  const storage = optionalText(value, 'storage');
  const text = (name: string): string | undefined => optionalText(from, name);
  const [path, revision, idOrName, id] = [text('path'), text('revision'), text('idOrName'), text('id')];
  const more = storage === undefined ? {} : { storage };
  const kind = fieldOf(from, 'from');
  if ((kind === 'folder' || kind === 'file') && path !== undefined) return { from: { from: kind, path }, ...more };
  const label = text('label');
  if (kind === 'build' && path !== undefined && label !== undefined)
    return { from: { from: 'build', path, label }, ...more };
  if (kind === 'git' && revision !== undefined) return { from: { from: 'git', revision }, ...more };
  if (kind === 'stored' && idOrName !== undefined) return { from: { from: 'stored', idOrName }, ...more };
  return kind === 'published' && id !== undefined ? { from: { from: 'published', id }, ...more } : undefined;
}

function oldVersionText({ from }: UpdateChoice): string {
  switch (from.from) {
    case 'folder':
    case 'file':
      return basename(from.path);
    case 'build':
      return from.label;
    case 'git':
      return from.revision.replace(WHOLE_COMMIT, '$1');
    case 'stored':
      return from.idOrName;
    case 'published':
      return from.id;
  }
}
