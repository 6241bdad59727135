/** The levels of VS Code's log channels that console messages have. */
export type ConsoleLevel = 'debug' | 'info' | 'warn' | 'error';

/** A location in a file of the extension, by its URL. Line and column count from 1; without a column, the whole line. */
export interface BuiltLocation {
  url: string;
  line: number;
  column?: number;
}

/** A line of the console as it is shown. */
export interface ConsoleLine {
  level: ConsoleLevel;
  /** The part of the extension that it is from, such as `worker` or `content · example.com`; empty for a line about the console itself. */
  context: string;
  /** With locations as `path:line:column`, paths relative to the workspace folder; may have several lines. */
  text: string;
  /** When it was written, in milliseconds since the epoch. */
  at: number;
  /** It was written before the console was started, and is shown with its own time. */
  isEarlier?: boolean;
}

/** The text of a message before its locations are mapped to the sources, and where it was written. */
export interface ConsoleText {
  text: string;
  location?: BuiltLocation | undefined;
}

/** A message of the extension. Its text is made when it is shown: of a storm, most messages are dropped. */
export interface ConsoleMessage extends Omit<ConsoleLine, 'text'> {
  /** From what is known. */
  read: () => ConsoleText;
  /** The same after the browser was asked for the contents of objects; undefined when nothing is missing. Never rejects. */
  complete?: (() => Promise<ConsoleText>) | undefined;
}
