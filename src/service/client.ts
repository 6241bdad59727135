import type { Logger } from './log';
import type * as model from './model';
import * as browsers from './operations/browsers';
import * as computer from './operations/computer';
import * as extensions from './operations/extensions';
import * as files from './operations/files';
import { pages, type List } from './operations/paging';
import * as pools from './operations/pools';
import * as profiles from './operations/profiles';
import { Requests, type TimeLimits } from './requests';
import type { Content, UploadProgress } from './wire/body';
import type { ProxySettings } from './wire/proxy';
import type { RetryPolicy } from './wire/retry';
import { Transport } from './wire/transport';

export interface ServiceClientOptions {
  /** Checked by `parseBaseUrl`. */
  baseUrl: URL;
  token?: string | undefined;
  log: Logger;
  proxy?: ProxySettings;
  /** How patiently reads and deletions are tried again. */
  retry?: RetryPolicy;
  limits?: TimeLimits;
}

/**
 * The Browser Cloud Service. Every method rejects with a `ServiceError`, or with the reason of `signal` when that aborts.
 * Reads and deletions are repeated after a passing fault; nothing else is ever sent twice. When an error says
 * `mayHaveHappened`, or after an abort, the caller has to look whether it was done.
 */
export class ServiceClient {
  readonly #transport: Transport;
  readonly #requests: Requests;

  /** @throws AddressError when the proxy of settings or environment is not an address. */
  constructor(options: ServiceClientOptions) {
    this.#transport = new Transport(options.proxy);
    this.#requests = new Requests({ ...options, send: (request) => this.#transport.send(request) });
  }

  /** Ends open connections. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Browser sessions, page by page. */
  listBrowsers(query: browsers.BrowserQuery = {}, signal?: AbortSignal): AsyncIterable<model.BrowserSession> {
    return this.#list(browsers.listBrowsers(query), signal);
  }

  /** Starts a browser; takes as long as its start. */
  createBrowser(request: model.CreateBrowserRequest, signal?: AbortSignal): Promise<model.BrowserSession> {
    return this.#requests.run(browsers.createBrowser(request), signal);
  }

  /** One session by id or name. */
  getBrowser(idOrName: string, signal?: AbortSignal, includeDeleted = false): Promise<model.BrowserSession> {
    return this.#requests.run(browsers.getBrowser(idOrName, includeDeleted), signal);
  }

  /** Changes a running session; a new viewport may take a restart of its browser. */
  updateBrowser(
    idOrName: string,
    changes: model.UpdateBrowserRequest,
    signal?: AbortSignal,
  ): Promise<model.BrowserSession> {
    return this.#requests.run(browsers.updateBrowser(idOrName, changes), signal);
  }

  /** Ends a session. */
  deleteBrowser(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(browsers.deleteBrowser(idOrName), signal);
  }

  /**
   * Places unpacked extensions on the browser's machine and restarts its Chromium. The answer means that DevTools is up, not
   * that the extension runs.
   */
  uploadExtensionsToBrowser(
    id: string,
    uploads: readonly browsers.ExtensionUpload[],
    signal?: AbortSignal,
    onProgress?: UploadProgress,
  ): Promise<void> {
    return this.#requests.run(browsers.uploadExtensionsToBrowser(id, uploads, onProgress), signal);
  }

  /** Profiles, page by page. */
  listProfiles(query: profiles.ProfileQuery = {}, signal?: AbortSignal): AsyncIterable<model.Profile> {
    return this.#list(profiles.listProfiles(query), signal);
  }

  /** Creates a profile; a name that is taken rejects with kind `conflict`. */
  createProfile(name: string | undefined, signal?: AbortSignal): Promise<model.Profile> {
    return this.#requests.run(profiles.createProfile(name), signal);
  }

  /** One profile by id or name. */
  getProfile(idOrName: string, signal?: AbortSignal): Promise<model.Profile> {
    return this.#requests.run(profiles.getProfile(idOrName), signal);
  }

  renameProfile(idOrName: string, name: string, signal?: AbortSignal): Promise<model.Profile> {
    return this.#requests.run(profiles.renameProfile(idOrName, name), signal);
  }

  deleteProfile(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(profiles.deleteProfile(idOrName), signal);
  }

  /** Extensions stored on the account, for use in sessions yet to be created. */
  listExtensions(query: extensions.ExtensionQuery = {}, signal?: AbortSignal): AsyncIterable<model.StoredExtension> {
    return this.#list(extensions.listExtensions(query), signal);
  }

  /** Stores an archive on the account. */
  uploadExtension(
    zip: Content,
    name: string | undefined,
    signal?: AbortSignal,
    onProgress?: UploadProgress,
  ): Promise<model.StoredExtension> {
    return this.#requests.run(extensions.uploadExtension(zip, name, onProgress), signal);
  }

  /** The record of a stored extension by id or name. */
  getExtension(idOrName: string, signal?: AbortSignal): Promise<model.StoredExtension> {
    return this.#requests.run(extensions.getExtension(idOrName), signal);
  }

  /** The archive of a stored extension, as it was uploaded. */
  downloadExtension(idOrName: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#requests.run(extensions.downloadExtension(idOrName), signal);
  }

  /** Deletes a stored extension by id or name; what was pushed to a session stays there. */
  deleteExtension(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(extensions.deleteExtension(idOrName), signal);
  }

  /** Turns the mouse wheel at a point of the browser's screen. */
  scroll(id: string, request: model.ScrollRequest, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(computer.scroll(id, request), signal);
  }

  /** The browser's screen, or a part of it, as a PNG in the same pixels that `scroll` takes. */
  screenshot(id: string, region?: model.ScreenRegion, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#requests.run(computer.screenshot(id, region), signal);
  }

  moveMouse(id: string, request: model.MoveMouseRequest, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(computer.moveMouse(id, request), signal);
  }

  clickMouse(id: string, request: model.ClickMouseRequest, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(computer.clickMouse(id, request), signal);
  }

  pressKey(id: string, request: model.PressKeyRequest, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(computer.pressKey(id, request), signal);
  }

  /** Does one action after the other; the first that fails ends the batch and rejects. */
  runBatch(id: string, actions: readonly model.ComputerAction[], signal?: AbortSignal): Promise<void> {
    return this.#requests.run(computer.runBatch(id, actions), signal);
  }

  /** The entries of a folder on the browser's machine. */
  listFiles(id: string, folder: string, signal?: AbortSignal): Promise<model.FileInfo[]> {
    return this.#requests.run(files.listFiles(id, folder), signal);
  }

  /** One file or folder on the browser's machine. */
  fileInfo(id: string, path: string, signal?: AbortSignal): Promise<model.FileInfo> {
    return this.#requests.run(files.fileInfo(id, path), signal);
  }

  createDirectory(id: string, folder: string, mode?: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(files.createDirectory(id, folder, mode), signal);
  }

  /** Removes a folder with all it holds; a folder that is not there counts as removed. */
  deleteDirectory(id: string, folder: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(files.deleteDirectory(id, folder), signal);
  }

  deleteFile(id: string, path: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(files.deleteFile(id, path), signal);
  }

  /** Renames a file or folder on the browser's machine. */
  moveFile(id: string, from: string, to: string, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(files.moveFile(id, from, to), signal);
  }

  readFile(id: string, path: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#requests.run(files.readFile(id, path), signal);
  }

  /** Writes a file and makes the folders above it; `mode` in octal digits. */
  writeFile(
    id: string,
    path: string,
    content: Content,
    mode?: string,
    signal?: AbortSignal,
    onProgress?: UploadProgress,
  ): Promise<void> {
    return this.#requests.run(files.writeFile(id, path, content, mode, onProgress), signal);
  }

  /** Unpacks an archive into a folder on the browser's machine, over what is there; removes nothing. */
  uploadZip(
    id: string,
    zip: Content,
    folder: string,
    signal?: AbortSignal,
    onProgress?: UploadProgress,
  ): Promise<void> {
    return this.#requests.run(files.uploadZip(id, zip, folder, onProgress), signal);
  }

  /** A folder on the browser's machine as a zip archive. */
  downloadZip(id: string, folder: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#requests.run(files.downloadZip(id, folder), signal);
  }

  /** Takes a browser out of a pool; undefined when none became free in time. */
  acquireBrowser(
    pool: string,
    request: model.AcquireBrowserRequest = {},
    signal?: AbortSignal,
  ): Promise<model.BrowserSession | undefined> {
    return this.#requests.run(pools.acquireBrowser(pool, request), signal);
  }

  /** Gives a browser back. One that got an extension must not be reused: the extension would run at the next user's. */
  releaseBrowser(pool: string, request: model.ReleaseBrowserRequest, signal?: AbortSignal): Promise<void> {
    return this.#requests.run(pools.releaseBrowser(pool, request), signal);
  }

  #list<T>(list: List<T>, signal: AbortSignal | undefined): AsyncIterable<T> {
    return pages(list, (operation) => this.#requests.run(operation, signal));
  }
}
