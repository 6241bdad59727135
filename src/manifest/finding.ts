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

/** An edit that corrects a fault; ranges are those of the checked text. */
export interface Fix {
  /** For example `Add "manifest_version": 3`. */
  title: string;
  edits: { file: string; range: Range; newText: string }[];
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
  /** Present when one edit is certainly correct. */
  fix?: Fix;
}
