import type { FileListSetting, JsonPath } from './finding';
import type { JsonValue, Span } from './json/node';
import { repairedPattern, type Schemes } from './values/matchPattern';

/**
 * The edit that a message proposes, as data. It is about the value at the path of its report, unless it names another path in the same
 * file, or in the manifest (`inManifest`). `isGuess`: another edit would do as well, so it is never applied without a choice.
 */
export type Proposal = { at?: JsonPath; inManifest?: true; isGuess?: true } & (
  | { do: 'remove' }
  | { do: 'rename'; to: string }
  | { do: 'replace'; by: JsonValue }
  | { do: 'add'; value: JsonValue }
  /** Moves an item into a list at the top of the manifest, which is created if need be. */
  | { do: 'move'; to: string }
  /** Turns the only script of a background page into the worker. */
  | { do: 'worker' }
  /** Writes a text in place of a part of the file; `title` says so. */
  | { do: 'write'; span: Span; text: string; title: string }
  /** Adds to a setting; `title` says so. */
  | { do: 'setting'; setting: FileListSetting; title: string }
);

/** The report with a proposal; without one, the report. */
export function proposing<R extends object>(report: R, fix: Proposal | undefined): R & { fix?: Proposal } {
  return fix ? { ...report, fix } : report;
}

/** A report whose message says that its value, or the one at `at`, is to be removed. */
export function removing<R extends object>(report: R, at?: JsonPath): R & { fix: Proposal } {
  return { ...report, fix: { do: 'remove', ...(at && { at }) } };
}

/** Replaces a malformed pattern by the one that was probably meant, else by an example. `path`: the only one that is allowed. */
export function patternProposal(written: string, schemes: Schemes, path?: '/*'): Proposal {
  const repaired = repairedPattern(written, schemes);
  if (repaired === undefined) return { do: 'replace', by: 'https://*.example.com/*', isGuess: true };
  const by = path === undefined ? repaired : repaired.replace(/^([^:]*:\/\/[^/]*).*$/, `$1${path}`);
  return { do: 'replace', by };
}
