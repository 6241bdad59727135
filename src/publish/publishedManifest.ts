import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readRegularFile } from '../base/disk';
import { MANIFEST_FILE } from '../manifest/load';
import { folderEnvironment } from './childCommand';

/** A larger manifest is not read, in bytes; the check refuses it, too. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Longest time for a command of git that reads one file, in milliseconds. */
const GIT_LIMIT_MS = 5000;

/** How the words of `--update-from` begin that say what they name. */
const PREFIX = /^(folder|file|git):(?=.)/s;

/** What may be a tag, a branch or a commit: no option, and nothing that names a file itself. */
const REVISION = /^[\w@][\w./@{}^~+-]*$/;

/**
 * The text of the `manifest.json` of the version that people have. `words` are those of `--update-from`: a folder that holds it, such a file
 * itself, both absolute or relative to `base`, or else a tag or commit of the repository that holds the extension folder `folder`. Undefined
 * when there is none to be found. Runs git without hooks, filters, fetches and a shell, but by the configuration of the repository: not of one
 * that is not trusted. Never rejects.
 */
export async function publishedManifest(words: string, folder: string, base: string): Promise<string | undefined> {
  const [, named] = PREFIX.exec(words) ?? [];
  const from = words.replace(PREFIX, '');
  const path = resolve(base, from);
  const kind = named === 'git' ? undefined : await stat(path).catch(() => undefined);
  const file = kind?.isDirectory() ? join(path, MANIFEST_FILE) : path;
  if (kind) return (await readRegularFile(file, MAX_BYTES))?.toString('utf8');
  const mayBeRevision = named === undefined || named === 'git';
  return mayBeRevision && REVISION.test(from) ? await committedManifest(from, folder) : undefined;
}

/** A repository that lacks the file gets it from nowhere, by whatever program its configuration names for that. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** The manifest in a folder at a commit, as git keeps it. */
async function committedManifest(revision: string, folder: string): Promise<string | undefined> {
  try {
    const args = ['cat-file', 'blob', `${revision}:./${MANIFEST_FILE}`];
    const env = { ...folderEnvironment(), ...NO_FETCH };
    const options = { cwd: folder, env, maxBuffer: MAX_BYTES, timeout: GIT_LIMIT_MS, windowsHide: true };
    return (await promisify(execFile)('git', args, options)).stdout;
  } catch {
    // No git, no repository, no such tag, or no manifest in it.
    return undefined;
  }
}
