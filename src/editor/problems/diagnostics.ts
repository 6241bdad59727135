import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticSeverity,
  type Disposable,
  languages,
  Range,
  tasks,
  Uri,
  workspace,
  WorkspaceEdit,
  type CodeActionContext,
  type CodeActionProvider,
  type TextDocument,
  type WorkspaceFolder,
} from 'vscode';
import { isBuildOutput } from '../../archive/buildOutput';
import { COMMANDS, SETTINGS } from '../../ids';
import { chromiumWords, RULES_BESIDE_PUSHES, type Finding, type Fix } from '../../manifest/finding';
import type { SeenPaths } from '../../manifest/folder/folder';
import { MANIFEST_FILE } from '../../manifest/load';
import { isWithin, pathFrom } from '../../base/disk';
import { succeeds } from '../../base/succeeds';
import { shortened } from '../../base/units';
import { fileUri } from '../folder/extensionFolder';
import type { FolderWiring } from '../folder/fileChanges';
import { publishedFor } from '../folder/publishedVersion';
import { readFolderSettings } from '../settings';
import { ManifestStatus } from './manifestStatus';
import { registerRulePages, rulePageUri } from './rulePages';

/** Quiet time after a keystroke before a manifest is checked, in milliseconds. */
const TYPING_PAUSE_MS = 300;

/** Settings that change what is found. */
const CHECK_SETTINGS = [SETTINGS.storeHints, SETTINGS.updateFrom, SETTINGS.exclude, SETTINGS.include];

/** The owner of the entries. The problem matcher of the same owner replaces them, instead of adding a second one to each. */
const OWNER = 'sideload';

/** The matcher, as tasks name it. */
const MATCHER = '$sideload';

/** The source named in the Problems panel. */
export const SOURCE = 'Sideload';

/** Entries in the Problems panel: the findings of the manifest check, while typing and at a push. */
export class Diagnostics implements CodeActionProvider {
  readonly #checks = languages.createDiagnosticCollection(OWNER);
  /** Files that carry findings, by extension folder, so that a later check can clear them. */
  readonly #files = new Map<string, Uri[]>();
  /** The edits of the entries that are shown. */
  readonly #fixes = new Map<Diagnostic, { folder: string; fix: Fix }>();
  /** What the last whole check has found that those of pushes leave out, by extension folder. */
  readonly #besidePushes = new Map<string, readonly Finding[]>();
  /** What the shown findings depend on, by extension folder. */
  readonly #dependsOn = new Map<string, SeenPaths>();
  readonly #watchers = new Map<string, Disposable>();
  /** The running check of each folder, which the next one ends. */
  readonly #running = new Map<string, AbortController>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #status = new ManifestStatus();

  constructor(private readonly wiring: FolderWiring) {
    wiring.own(
      { dispose: () => this.#endChecks() },
      this.#checks,
      this.#status,
      registerRulePages(),
      // Of any language: a finding may be about a file that looks like a secret.
      languages.registerCodeActionsProvider({ scheme: 'file' }, this, {
        providedCodeActionKinds: [CodeActionKind.QuickFix],
      }),
      workspace.onDidOpenTextDocument((document) => this.#checkSoon(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)),
      workspace.onDidSaveTextDocument((document) => this.#checkSoon(document)),
      workspace.onDidChangeConfiguration((event) => {
        if (!CHECK_SETTINGS.some((name) => event.affectsConfiguration(name))) return;
        this.#scheduleAll();
      }),
      tasks.onDidEndTask(({ execution }) => {
        if (execution.task.problemMatchers.includes(MATCHER)) this.#scheduleAll();
      }),
      workspace.onDidChangeWorkspaceFolders(({ removed }) => {
        const folders = new Set([...this.#files.keys(), ...this.#timers.keys(), ...this.#running.keys()]);
        for (const folder of folders) if (isLeft(folder, removed)) this.#forget(folder);
      }),
    );
    for (const document of workspace.textDocuments) this.#checkSoon(document);
  }

  /**
   * Shows the findings of `folder` instead of the earlier ones; hints only where people edit the files. A check that is not whole, as that
   * of a push, leaves what only a whole one finds.
   */
  show(folder: string, found: readonly Finding[], isWhole = false): void {
    if (isWhole)
      this.#besidePushes.set(
        folder,
        found.filter(({ rule }) => RULES_BESIDE_PUSHES.has(rule)),
      );
    const all = isWhole ? found : [...found, ...(this.#besidePushes.get(folder) ?? [])];
    const findings = isEdited(folder) ? all : all.filter(isForBuilds);
    const byFile = new Map<string, Diagnostic[]>();
    for (const [diagnostic, { folder: owner }] of this.#fixes) if (owner === folder) this.#fixes.delete(diagnostic);
    for (const finding of findings) {
      const diagnostic = diagnosticOf(finding);
      const list = byFile.get(finding.file);
      if (list) list.push(diagnostic);
      else byFile.set(finding.file, [diagnostic]);
      if (finding.fix) this.#fixes.set(diagnostic, { folder, fix: finding.fix });
    }
    for (const file of this.#files.get(folder) ?? []) this.#checks.delete(file);
    const files: Uri[] = [];
    for (const [file, list] of byFile) {
      const uri = fileUri(folder, file);
      files.push(uri);
      this.#checks.set(uri, list);
    }
    this.#files.set(folder, files);
    this.#status.show(folder, findings).catch((error: unknown) => {
      this.wiring.log.error(`The status of ${folder} failed: ${String(error)}`);
    });
    this.#watch(folder);
  }

  /**
   * Checks `folder`, with the unsaved text of its editors, and shows the findings. The next check of the same folder ends this one. It
   * runs in a worker thread with limits, so also in Restricted Mode.
   */
  async check(folder: string): Promise<void> {
    this.#running.get(folder)?.abort();
    const running = new AbortController();
    this.#running.set(folder, running);
    this.#status.begin(folder);
    const { checkInThread } = await import('../../push/prepare/checkThread');
    const { exclude, include, storeHints } = readFolderSettings(Uri.file(folder));
    try {
      const published = await publishedFor(folder);
      const readsCode = storeHints && isEdited(folder);
      const unsaved = unsavedTexts(folder);
      const request = { folder, exclude, include, storeHints, readsCode, unsaved, ...published };
      const { findings, dependsOn } = await checkInThread(request, running.signal);
      if (running.signal.aborted) return;
      this.#dependsOn.set(folder, dependsOn);
      // Where the manifest was moved or removed, there is no extension with errors; it is checked again when it is back.
      const isThere = unsaved.has(MANIFEST_FILE) || (await succeeds(stat(join(folder, MANIFEST_FILE))));
      if (!running.signal.aborted) this.show(folder, isThere ? findings : [], true);
    } catch (error) {
      if (!running.signal.aborted) throw error;
    } finally {
      if (this.#running.get(folder) === running) {
        this.#running.delete(folder);
        this.#status.end(folder);
      }
    }
  }

  /** Quick fixes for entries of the Problems panel: what their messages propose. */
  provideCodeActions(document: TextDocument, _range: Range, { diagnostics }: CodeActionContext): CodeAction[] {
    const isSame = (shown: Diagnostic, asked: Diagnostic): boolean =>
      codeOf(shown) === codeOf(asked) && shown.message === asked.message && shown.range.isEqual(asked.range);
    // VS Code passes copies of the entries.
    return diagnostics.flatMap((asked) =>
      [...this.#fixes]
        .filter(([shown, { folder }]) => isWithin(folder, document.uri.fsPath) && isSame(shown, asked))
        .map(([, { folder, fix }]) => actionOf(asked, folder, fix)),
    );
  }

  #endChecks(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const running of this.#running.values()) running.abort();
    for (const watcher of this.#watchers.values()) watcher.dispose();
  }

  /** Removes the findings of a folder, and checks it no more until its manifest is opened again or it is pushed. */
  #forget(folder: string): void {
    clearTimeout(this.#timers.get(folder));
    this.#running.get(folder)?.abort();
    this.#watchers.get(folder)?.dispose();
    for (const file of this.#files.get(folder) ?? []) this.#checks.delete(file);
    for (const [diagnostic, { folder: owner }] of this.#fixes) if (owner === folder) this.#fixes.delete(diagnostic);
    for (const known of [this.#timers, this.#watchers, this.#files, this.#besidePushes, this.#dependsOn])
      known.delete(folder);
    this.#status.forget(folder);
  }

  /** Only the manifest of a browser extension is checked: web apps have a `manifest.json`, too. */
  #checkSoon(document: TextDocument): void {
    if (document.uri.scheme !== 'file' || basename(document.uri.fsPath) !== MANIFEST_FILE) return;
    const folder = dirname(document.uri.fsPath);
    if (!this.#files.has(folder) && !document.getText().includes('"manifest_version"')) return;
    this.#schedule(folder);
  }

  #scheduleAll(): void {
    for (const folder of this.#files.keys()) this.#schedule(folder);
  }

  #schedule(folder: string): void {
    clearTimeout(this.#timers.get(folder));
    this.#timers.set(
      folder,
      setTimeout(() => {
        this.#timers.delete(folder);
        this.check(folder).catch((error: unknown) => {
          this.wiring.log.error(`The check of ${folder} failed: ${String(error)}`);
        });
      }, TYPING_PAUSE_MS),
    );
  }

  /** Files that findings depend on may be created, deleted or changed outside the editor: a build writes workers, rulesets, catalogues. */
  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    const watcher = this.wiring.changes.watch(folder, (changed, kind) => {
      const path = pathFrom(folder, changed);
      if (path === '.' || !isWithin(folder, changed)) return;
      if (kind === 'entry' || this.#dependsOn.get(folder)?.has(path)) this.#schedule(folder);
    });
    this.#watchers.set(folder, watcher);
  }
}

/** The texts of editors with unsaved changes, by the paths of their files relative to the folder. */
function unsavedTexts(folder: string): ReadonlyMap<string, string> {
  const documents = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && isWithin(folder, uri.fsPath),
  );
  return new Map(documents.map((document) => [pathFrom(folder, document.uri.fsPath), document.getText()]));
}

/** Whether a folder was in a workspace folder that is removed, and is in no other one. */
function isLeft(folder: string, removed: readonly WorkspaceFolder[]): boolean {
  return removed.some(({ uri }) => isWithin(uri.fsPath, folder)) && !workspace.getWorkspaceFolder(Uri.file(folder));
}

/** Whether people edit the files of an extension folder, which is no output of a bundler. */
function isEdited(folder: string): boolean {
  const root = workspace.getWorkspaceFolder(Uri.file(folder))?.uri.fsPath ?? folder;
  return !isBuildOutput(root, folder);
}

/** The id of the rule; VS Code passes copies of entries, whose code may be without the address. */
function codeOf({ code }: Diagnostic): string | number | undefined {
  return typeof code === 'object' ? code.value : code;
}

function diagnosticOf(finding: Finding): Diagnostic {
  const chromium = chromiumWords(finding);
  const message = shortened(finding.message);
  const text = chromium === undefined ? message : `${message}\n${l10n.t('Chromium says: {0}', shortened(chromium))}`;
  const diagnostic = new Diagnostic(rangeOf(finding.range), text, severityOf(finding));
  diagnostic.source = SOURCE;
  diagnostic.code = { value: finding.rule, target: rulePageUri(finding.rule) };
  return diagnostic;
}

/** Whether a finding concerns whoever pushes a build, too: a hint about a text concerns who edits its source. */
function isForBuilds({ severity, fix }: Finding): boolean {
  return severity !== 'hint' || fix?.setting !== undefined;
}

function actionOf(diagnostic: Diagnostic, folder: string, { title, edits, setting, isGuess = false }: Fix): CodeAction {
  const action = new CodeAction(title, CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = !isGuess;
  if (setting) {
    action.command = { command: COMMANDS.addToFileList, title, arguments: [{ folder, ...setting }] };
    return action;
  }
  action.edit = new WorkspaceEdit();
  for (const { file, range, newText } of edits) action.edit.replace(fileUri(folder, file), rangeOf(range), newText);
  return action;
}

function rangeOf({ start, end }: Finding['range']): Range {
  return new Range(start.line, start.column, end.line, end.column);
}

function severityOf({ severity }: Finding): DiagnosticSeverity {
  return {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    hint: DiagnosticSeverity.Information,
  }[severity];
}
