import * as l10n from '@vscode/l10n';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { Uri, window, workspace, type Disposable } from 'vscode';
import { inFileName } from '../../base/disk';
import { errorMessage } from '../../base/errorMessage';
import { succeeds } from '../../base/succeeds';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { confirm, showError, showStatus } from '../notify';
import { RecordingFile, recordingPath, sweepRecordings } from './recordingFile';

/** Takes the recordings of a screen and saves them where the user wants them. */
export class Recordings implements Disposable {
  #recording: RecordingFile | undefined;
  /** The browser that a recording shows, which is not that of the screen any more when another one was chosen meanwhile. */
  readonly #shown = new WeakMap<RecordingFile, Browser>();
  /** Where the next recording is saved, instead of asking. */
  file: Uri | undefined;

  /** `storage`: a folder for what is not finished. `end` has the page end its recording. */
  constructor(
    private readonly storage: Uri,
    private readonly browser: () => Browser | undefined,
    private readonly end: () => void,
  ) {
    void sweepRecordings(storage.fsPath);
  }

  /** Adds a part of a recording, in the order of the calls; with the last one asks for a file. Without one, the recording is dropped. */
  async add(bytes: Uint8Array, { isLast }: { isLast: boolean }): Promise<void> {
    // The end of one that was ended before, as when its page was hidden.
    if (!this.#recording && bytes.length === 0) return;
    const recording = (this.#recording ??= this.#begin());
    const written = recording.add(bytes);
    if (isLast) this.#recording = undefined;
    await written;
    if (isLast) await this.#save(recording);
  }

  #begin(): RecordingFile {
    const recording: RecordingFile = new RecordingFile(recordingPath(this.storage.fsPath), () => {
      // The page may have ended it, and have begun another one.
      if (this.#recording === recording) this.end();
    });
    const browser = this.browser();
    if (browser) this.#shown.set(recording, browser);
    return recording;
  }

  /** Forgets the file that was named for a recording which has not begun. */
  forget(): void {
    if (!this.#recording) this.file = undefined;
  }

  /** Drops what is not finished. */
  dispose(): void {
    const recording = this.#recording;
    this.#recording = undefined;
    void recording?.drop();
  }

  /** What cannot be saved stays where it is, and the user reads where. */
  async #save(recording: RecordingFile): Promise<void> {
    const { path, failure } = recording;
    const given = this.file;
    this.file = undefined;
    const file = await fileFor(given, () => askFile(l10n.t('Save Recording'), this.#shown.get(recording), 'webm'));
    try {
      if (file) await workspace.fs.copy(Uri.file(path), file, { overwrite: true });
    } catch (error) {
      void showError(
        l10n.t('The recording could not be saved ({0}). It is kept for a week as {1}.', errorMessage(error), path),
      );
      return;
    }
    await rm(path, { force: true });
    if (!file) return;
    if (failure === undefined) showStatus(l10n.t('The recording was saved'));
    else void showError(l10n.t('The recording was saved, but it ends early: {0}', errorMessage(failure)));
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
  const name = `${inFileName(browser ? browserLabel(browser) : 'screen')}-${time}.${extension}`;
  return await window.showSaveDialog({
    title,
    defaultUri: Uri.joinPath(folder, name),
    filters: { [extension.toUpperCase()]: [extension] },
  });
}
