import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A user without rights of its own, as systems have it for such a purpose. */
export const NOBODY = 65_534;
const STRANGER_LIMIT_MS = 60_000;

export interface Attempt {
  got?: string;
  refused?: string;
}

/** What `stranger.mjs` prints. */
export interface Seen {
  uid: number;
  /** The ports that answer as a DevTools port does, and with which statuses of websocket handshakes: 101 is a way in. */
  devTools: { port: number; text: string; statuses: number[] }[];
  files: Attempt[];
  memory: Attempt[];
  commandLines: Attempt[];
  requests: ({ status: number; text: string } | undefined)[];
}

/** Whether programs can be run as another user: only root can. */
export const canBeStranger = process.getuid?.() === 0;

/** What a program of another user gets that knows the address of a service, its data folder and ids of processes; and all that it prints. */
export async function asStranger(args: readonly string[]): Promise<{ seen: Seen; stdout: string }> {
  const source = await readFile(join(__dirname, 'stranger.mjs'), 'utf8');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source, ...args], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    env: {},
    timeout: STRANGER_LIMIT_MS,
    maxBuffer: 2 ** 26,
  });
  return { seen: JSON.parse(stdout) as Seen, stdout };
}
