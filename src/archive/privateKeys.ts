import fs, { closeSync, constants, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import type { SelectedFile } from './selection';

/** A private key is no shorter and no longer, in bytes. */
const MIN_BYTES = 60;
const MAX_BYTES = 256 * 1024;

/** So much of a file says what it is, in bytes. */
const HEAD_BYTES = 128;

/** How many files are remembered. */
const MOST_KNOWN = 100_000;

/** What keys in the forms of OpenSSL, OpenSSH, PGP and PuTTY begin with, and those of Google's service accounts, which come with any name. */
const KEY =
  /^(?:\xef\xbb\xbf)?\s{0,16}(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-\d|\{\s{0,16}"type":\s{0,4}"service_account")/;

/** Does not follow a link, and does not block on a pipe, that has replaced the file. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** In a thread of its own, to open a file at once is several times as fast as to wait for it. */
const open = isMainThread
  ? promisify(fs.open)
  : (path: string, flags: number): Promise<number> => Promise.resolve(openSync(path, flags));

interface Known {
  /** Of the file, as it was read. */
  state: string;
  isKey: boolean;
}

/** What was found in files, by their absolute paths: most are the same at the next push. */
const known = new Map<string, Known>();

/**
 * Whether a file begins with a private key, whatever it is called. Reads a file again only when its size or one of its times has changed.
 * False for a file that cannot be read, of which nothing is remembered: it may be locked for a moment.
 */
export async function isPrivateKey(
  path: string,
  { size, mtimeMs, ctimeMs }: Pick<SelectedFile, 'size' | 'mtimeMs' | 'ctimeMs'>,
): Promise<boolean> {
  if (size < MIN_BYTES || size > MAX_BYTES) return false;
  const state = `${size} ${mtimeMs} ${ctimeMs}`;
  const found = known.get(path);
  if (found?.state === state) return found.isKey;
  const bytes = await head(path);
  if (!bytes) return false;
  const isKey = beginsWithKey(bytes);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(path, { state, isKey });
  return isKey;
}

/** Whether the first bytes of a file are those of a private key. */
function beginsWithKey(bytes: Buffer): boolean {
  return KEY.test(bytes.toString('latin1', 0, HEAD_BYTES));
}

async function head(path: string): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(HEAD_BYTES);
  try {
    const file = await open(path, OPEN_FLAGS);
    try {
      return bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // What cannot be read is not packed either.
    return undefined;
  }
}
