import type { PartError } from '../../console/extensionErrors';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { partText } from '../../console/partText';
import { ErrorsOfRecords } from '../problems/errorsOfRecords';
import type { ProblemWiring } from '../problems/problemWiring';
import type { ConsoleWiring } from './consoleCommands';

type ErrorWiring = ConsoleWiring & ProblemWiring;

/** Brings the errors that connected browsers report to the Problems panel, and to the console where it is not attached, until the window ends. */
export function watchErrors(wiring: ErrorWiring): void {
  const { devTools, records, errors, lists } = wiring;
  const ofRecords = new ErrorsOfRecords(errors.reported);
  // Lines are written in the order of the reports.
  let written: Promise<void> = Promise.resolve();
  wiring.own(
    devTools.onWorkerError(({ browser, error }) => errors.reported.noteLocation(browser.id, error)),
    devTools.onErrors(({ browser, report }) => {
      const added = errors.reported.add(browser.id, browserLabel(browser), report);
      written = written.then(() => write(wiring, browser, report.extensionId, added));
    }),
    errors.onDidChange((id) => {
      const build = records.build(id);
      records.setErrors(id, build ? errors.reported.countOf(id, build.extensionId) : 0);
    }),
    lists.browsers.onDidLoad(() => {
      for (const browser of lists.browsers.items) errors.rename(browser.id, browserLabel(browser));
    }),
    records.onDidChange((id) => {
      const build = records.build(id);
      const isOfOther = ofRecords.follow(id, {
        record: records.get(id),
        build: build && { ...build, label: browserLabel(build.browser) },
        isPushing: records.isPushing(id),
      });
      // Those of the new build may have been reported before its push was noted.
      if (isOfOther && build) devTools.current?.watchErrors(build.browser, build.extensionId, { isByOther: true });
    }),
  );
}

async function write(
  { console: output, records }: ErrorWiring,
  browser: Browser,
  extensionId: string,
  errors: readonly PartError[],
): Promise<void> {
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
