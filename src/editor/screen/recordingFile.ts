import * as l10n from '@vscode/l10n';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../../base/units';

/** The longest recording, in bytes: an hour of a moving page. */
const MAX_BYTES = 1_000_000_000;

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
