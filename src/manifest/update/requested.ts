import type { JsonPath } from '../finding';

/** One permission as the messages see it: a name of the manifest, or one that only Chromium has, such as `allHosts`. */
export interface Requested {
  id: string;
  /** What of it, such as a host; empty for most. */
  parameter: string;
  /** Where the manifest asks for it, and how it is written there. */
  path: JsonPath;
  written: string;
}
