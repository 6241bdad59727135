/** Only an error stops a push. */
export type Severity = 'error' | 'warning' | 'hint';

/** Path to a value inside a JSON document, from its root. */
export type JsonPath = readonly (string | number)[];

/** A place in a text: offset in UTF-16 code units, line and column counted from 0 (as editors do). */
export interface Position {
  offset: number;
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A path that is to be sent although it is left out by default, or to be left out. */
export interface FileListSetting {
  list: 'include' | 'exclude';
  path: string;
}

/** An edit that corrects a fault; ranges are those of the checked text. */
export interface Fix {
  /** For example `Add "manifest_version": 3`. */
  title: string;
  edits: { file: string; range: Range; newText: string }[];
  /** What is added to a setting, of a fix without edits. */
  setting?: FileListSetting;
  /** Another edit would do as well. */
  isGuess?: boolean;
}

/** One problem of an extension folder. */
export interface Finding {
  /** Id of the rule, such as `R-VERSION`. */
  rule: string;
  severity: Severity;
  /** What is wrong and what to do. */
  message: string;
  /** Chromium's own text, for exactly those findings that Chromium itself would report. */
  chromium?: string;
  /** True of a warning about what some browsers refuse, by their machine or version, and others load; `chromium` is what those say. */
  dependsOnBrowser?: true;
  /** Path of the file relative to the folder, with `/`. */
  file: string;
  /** Path of the value; empty for the whole file. */
  path: JsonPath;
  range: Range;
  /** Present when the message proposes an edit, or when one is certainly correct. */
  fix?: Fix;
}

/** The rules that the check of a push leaves out: those that read all code and all names of files, and the one that compares with a published version. */
export const RULES_BESIDE_PUSHES: ReadonlySet<string> = new Set([
  ...['R-STORE-REMOTE', 'R-STORE-ADDRESS', 'R-STORE-UNUSED', 'R-STORE-FILES', 'R-UPDATE'],
]);

/** Chromium's own words where they say something that the message does not: neither words that it quotes, nor a text with an empty name. */
export function chromiumWords({ message, chromium }: Pick<Finding, 'message' | 'chromium'>): string | undefined {
  return chromium === undefined || message.includes(chromium) || chromium.includes("''") ? undefined : chromium;
}
