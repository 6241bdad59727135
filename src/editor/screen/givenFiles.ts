import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { realClock, type Clock } from '../../base/clock';
import type { DocumentEnd } from '../../devtools/protocol/documentEnd';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { Log } from '../channelLog';

/**
 * How long files stay after nobody has followed their page any more, in milliseconds: a page reads a file when it sends it, which may be long
 * after it got it, and the user may do so in the browser's own window.
 */
export const UNFOLLOWED_MS = 60 * 60 * 1000;

/** A file is readable for the browser's user: on this machine that is the user of the service; elsewhere it may be another one. */
const MODES = { local: '600', remote: '644' };

/** A file that the user has picked for a page. */
export interface PickedFile {
  /** Without a folder. */
  name: string;
  bytes: () => Promise<Uint8Array>;
}

/** The service of the browser that files are copied to. */
type FileClient = Pick<BrowserService, 'writeFile' | 'deleteDirectory'>;

export interface GivenFilesOptions {
  /** A folder on a browser's machine for files that are given to pages. */
  folder: (browser: Browser) => Promise<string>;
  /** Whether the browsers are on this machine. */
  isLocal: () => boolean;
  log: Pick<Log, 'debug'>;
}

/**
 * Copies of files on browsers' machines, which were given to pages. They are removed when the page has left: it was closed, or another document
 * took its place. Where that cannot be seen, since the screen was closed or paused, they are removed after {@link UNFOLLOWED_MS}.
 */
export class GivenFiles {
  constructor(
    private readonly options: GivenFilesOptions,
    private readonly clock: Clock = realClock,
  ) {}

  /**
   * Copies files to the machine of a browser and gives them to a field of a page. `client` is of the service of the browser, also when another one is
   * chosen since. Rejects when the service or the page fails: no copy stays then.
   */
  async give(
    page: PageScreen,
    backendNodeId: number,
    { client, browser }: { client: FileClient; browser: Browser },
    files: readonly PickedFile[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { folder: folderOf, isLocal } = this.options;
    // A folder for each time, so that files of the same name can be given.
    const folder = posix.join(await folderOf(browser), randomBytes(8).toString('hex'));
    const mode = isLocal() ? MODES.local : MODES.remote;
    const paths: string[] = [];
    try {
      // Before the field gets them: the page may leave at once.
      const { watchDocument } = await import('../../devtools/protocol/documentEnd');
      const watch = await watchDocument(page.session, page.targetId);
      for (const [index, { name, bytes }] of files.entries()) {
        const path = posix.join(folder, String(index), name);
        await client.writeFile(browser.id, path, await bytes(), mode, signal);
        paths.push(path);
      }
      await page.setFiles(backendNodeId, paths);
      void this.#removeAfter(watch?.ended, client, browser, folder);
    } catch (error) {
      await this.#remove(client, browser, folder);
      throw error;
    }
  }

  /** Never rejects. */
  async #removeAfter(
    ended: Promise<DocumentEnd> | undefined,
    client: FileClient,
    browser: Browser,
    folder: string,
  ): Promise<void> {
    if ((await ended) !== 'left') await this.clock.delay(UNFOLLOWED_MS, { ref: false });
    await this.#remove(client, browser, folder);
  }

  /** Never rejects: with the browser, its machine ends. */
  async #remove(client: FileClient, { id }: Browser, folder: string): Promise<void> {
    try {
      await client.deleteDirectory(id, folder);
    } catch (error) {
      this.options.log.debug(`The files in ${folder} were not removed: ${String(error)}`);
    }
  }
}
