import * as l10n from '@vscode/l10n';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Uri, window, workspace, type Disposable } from 'vscode';
import { succeeds } from '../../base/succeeds';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { confirm, showStatus } from '../notify';

/** The longest recording, in bytes: an hour of a moving page. */
const MAX_RECORDING_BYTES = 1024 * 1024 * 1024;

/** Takes the recordings of a screen and saves them where the user wants them. */
export class Recordings implements Disposable {
  #recording: { path: string; bytes: number } | undefined;
  /** Where the next recording is saved, instead of asking. */
  file: Uri | undefined;

  /** `storage`: a folder for what is not finished. */
  constructor(
    private readonly storage: Uri,
    private readonly browser: () => Browser | undefined,
  ) {}

  /** Adds a part of a recording; with the last one asks for a file. Without one, the recording is dropped. */
  async add(bytes: Uint8Array, { isLast }: { isLast: boolean }): Promise<void> {
    // The end of one that was ended before, as when its page was hidden.
    if (!this.#recording && bytes.length === 0) return;
    this.#recording ??= { path: join(this.storage.fsPath, `recording-${Date.now()}.webm`), bytes: 0 };
    const recording = this.#recording;
    recording.bytes += bytes.length;
    if (bytes.length > 0 && recording.bytes <= MAX_RECORDING_BYTES) {
      await mkdir(this.storage.fsPath, { recursive: true });
      await appendFile(recording.path, bytes);
    }
    if (!isLast) return;
    this.#recording = undefined;
    const given = this.file;
    this.file = undefined;
    try {
      const file = await fileFor(given, () => askFile(l10n.t('Save Recording'), this.browser(), 'webm'));
      if (!file) return;
      await workspace.fs.copy(Uri.file(recording.path), file, { overwrite: true });
      showStatus(l10n.t('The recording was saved'));
    } finally {
      await rm(recording.path, { force: true });
    }
  }

  dispose(): void {
    if (this.#recording) void rm(this.#recording.path, { force: true }).catch(() => undefined);
  }
}

/** Writes a PNG of a browser's screen into a file, for which the user is asked unless it is given. */
export async function savePicture(png: Uint8Array, browser: Browser, given?: Uri): Promise<void> {
  const file = await fileFor(given, () => askFile(l10n.t('Save Picture'), browser, 'png'));
  if (!file) return;
  await workspace.fs.writeFile(file, png);
  showStatus(l10n.t('The picture was saved'));
}

/**
 * The file that a command names, unless the user does not want it to be replaced: other extensions and links to commands can name one, too.
 * Without one, `ask` asks for it.
 */
async function fileFor(given: Uri | undefined, ask: () => Promise<Uri | undefined>): Promise<Uri | undefined> {
  if (!given) return await ask();
  if (!(await succeeds(Promise.resolve(workspace.fs.stat(given))))) return given;
  const question = l10n.t('{0} exists already. Replace it?', given.fsPath);
  return (await confirm(question, [], l10n.t('Replace'))) ? given : undefined;
}

async function askFile(
  title: string,
  browser: Browser | undefined,
  extension: 'png' | 'webm',
): Promise<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const name = `${(browser ? browserLabel(browser) : 'screen').replaceAll(/[^\w.-]+/g, '-')}-${time}.${extension}`;
  return await window.showSaveDialog({
    title,
    defaultUri: Uri.joinPath(folder, name),
    filters: { [extension.toUpperCase()]: [extension] },
  });
}
