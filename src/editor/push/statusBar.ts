import * as l10n from '@vscode/l10n';
import { StatusBarAlignment, ThemeColor, window, type Disposable, type StatusBarItem } from 'vscode';
import { COMMANDS } from '../../ids';

/** What the status bar says of the last push. */
export type PushState =
  | { state: 'idle' }
  | { state: 'pushing'; browser: string; step: string }
  | { state: 'running'; browser: string; name: string; version: string; at: Date; took: string; detail?: string }
  | { state: 'unverified'; browser: string; reason: string; at: Date }
  | { state: 'failed'; browser: string; reason: string; at: Date; label?: string };

/** The one status-bar item: the push target, the last push and whether saves push. A click opens the log. */
export class StatusBar implements Disposable {
  readonly #item: StatusBarItem;
  #state: PushState = { state: 'idle' };
  /** How the last push that changed something ended. */
  #settled: PushState = { state: 'idle' };
  #onSave = false;

  constructor() {
    this.#item = window.createStatusBarItem('sideload.push', StatusBarAlignment.Left, 0);
    this.#item.name = 'Sideload';
    this.#item.command = COMMANDS.showLog;
    this.#draw();
  }

  show(state: PushState): void {
    this.#state = state;
    if (state.state !== 'pushing') this.#settled = state;
    this.#draw();
  }

  /** Ends a push that changed nothing: what was true before is shown again. */
  settle(): void {
    this.show(this.#settled);
  }

  set pushOnSave(isOn: boolean) {
    this.#onSave = isOn;
    this.#draw();
  }

  /** Shown only where there is a folder to push. */
  set visible(isVisible: boolean) {
    if (isVisible) this.#item.show();
    else this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const { icon, text, spoken } = this.#describe();
    const saves = this.#onSave ? l10n.t('push on save is on') : l10n.t('push on save is off');
    this.#item.text = `$(${icon}) ${text}`;
    this.#item.tooltip = `${spoken}\n${saves}\n${l10n.t('Click for the log')}`;
    this.#item.accessibilityInformation = { label: `Sideload: ${spoken}, ${saves}` };
    const isFailed = this.#state.state === 'failed';
    // Assigned only to clear or to warn: a colour of our own is the exception.
    Object.assign(this.#item, {
      backgroundColor: isFailed ? new ThemeColor('statusBarItem.warningBackground') : undefined,
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
          text: `Sideload: ${l10n.t('delivered, not seen to run')}`,
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
