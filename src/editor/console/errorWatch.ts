import type { Disposable } from 'vscode';
import type { PartError } from '../../console/extensionErrors';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import type { PushRecords } from '../../push/known/pushRecords';
import type { Browser } from '../../service/model';
import type { DevToolsHost } from '../browsers/devToolsHost';
import { browserLabel } from '../lists/labels';
import type { ListView } from '../lists/listView';
import { partText } from '../../console/partText';
import type { ErrorEntries } from '../problems/errorEntries';
import { ErrorsOfRecords } from '../problems/errorsOfRecords';
import type { ConsoleOutput } from './consoleOutput';

/** What errors use of the window. */
interface ErrorWiring {
  console: Pick<ConsoleOutput, 'isAttached' | 'prefixOf' | 'write'>;
  devTools: Pick<DevToolsHost, 'onErrors' | 'onWorkerError'> & {
    current: Pick<BrowserConnections, 'watchErrors'> | undefined;
  };
  errors: Pick<ErrorEntries, 'onDidChange' | 'rename' | 'reported'>;
  lists: { browsers: Pick<ListView<Browser>, 'items' | 'onDidLoad'> };
  own: (first: Disposable, ...others: readonly Disposable[]) => void;
  records: PushRecords;
}

/** Brings the errors that connected browsers report to the Problems panel, and to the console where it is not attached, until the window ends. */
export function watchErrors(wiring: ErrorWiring): void {
  const { devTools, records, errors, lists } = wiring;
  const ofRecords = new ErrorsOfRecords(errors.reported);
  // Lines are written in the order of the reports.
  let written: Promise<void> = Promise.resolve();
  wiring.own(
    devTools.onWorkerError(({ browser, error }) => errors.reported.noteLocation(browser.id, error)),
    devTools.onErrors(({ browser: connected, report }) => {
      // A connection describes its browser as it was when it was made; the list may not go as far as to it.
      const listed = lists.browsers.items.find(({ id }) => id === connected.id);
      const browser = records.build(connected.id)?.browser ?? listed ?? connected;
      const added = errors.reported.add(browser.id, browserLabel(browser), report);
      written = written.then(() => write(wiring, browser, report.extensionId, added));
    }),
    errors.onDidChange((id) => records.setErrors(id, errors.reported.countsIn(id))),
    lists.browsers.onDidLoad(() => {
      for (const browser of lists.browsers.items) errors.rename(browser.id, browserLabel(browser));
    }),
    records.onDidChange((id) => {
      const build = records.build(id);
      if (build) errors.rename(id, browserLabel(build.browser));
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
  { console: output, errors: { reported } }: ErrorWiring,
  browser: Browser,
  extensionId: string,
  errors: readonly PartError[],
): Promise<void> {
  if (errors.length === 0 || output.isAttached(browser.id, extensionId)) return;
  const { SourceLocations } = await import('../../console/sourceLocations');
  const build = reported.buildOf(browser.id, extensionId);
  const locations = new SourceLocations(extensionId, build, build && output.prefixOf(build.root));
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
