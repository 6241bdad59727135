/** How much a finding matters: an error stops a push, the others do not. */
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

/** A change of one file that puts a fault right; ranges are of the text that was checked. */
export interface Fix {
  /** What it does, in a few words: `Add "manifest_version": 3`. */
  title: string;
  edits: { file: string; range: Range; newText: string }[];
}

/** One thing to say about an extension folder. */
export interface Finding {
  /** Id of the rule, such as `R-VERSION`. */
  rule: string;
  severity: Severity;
  /** Our sentence: what is wrong and what to do. */
  message: string;
  /** Chromium's own text, on exactly those findings that Chromium itself would report. */
  chromium?: string;
  /** True of a warning about what some browsers refuse, by their machine or version, and others load; `chromium` is what those say. */
  dependsOnBrowser?: true;
  /** File the finding is about, relative to the folder, with `/`. */
  file: string;
  /** The value the finding is about; empty for the whole file. */
  path: JsonPath;
  range: Range;
  /** Present where one edit is surely right. */
  fix?: Fix;
}
