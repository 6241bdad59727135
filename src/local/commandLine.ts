import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataFolder } from './dataFolder';
import { messageOf } from './httpErrors';
import { randomToken } from './randomId';

/** The options of the command line, with defaults. */
export interface Options {
  /** 0 lets the system choose. */
  port: number;
  token: string;
  dataFolder: string;
  /** Executable of the browser; by default the service searches for one. */
  browser?: string;
  /** Brings extensions in over DevTools alone, as in a browser that ignores `--load-extension`. */
  loadOverDevTools: boolean;
  /** The user of the machines that clients see: extensions are in `/home/<user>/extensions`; the usual one without it. */
  user: string | undefined;
  /** One service for all windows of an editor, which ends after the last lease. */
  shared: boolean;
}

/** A mistake on the command line; the message explains it. */
export class UsageError extends Error {}

export const USAGE =
  'Options: --port <number> --token <text> --data-dir <folder> --browser <executable> ' +
  '--load-over-devtools --service-user <name> --shared';

const MAX_PORT = 65_535;

/** Parses the command line; throws `UsageError`. */
export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const dataFolder = path.resolve(values['data-dir'] ?? defaultDataFolder());
  // A comma would end the folder in --load-extension (C-FLAG-COMMAS).
  if (dataFolder.includes(',')) throw new UsageError(`--data-dir must not contain a comma: ${dataFolder}`);
  const options: Options = {
    port: readPort(values.port),
    token: readToken(values.token),
    dataFolder,
    loadOverDevTools: values['load-over-devtools'],
    user: readUser(values['service-user']),
    shared: values.shared,
  };
  if (values.browser !== undefined) options.browser = values.browser;
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        port: { type: 'string' },
        token: { type: 'string' },
        'data-dir': { type: 'string' },
        browser: { type: 'string' },
        'load-over-devtools': { type: 'boolean', default: false },
        'service-user': { type: 'string' },
        shared: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function readPort(text = '0'): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= MAX_PORT)) throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}, not "${text}".`);
  return port;
}

function readToken(text: string | undefined): string {
  if (text === undefined) return randomToken();
  // The characters of a bearer token (RFC 6750, section 2.1).
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(text)) {
    throw new UsageError('--token must be made of letters, digits and the characters - . _ ~ + /');
  }
  return text;
}

function readUser(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // Names of users on Linux (useradd), which are also names of folders.
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(text)) {
    throw new UsageError(`--service-user must be a name of lower-case letters, digits, "_" and "-", not "${text}".`);
  }
  return text;
}
