/** Saves that a process of its own measures: of the worker of an extension with so many files beside it, each of so many bytes. */
export interface SavesTask {
  baseUrl: string;
  token: string;
  /** The folder of the extension, which is made. */
  folder: string;
  name: string;
  files: number;
  bytes: number;
}

/** What the process reports: that it is prepared, what a save took and held in milliseconds, or why that failed. */
export type SavesAnswer = { ready: true } | { save: number; held: number } | { error: string };
