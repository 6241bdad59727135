import * as l10n from '@vscode/l10n';
import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  languages,
  Location,
  Range,
  Uri,
  type Disposable,
} from 'vscode';
import { pathInExtension } from '../../devtools/extensionUrl';
import type { WorkerFault } from '../../devtools/startingWorker';
import type { Spot } from '../../sources/sourceMaps';
import { shortened } from '../../units';
import { fileUri, isInside } from '../folder/extensionFolder';

/** The source named in the Problems panel. */
const SOURCE = 'Sideload';

/** Each of them reads a script and its source map. */
const MAX_FAULTS = 20;

/** The pushed build that a fault occurred in. */
export interface FaultyBuild {
  /** The extension folder that was pushed, absolute. */
  folder: string;
  /** The workspace folder that holds it and its sources, absolute. */
  root: string;
  extensionId: string;
}

interface Entry {
  uri: Uri;
  diagnostic: Diagnostic;
}

/**
 * Entries in the Problems panel: the errors that a pushed worker threw when it started, in each browser, at the line of the source
 * by its source map, else at the line of the built file.
 */
export class WorkerFaults implements Disposable {
  readonly #shown = languages.createDiagnosticCollection('sideload-worker');
  /** By session id. */
  readonly #entries = new Map<string, readonly Entry[]>();
  /** The number of the latest call for each session: an earlier one that ends later is ignored. */
  readonly #turns = new Map<string, number>();

  /** Shows the errors of the worker in the browser `sessionId` instead of those of the previous worker there. */
  async show(sessionId: string, build: FaultyBuild, faults: readonly WorkerFault[]): Promise<void> {
    const turn = this.#turn(sessionId);
    const entries = await Promise.all(faults.slice(0, MAX_FAULTS).map((fault) => entryOf(fault, build)));
    if (this.#turns.get(sessionId) !== turn) return;
    this.#entries.set(
      sessionId,
      entries.filter((entry) => entry !== undefined),
    );
    this.#draw();
  }

  /** Removes the entries of this browser. */
  clear(sessionId: string): void {
    this.#turn(sessionId);
    if (this.#entries.delete(sessionId)) this.#draw();
  }

  dispose(): void {
    this.#shown.dispose();
  }

  #turn(sessionId: string): number {
    const turn = (this.#turns.get(sessionId) ?? 0) + 1;
    this.#turns.set(sessionId, turn);
    return turn;
  }

  /** Shows the same fault in several browsers as one entry. */
  #draw(): void {
    const byFile = new Map<string, Diagnostic[]>();
    for (const { uri, diagnostic } of [...this.#entries.values()].flat()) {
      const list = byFile.get(uri.toString()) ?? [];
      const isSame = (one: Diagnostic): boolean =>
        one.message === diagnostic.message && one.range.isEqual(diagnostic.range);
      if (!list.some(isSame)) byFile.set(uri.toString(), [...list, diagnostic]);
    }
    this.#shown.clear();
    this.#shown.set([...byFile].map(([uri, list]) => [Uri.parse(uri, true), list]));
  }
}

/** Undefined for a fault in a script that is not the extension's own. */
async function entryOf(fault: WorkerFault, { folder, root, extensionId }: FaultyBuild): Promise<Entry | undefined> {
  const path = pathInExtension(fault.url, extensionId);
  if (path === undefined) return undefined;
  const file = fileUri(folder, path);
  // A script's `sourceURL` comment may lead out of the extension.
  if (!isInside(folder, file.fsPath)) return undefined;
  const built: Spot = { file: file.fsPath, line: fault.line, column: fault.column };
  const { findSource } = await import('../../sources/sourceMaps');
  const source = await findSource(built, { folder, root });
  const diagnostic = new Diagnostic(
    lineFrom(source ?? built),
    l10n.t('The service worker failed: {0}', shortened(fault.text)),
    DiagnosticSeverity.Error,
  );
  diagnostic.source = SOURCE;
  if (!source) return { uri: file, diagnostic };
  diagnostic.relatedInformation = [
    new DiagnosticRelatedInformation(new Location(file, lineFrom(built)), l10n.t('The place in the built file')),
  ];
  return { uri: Uri.file(source.file), diagnostic };
}

/** From the place to the end of its line. */
function lineFrom({ line, column }: Spot): Range {
  return new Range(line, column, line, Number.MAX_SAFE_INTEGER);
}
