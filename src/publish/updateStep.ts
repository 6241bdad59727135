import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errorMessage';
import { DevToolsError } from '../devtools/protocol/connect';
import { redact } from '../service/redact';
import { ServiceError } from '../service/serviceErrors';

/** The steps of an update test, in their order. */
export type UpdateStep = 'oldVersion' | 'newBuild' | 'browser' | 'oldRuns' | 'data' | 'update' | 'report';

/** A step for people. */
export function stepTitle(step: UpdateStep): string {
  return {
    oldVersion: l10n.t('Getting the old version'),
    newBuild: l10n.t('Checking the new build'),
    browser: l10n.t('Starting a browser'),
    oldRuns: l10n.t('Loading the old version'),
    data: l10n.t('Filling its storage'),
    update: l10n.t('Updating to the new build'),
    report: l10n.t('Comparing before and after'),
  }[step];
}

/** An update test that could not go on. The message is a sentence for people about the step at which it ended; nothing is left of the test. */
export class UpdateTestError extends Error {
  override readonly name = 'UpdateTestError';

  constructor(
    readonly step: UpdateStep,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs a step; whatever it rejects with becomes an error of the step, but the reason of `signal`. */
export async function atStep<T>(step: UpdateStep, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UpdateTestError) throw error;
    signal?.throwIfAborted();
    throw new UpdateTestError(step, messageOf(error), { cause: error });
  }
}

/** An error as a sentence for people, without credentials. */
export function messageOf(error: unknown): string {
  if (error instanceof ServiceError) return redact(error.sentences.join(' '));
  const text = redact(errorMessage(error));
  return error instanceof DevToolsError ? l10n.t('DevTools of the browser could not be reached: {0}.', text) : text;
}
