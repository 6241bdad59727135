import { ExtensionErrors, WorkerLocations, type PartError } from '../../src/console/extensionErrors';
import type { BrowserEvents } from '../../src/devtools/connection/browserConnections';
import type { ErrorReport } from '../../src/devtools/errors/errorReports';

/** The errors that an engine reports, by extension. `onAdded` is called with those of each report. */
export class ErrorEvents {
  readonly found = new Map<string, ExtensionErrors>();
  readonly events: BrowserEvents;

  constructor(onAdded: (extensionId: string, added: readonly PartError[]) => void = () => undefined) {
    const places = new WorkerLocations();
    this.events = {
      onWorkerError: (_browser, error) => {
        places.note(error);
      },
      onErrors: (_browser, report) => {
        const { extensionId } = report;
        const errors = this.found.get(extensionId) ?? new ExtensionErrors(extensionId);
        this.found.set(extensionId, errors);
        onAdded(extensionId, errors.add(report, places));
      },
    };
  }
}

/** A report of an error in the first line of the worker of an extension. */
export function reportOf(extensionId: string): ErrorReport {
  const url = `chrome-extension://${extensionId}/worker.js`;
  const error = { id: 1, isOfManifest: false, text: 'Error: no', isWarning: false, source: url, contextUrl: url };
  const frames = [{ url, line: 0, column: undefined }];
  return {
    extensionId,
    isFirst: true,
    errors: [{ ...error, isWorker: true, count: 1, manifestKey: '', frames }],
    traces: [],
  };
}
