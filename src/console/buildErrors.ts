import type { WorkerFault } from '../devtools/workers/startingWorker';
import { essenceOf, REGISTRATION_FAILED, type PartError } from './extensionErrors';

/** An error with which the worker of a build failed to start. */
export function errorOfFault({ text, url, line, column }: WorkerFault): PartError {
  return { part: { kind: 'worker' }, text, isWarning: false, location: { url, line, column }, count: 1 };
}

/** Whether an error only says that the worker failed to start, not why. */
export function isOfRegistration({ part, text }: PartError): boolean {
  return part.kind === 'manifest' && REGISTRATION_FAILED.test(text);
}

/** Those errors that are not about the same failures as `faults`, with which the worker of the build failed to start. */
export function withoutFaults(errors: readonly PartError[], faults: readonly PartError[]): PartError[] {
  const known = new Set(faults.map(({ text }) => essenceOf(text)));
  return errors.filter((error) =>
    error.part.kind === 'worker' ? !known.has(essenceOf(error.text)) : known.size === 0 || !isOfRegistration(error),
  );
}
