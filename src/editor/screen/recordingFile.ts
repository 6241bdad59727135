import * as l10n from '@vscode/l10n';
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sizeText } from '../../base/units';

/** The longest recording, in bytes: an hour of a moving page. */
const MAX_BYTES = 1_000_000_000;

/** How long a file stays that nothing was added to, in milliseconds: the user may take long to say where one is saved, or look for one that was kept. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The path of another recording in a folder. */
export function recordingPath(folder: string, now = Date.now()): string {
  return join(folder, `recording-${now}.webm`);
}

/** Removes recordings from a folder that were not saved, since their extension host was killed. Never rejects. */
export async function sweepRecordings(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => /^recording-\d+\.webm$/.test(one))) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && now - stats.mtimeMs >= KEPT_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** A recording that is being written to disk. */
export class RecordingFile {
  #bytes = 0;
  /** Resolves when all parts so far are on disk, or are left out. */
  #written: Promise<void> = Promise.resolve();
  #failure: unknown;

  /** `onFailure` is called once, when a part could not be written or the recording is as long as one may be: further parts are left out. */
  constructor(
    readonly path: string,
    private readonly onFailure: () => void,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Why the recording ends before its last part; undefined while it does not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds a part, in the order of the calls. Resolves when it is on disk, or is left out. Never rejects. */
  add(bytes: Uint8Array): Promise<void> {
    this.#written = this.#written.then(() => this.#append(bytes));
    return this.#written;
  }

  /** Removes what was written. Never rejects. */
  async drop(): Promise<void> {
    await this.#written;
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined || bytes.length === 0) return;
    this.#bytes += bytes.length;
    try {
      if (this.#bytes > this.maxBytes) throw new Error(l10n.t('A recording has at most {0}.', sizeText(this.maxBytes)));
      await mkdir(dirname(this.path), { recursive: true });
      await appendFile(this.path, bytes);
    } catch (error) {
      this.#failure = error;
      this.onFailure();
    }
  }
}
