import * as l10n from '@vscode/l10n';
import { commands, Disposable, window, workspace } from 'vscode';
import { COMMANDS, CONTEXT } from '../../ids';
import type { BrowserSession } from '../../service/model';
import type { BrowserParts } from '../browsers/browserParts';
import { currentWorkspaceFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { createStatusItem, type StatusItem } from '../notify';
import type { PushOnSave } from '../settings';
import { statusText, type StatusFacts } from './statusText';

/** A browser that the item is about. */
interface Subject {
  sessionId: string;
  label: string;
}

/** The status-bar item: where pushes go, what runs there now, and whether saves push. A click opens the menu. */
export class StatusBar implements Disposable {
  readonly #parts: BrowserParts;
  readonly #item: StatusItem;
  readonly #subscriptions: Disposable;
  #subjects: readonly Subject[];
  #step: string | undefined;
  #waiting: StatusFacts['waiting'];
  #saves: { mode: PushOnSave; folder?: string | undefined } = { mode: 'off' };
  /** The folder that a push takes, where several are open. */
  #folder: string | undefined;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
    this.#item = createStatusItem('sideload.push', 'Sideload', COMMANDS.showMenu);
    this.#subjects = this.#chosen();
    this.#draw();
    this.#showWithFolders();
    const onChoice = (): void => {
      this.#subjects = this.#chosen();
      this.#waiting = undefined;
      this.#draw();
    };
    this.#subscriptions = Disposable.from(
      this.#item,
      parts.target.onDidChange(onChoice),
      parts.pins.onDidChange(onChoice),
      parts.records.onDidChange(() => {
        this.#draw();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#showWithFolders();
        void this.#followFolder();
      }),
      window.onDidChangeActiveTextEditor(() => {
        void this.#followFolder();
      }),
    );
    void this.#followFolder();
  }

  /** Shows a step of a push that runs. */
  showStep(sessions: readonly BrowserSession[], step: string): void {
    this.#subjects = sessions.map((session) => ({ sessionId: session.session_id, label: browserLabel(session) }));
    this.#step = step;
    this.#waiting = undefined;
    this.#draw();
  }

  /** The push has ended: shows what is known of its browsers now. */
  endStep(): void {
    this.#step = undefined;
    this.#draw();
    // The push may have asked for it.
    void this.#followFolder();
  }

  /** Shows why pushes by themselves wait for the user, until one runs or another browser is chosen. */
  showWaiting(label: string, reason: string): void {
    this.#waiting = { label, reason };
    this.#draw();
  }

  /** Shows when saves push; `folder` where several are open. */
  showSaves(mode: PushOnSave, folder?: string): void {
    this.#saves = { mode, folder };
    void commands.executeCommand('setContext', CONTEXT.pushesBySaving, mode !== 'off');
    if (mode === 'off') this.#waiting = undefined;
    this.#draw();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #chosen(): Subject[] {
    const { target, pins } = this.#parts;
    if (!pins.isEmpty) return [...pins.browsers];
    return target.browser ? [target.browser] : [];
  }

  async #followFolder(): Promise<void> {
    const isSeveral = (workspace.workspaceFolders?.length ?? 0) > 1;
    const folder = isSeveral ? await currentWorkspaceFolder(this.#parts.context.workspaceState) : undefined;
    if (this.#folder === folder?.name) return;
    this.#folder = folder?.name;
    this.#draw();
  }

  /** The item is shown only in a window with a folder. */
  #showWithFolders(): void {
    this.#item.setVisible((workspace.workspaceFolders?.length ?? 0) > 0);
  }

  #draw(): void {
    const [only] = this.#subjects;
    const { icon, text, spoken, isWarning } = statusText({
      browser: this.#subjects.length > 1 ? l10n.t('{0} browsers', this.#subjects.length) : only?.label,
      records: this.#subjects.map(({ sessionId }) => this.#parts.records.get(sessionId)),
      errors: this.#subjects.reduce((sum, { sessionId }) => sum + this.#parts.records.errorsOf(sessionId), 0),
      step: this.#step,
      waiting: this.#waiting,
      saves: this.#saves.mode,
      folder: this.#saves.folder ?? this.#folder,
    });
    this.#item.draw({
      icon,
      text,
      tooltip: [spoken, l10n.t('Click for the menu')],
      spoken: `Sideload: ${spoken}`,
      isWarning,
    });
  }
}
