import * as l10n from '@vscode/l10n';
import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Disposable,
  EventEmitter,
  languages,
  Location,
  Position,
  Range,
  Uri,
  workspace,
  type TextDocumentChangeEvent,
} from 'vscode';
import type { PartError } from '../../console/extensionErrors';
import type { BuildFolders } from '../../console/errorSpots';
import type { Log } from '../channelLog';
import { realClock } from '../../base/clock';
import { LatestRun } from '../../base/latestRun';
import { shortened } from '../../base/units';
import { partText } from '../../console/partText';
import { type BuildErrors, ReportedErrors } from '../../console/reportedErrors';

/** The source named in the Problems panel. */
const SOURCE = 'Sideload';

/** Pause between two changes of the entries, in milliseconds: errors may come in any number. */
const DRAW_PAUSE_MS = 100;

/** An error where it is shown. */
interface Entry {
  uri: Uri;
  range: Range;
  /** The location in the built file, when `uri` is its source. */
  built?: Location;
  /** What to do, where that is known. */
  advice?: string | undefined;
}

/** The same error in one or several browsers. */
interface Shown extends Entry {
  /** The first is the one that is shown. */
  errors: readonly [PartError, ...PartError[]];
  isFault: boolean;
  count: number;
  labels: string[];
}

/**
 * Entries in the Problems panel: the errors of pushed extensions since the last push, in all their parts and in each browser, at the line of
 * the source by its source map, else at the line of the built file, else at the line of the manifest that names the part. An entry goes when
 * its file is edited.
 */
export class ErrorEntries implements Disposable {
  readonly #collection = languages.createDiagnosticCollection('sideload-errors');
  readonly #changed = new EventEmitter<string>();
  /** Fires with the id of the browser whose errors have changed. */
  readonly onDidChange = this.#changed.event;
  readonly reported = new ReportedErrors(
    (browserId, service) => {
      if (service === this.service()) this.#changed.fire(browserId);
      void this.#draws.run();
    },
    () => this.service(),
  );
  readonly #entries = new WeakMap<PartError, Promise<Entry | undefined>>();
  readonly #subscriptions: Disposable;
  #shown: readonly Shown[] = [];
  readonly #draws = new LatestRun(() => this.#drawOnce());

  /** `service` identifies the service in use: the ids of another one's browsers may be the same. */
  constructor(
    private readonly log: Log,
    private readonly service: () => string,
  ) {
    this.#subscriptions = Disposable.from(
      this.#collection,
      this.#changed,
      workspace.onDidChangeTextDocument((event) => this.#onEdit(event)),
    );
  }

  /** A browser has another name now. */
  rename(browserId: string, label: string): void {
    if (this.reported.rename(browserId, label)) void this.#draws.run();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** What was edited since is another text; a document that VS Code has read again from the disk is not edited. */
  #onEdit({ document }: TextDocumentChangeEvent): void {
    if (!document.isDirty) return;
    const file = document.uri.toString();
    const outdated = new Set(this.#shown.filter(({ uri }) => uri.toString() === file).flatMap(({ errors }) => errors));
    this.reported.outdate(outdated);
  }

  /** Draws, and pauses before the next time. */
  async #drawOnce(): Promise<void> {
    try {
      await this.#drawNow();
    } catch (error) {
      this.log.error(`The errors of extensions could not be drawn: ${String(error)}`);
    }
    await realClock.delay(DRAW_PAUSE_MS);
  }

  async #drawNow(): Promise<void> {
    const located = this.reported.shown.flatMap((one) => this.#locate(one));
    // One that cannot be located hides no other.
    const settled = await Promise.allSettled(located);
    const shown = merged(settled.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : [])));
    const byFile = new Map<string, Diagnostic[]>();
    for (const one of shown) {
      const file = one.uri.toString();
      byFile.set(file, [...(byFile.get(file) ?? []), diagnosticOf(one)]);
    }
    this.#shown = shown;
    this.#collection.clear();
    this.#collection.set([...byFile].map(([uri, list]) => [Uri.parse(uri, true), list]));
  }

  #locate({ label, build, faults, errors }: BuildErrors): Promise<Shown | undefined>[] {
    return [...faults, ...errors].map(async (error): Promise<Shown | undefined> => {
      const entry = await this.#entryOf(error, build);
      const { count } = error;
      return entry && { ...entry, errors: [error], count, isFault: faults.includes(error), labels: [label] };
    });
  }

  #entryOf(error: PartError, build: BuildFolders): Promise<Entry | undefined> {
    const known = this.#entries.get(error) ?? entryOf(error, build);
    this.#entries.set(error, known);
    return known;
  }
}

/** Undefined for an error that has an entry already: the check of the manifest knows most of what Chromium says of it. */
async function entryOf(error: PartError, build: BuildFolders): Promise<Entry | undefined> {
  const [{ locateError }, { errorAdvice }] = await Promise.all([
    import('../../console/errorSpots'),
    import('../../agents/errorAdvice'),
  ]);
  const spot = await locateError(error, build);
  const { file, start, end, built } = spot;
  const advice = await errorAdvice(error, spot, build.folder);
  const uri = Uri.file(file);
  const isKnown = ({ message }: Diagnostic): boolean => message.includes(error.text);
  if (error.part.kind === 'manifest' && languages.getDiagnostics(uri).some(isKnown)) return undefined;
  const last = end ?? { line: start.line, column: Number.MAX_SAFE_INTEGER };
  const range = new Range(start.line, start.column, last.line, last.column);
  if (!built) return { uri, range, advice };
  return { uri, range, advice, built: new Location(Uri.file(built.file), new Position(built.line, built.column)) };
}

/** The same error at the same location as one, with all its browsers. */
function merged(all: readonly Shown[]): Shown[] {
  const found: Shown[] = [];
  for (const one of all) {
    const same = found.find(
      ({ uri, range, errors: [error] }) =>
        uri.toString() === one.uri.toString() && range.isEqual(one.range) && error.text === one.errors[0].text,
    );
    if (!same) {
      found.push({ ...one });
      continue;
    }
    same.errors = [...same.errors, ...one.errors];
    same.count += one.count;
    same.labels = [...new Set([...same.labels, ...one.labels])];
  }
  return found;
}

function diagnosticOf({ errors: [error], range, built, advice, isFault, count, labels }: Shown): Diagnostic {
  const text = shortened(error.text);
  const where = partText(error.part);
  const browsers = labels.join(', ');
  const message = isFault
    ? l10n.t('The service worker failed in {0}: {1}', browsers, text)
    : count === 1
      ? l10n.t('{0} ({1}, {2})', text, where, browsers)
      : l10n.t('{0} ({1}, {2}, {3} times)', text, where, browsers, count);
  const severity = error.isWarning ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error;
  const diagnostic = new Diagnostic(range, [message, advice].filter((part) => part !== undefined).join('\n'), severity);
  diagnostic.source = SOURCE;
  if (built) {
    const text = l10n.t('The place in the built file');
    diagnostic.relatedInformation = [new DiagnosticRelatedInformation(built, text)];
  }
  return diagnostic;
}
