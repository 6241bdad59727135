import * as l10n from '@vscode/l10n';
import { commands, Disposable, workspace } from 'vscode';
import { COMMANDS, CONTEXT } from '../../ids';
import { createStatusItem, type StatusItem } from '../notify';

/** What the status bar shows about the last push. */
export type PushState =
  | { state: 'idle' }
  | { state: 'pushing'; browser: string; step: string }
  | { state: 'running'; browser: string; name: string; version: string; at: Date; took: string; detail?: string }
  | { state: 'unverified'; browser: string; reason: string; at: Date }
  | { state: 'failed'; browser: string; reason: string; at: Date; label?: string };

/** The status-bar item: the last push, its browser, and whether push on save is on. A click opens the log. */
export class StatusBar implements Disposable {
  readonly #item: StatusItem;
  readonly #subscriptions: Disposable;
  #state: PushState = { state: 'idle' };
  /** The result of the last push that changed something. */
  #settled: PushState = { state: 'idle' };
  #onSave = false;

  constructor() {
    this.#item = createStatusItem('sideload.push', 'Sideload', COMMANDS.showLog);
    this.#draw();
    this.#showWithFolders();
    this.#subscriptions = Disposable.from(
      this.#item,
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#showWithFolders();
      }),
    );
  }

  show(state: PushState): void {
    this.#state = state;
    if (state.state !== 'pushing') this.#settled = state;
    this.#draw();
  }

  /** Ends a push that changed nothing: shows the previous result again. */
  settle(): void {
    this.show(this.#settled);
  }

  set pushOnSave(isOn: boolean) {
    this.#onSave = isOn;
    this.#draw();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The item, and what the context key controls, are shown only in a window with a folder. */
  #showWithFolders(): void {
    const hasFolder = (workspace.workspaceFolders?.length ?? 0) > 0;
    this.#item.setVisible(hasFolder);
    void commands.executeCommand('setContext', CONTEXT.hasWorkspace, hasFolder);
  }

  #draw(): void {
    const { icon, text, spoken } = this.#describe();
    const saves = this.#onSave ? l10n.t('push on save is on') : l10n.t('push on save is off');
    this.#item.draw({
      icon,
      text,
      tooltip: [spoken, saves, l10n.t('Click for the log')],
      spoken: `Sideload: ${spoken}, ${saves}`,
      isWarning: this.#state.state === 'failed',
    });
  }

  #describe(): { icon: string; text: string; spoken: string } {
    const state = this.#state;
    switch (state.state) {
      case 'idle':
        return {
          icon: this.#onSave ? 'sync' : 'cloud-upload',
          text: 'Sideload',
          spoken: l10n.t('nothing pushed yet'),
        };
      case 'pushing':
        return {
          icon: 'sync~spin',
          text: `Sideload: ${state.step}`,
          spoken: l10n.t('pushing to {0}: {1}', state.browser, state.step),
        };
      case 'running':
        return {
          icon: 'check',
          text: `Sideload: ${l10n.t('running')} ${state.at.toLocaleTimeString()}`,
          spoken: [
            l10n.t(
              '{0} {1} is running in {2}, pushed at {3} in {4}',
              state.name,
              state.version,
              state.browser,
              state.at.toLocaleTimeString(),
              state.took,
            ),
            ...(state.detail === undefined ? [] : [state.detail]),
          ].join('. '),
        };
      case 'unverified':
        return {
          icon: 'question',
          text: `Sideload: ${l10n.t('delivered, not verified')}`,
          spoken: l10n.t('pushed to {0} at {1}: {2}', state.browser, state.at.toLocaleTimeString(), state.reason),
        };
      case 'failed':
        return {
          icon: 'warning',
          text: `Sideload: ${state.label ?? l10n.t('not pushed')}`,
          spoken: l10n.t('push to {0} failed at {1}: {2}', state.browser, state.at.toLocaleTimeString(), state.reason),
        };
    }
  }
}
