import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SAMPLE } from '../support/paths';

/** How to call it. */
export const START_USAGE = 'npm start [-- [--once] [FOLDER]]';

/** What the arguments of `npm start` ask for. */
export interface StartOptions {
  /** End after the second push. */
  readonly once: boolean;
  /** Absolute path of the folder with the browser extension. */
  readonly folder: string;
  /** Whether the folder is the user's own and is opened as it is; else a copy is opened, which may be changed. */
  readonly inPlace: boolean;
}

/** Reads the arguments. Rejects with a sentence that says how to call it. */
export async function readStartOptions(args: readonly string[], cwd: string): Promise<StartOptions> {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--once');
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}. Usage: ${START_USAGE}`);
  const folders = args.filter((arg) => !arg.startsWith('-'));
  if (folders.length > 1) throw new Error(`One folder at a time. Usage: ${START_USAGE}`);
  const once = args.includes('--once');
  const [named] = folders;
  if (named === undefined) return { once, folder: SAMPLE, inPlace: false };
  const folder = resolve(cwd, named);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new Error(`${folder} is not a folder. Name the folder that holds your extension's manifest.json.`);
  return { once, folder, inPlace: !once };
}
