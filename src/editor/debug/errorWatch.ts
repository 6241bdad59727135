import { Disposable } from 'vscode';
import type { PartError } from '../../debug/extensionErrors';
import type { BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { partText } from '../../debug/partText';
import type { ProblemParts } from '../problems/problemParts';
import type { ConsoleParts } from './consoleCommands';

/** What the watch of errors uses. */
type ErrorParts = ConsoleParts & ProblemParts;

/** Brings the errors that connected browsers report to the Problems panel, and to the console where it is not attached. */
export class ErrorWatch implements Disposable {
  readonly #parts: ErrorParts;
  readonly #subscriptions: Disposable;
  /** When another program has pushed last, by session. */
  readonly #others = new Map<string, number>();
  /** Lines are written in the order of the reports. */
  #written: Promise<void> = Promise.resolve();

  constructor(parts: ErrorParts) {
    this.#parts = parts;
    const { engines, records, errors } = parts;
    this.#subscriptions = Disposable.from(
      engines.onWorkerError(({ session, error }) => {
        errors.notePlace(session.session_id, error);
      }),
      engines.onErrors(({ session, report }) => {
        const added = errors.add(session.session_id, browserLabel(session), report);
        this.#written = this.#written.then(() => this.#write(session, report.extensionId, added));
      }),
      errors.onDidChange((id) => {
        const build = records.build(id);
        records.setErrors(id, build ? errors.countOf(id, build.extensionId) : 0);
      }),
      records.onDidChange((id) => {
        // A browser that was deleted has no record; what another push or the user has stopped has no errors now.
        const record = records.get(id);
        if ((record === undefined || record.state === 'stopped') && !records.isPushing(id)) errors.clear(id);
        if (record?.byOther === true) this.#forgetEarlier(id, record.at);
      }),
    );
  }

  /** Another program has pushed at this time: the errors of the build before say nothing of what runs now. */
  #forgetEarlier(id: string, at: number): void {
    if (this.#others.get(id) === at) return;
    this.#others.set(id, at);
    const { errors, records, engines } = this.#parts;
    const build = records.build(id);
    errors.clear(id);
    if (!build) return;
    errors.setBuild(id, browserLabel(build.session), build, []);
    // Those of the new build may have been reported before its push was noted.
    engines.engine?.browsers.watchErrors(build.session, build.extensionId, true);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #write(session: BrowserSession, extensionId: string, errors: readonly PartError[]): Promise<void> {
    const { console: output, records } = this.#parts;
    if (errors.length === 0 || output.isAttached(session.session_id)) return;
    const { SourcePlaces } = await import('../../debug/sourcePlaces');
    const places = new SourcePlaces(extensionId, records.build(session.session_id));
    for (const { part, text, place, isWarning } of errors) {
      const column = place?.column === undefined ? {} : { column: place.column + 1 };
      const shown = place && (await places.source({ url: place.url, line: place.line + 1, ...column }));
      output.write(session, {
        level: isWarning ? 'warn' : 'error',
        context: partText(part),
        text: shown === undefined ? text : `${text} (${shown})`,
        at: Date.now(),
      });
    }
  }
}
