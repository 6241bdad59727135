import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject, jsonOf } from '../support/json';

/** A connection, the look-up of a name, or a datagram. */
export interface SocketUse {
  /** Command line of the process. */
  readonly program: string;
  readonly kind: string;
  /** `host:port`, the path of a local socket, or the name. */
  readonly target: string;
  /** The stack of the call. */
  readonly origin: string;
}

/** The environment in which a process, and each that it starts, writes into `file` what it opens. */
export function recordingSockets(file: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'socketRecorder.mjs')).href}`,
    SIDELOAD_SOCKETS: file,
  };
}

/** What was written so far, by all processes; empty when there is no file. */
export async function recordedSockets(file: string): Promise<SocketUse[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const use = jsonOf(line);
    if (use === undefined || !isJsonObject(use)) throw new Error(`The recorder does not write such a line: ${line}`);
    const text = (key: keyof SocketUse): string => (typeof use[key] === 'string' ? use[key] : '');
    return { program: text('program'), kind: text('kind'), target: text('target'), origin: text('origin') };
  });
}
