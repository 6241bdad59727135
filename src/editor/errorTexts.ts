import * as l10n from '@vscode/l10n';

/** The chosen service needs a token and there is none. */
export class TokenMissingError extends Error {
  override readonly name = 'TokenMissingError';
}

/** A command that helps with an error, and its button. */
export interface WayOut {
  label: string;
  command: string;
  arguments?: readonly unknown[];
  /** What runs instead in a window whose extensions run on another machine. */
  inRemoteWindow?: { command: string; arguments: readonly unknown[] };
}

/** An error that the user can resolve; the message says how, and the buttons do it. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly waysOut: readonly WayOut[];

  constructor(message: string, ...waysOut: readonly WayOut[]) {
    super(message);
    this.waysOut = waysOut;
  }
}

/** The check refuses what was to be pushed; the Problems panel says why. */
export class RefusedError extends UserError {
  constructor(message: string) {
    super(message, { label: l10n.t('Show Problems'), command: 'workbench.actions.view.problems' });
  }
}

/** A workspace folder, or the folders where builds usually are, hold no extension. */
export class NoExtensionError extends UserError {}

/** The workspace is not trusted. */
export class UntrustedError extends UserError {}

/** VS Code's secret storage failed; the message is the verb of the failed operation. */
export class TokenStorageError extends Error {
  override readonly name = 'TokenStorageError';
}
