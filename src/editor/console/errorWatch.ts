import { Disposable } from 'vscode';
import type { PartError } from '../../console/extensionErrors';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { partText } from '../../console/partText';
import { ErrorsOfRecords } from '../problems/errorsOfRecords';
import type { ProblemWiring } from '../problems/problemWiring';
import type { ConsoleWiring } from './consoleCommands';

/** What the watch of errors uses. */
type ErrorWiring = ConsoleWiring & ProblemWiring;

/** Brings the errors that connected browsers report to the Problems panel, and to the console where it is not attached. */
export class ErrorWatch implements Disposable {
  readonly #subscriptions: Disposable;
  readonly #ofRecords: ErrorsOfRecords;
  /** Lines are written in the order of the reports. */
  #written: Promise<void> = Promise.resolve();

  constructor(private readonly wiring: ErrorWiring) {
    const { devTools, records, errors, lists } = wiring;
    this.#ofRecords = new ErrorsOfRecords(errors);
    this.#subscriptions = Disposable.from(
      devTools.onWorkerError(({ browser, error }) => errors.noteLocation(browser.id, error)),
      devTools.onErrors(({ browser, report }) => {
        const added = errors.add(browser.id, browserLabel(browser), report);
        this.#written = this.#written.then(() => this.#write(browser, report.extensionId, added));
      }),
      errors.onDidChange((id) => {
        const build = records.build(id);
        records.setErrors(id, build ? errors.countOf(id, build.extensionId) : 0);
      }),
      lists.browsers.onDidLoad(() => {
        for (const browser of lists.browsers.items) errors.rename(browser.id, browserLabel(browser));
      }),
      records.onDidChange((id) => {
        const build = records.build(id);
        const isOfOther = this.#ofRecords.follow(id, {
          record: records.get(id),
          build: build && { ...build, label: browserLabel(build.browser) },
          isPushing: records.isPushing(id),
        });
        // Those of the new build may have been reported before its push was noted.
        if (isOfOther && build) devTools.current?.watchErrors(build.browser, build.extensionId, { isByOther: true });
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #write(browser: Browser, extensionId: string, errors: readonly PartError[]): Promise<void> {
    const { console: output, records } = this.wiring;
    if (errors.length === 0 || output.isAttached(browser.id)) return;
    const { SourceLocations } = await import('../../console/sourceLocations');
    const locations = new SourceLocations(extensionId, records.build(browser.id));
    for (const { part, text, location, isWarning } of errors) {
      const column = location?.column === undefined ? {} : { column: location.column + 1 };
      const shown = location && (await locations.source({ url: location.url, line: location.line + 1, ...column }));
      output.write(browser, {
        level: isWarning ? 'warn' : 'error',
        context: partText(part),
        text: shown === undefined ? text : `${text} (${shown})`,
        at: Date.now(),
      });
    }
  }
}
