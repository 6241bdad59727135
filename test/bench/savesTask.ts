/** The extension whose worker is saved: it has so many more files, each of so many bytes. */
export interface SavesTask {
  baseUrl: string;
  token: string;
  /** The folder of the extension, which does not exist yet. */
  folder: string;
  name: string;
  files: number;
  bytes: number;
}

/** How long a save took until the browser ran it, and the longest time for which it held the thread, in milliseconds. */
export interface SaveTimes {
  save: number;
  held: number;
}
