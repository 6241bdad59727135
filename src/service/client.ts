import { ServiceError } from './serviceErrors';
import type * as model from './model';
import * as browsers from './operations/browserOperations';
import * as computer from './operations/computerOperations';
import * as extensions from './operations/extensionOperations';
import * as files from './operations/fileOperations';
import * as limits from './operations/accountLimits';
import type { ListPage, NameQuery } from './operations/pagedRequest';
import type { Operation } from './operations/operation';
import * as pools from './operations/poolOperations';
import * as profiles from './operations/profileOperations';
import { Requests, type RequestsOptions } from './requests';
import type { ProxySettings } from './wire/proxy';
import { Transport } from './wire/transport';

/** The operations that every service has. */
const DOCUMENTED = new Set(['uploadExtensionsToBrowser', 'scroll', 'createProfile', 'getProfile', 'deleteExtension']);

export interface ServiceClientOptions extends Omit<RequestsOptions, 'send' | 'clock'> {
  proxy?: ProxySettings;
}

/**
 * A client of the Browser Cloud Service. Every method rejects with a `ServiceError`, or with the reason of `signal` when that aborts,
 * and settles within its time limit, retries included.
 * Reads and deletions are retried after a transient failure; all other requests are sent once. After an error with `mayHaveHappened`, or
 * an abort, the caller has to find out whether the operation was done.
 */
export class ServiceClient {
  /** The address that the client was made with. */
  readonly baseUrl: URL;
  readonly #project: string | undefined;
  readonly #transport: Transport;
  readonly #requests: Requests;
  /** Ids of browsers that a service which lists no browsers has answered 404 to. */
  readonly #undescribed = new Set<string>();

  /** @throws AddressError when the proxy in the settings or in the environment is not a valid URL. */
  constructor(options: ServiceClientOptions) {
    this.baseUrl = options.baseUrl;
    this.#project = options.project;
    this.#transport = new Transport(options.proxy);
    this.#requests = new Requests({ ...options, send: (request) => this.#transport.send(request) });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Browsers, page by page. */
  listBrowsers(query: browsers.BrowserQuery = {}, signal?: AbortSignal): AsyncIterable<model.Browser> {
    return this.#requests.list(browsers.listBrowsers(query), signal);
  }

  pageOfBrowsers(query: browsers.BrowserQuery, offset: number, signal?: AbortSignal): Promise<ListPage<model.Browser>> {
    return this.#requests.page(browsers.listBrowsers(query), offset, signal);
  }

  /** Starts a browser; resolves when it has started. */
  async createBrowser(request: model.CreateBrowserRequest, signal?: AbortSignal): Promise<model.Browser> {
    try {
      return await this.#run(browsers.createBrowser(request, signal));
    } catch (error) {
      // A service that lists no browsers does not start any, either, when it answers 404; of others, a profile may be missing.
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
      const isThere = await this.#describesBrowsers(signal).catch(() => true);
      throw isThere ? error : this.#requests.noteMissing(error);
    }
  }

  /**
   * The most browsers that may run at the same time where the client creates them: the smaller one of the account's limit and the
   * project's, as far as the service answers for them. Undefined where it reports none.
   */
  async concurrencyLimit(signal?: AbortSignal): Promise<number | undefined> {
    const project = this.#project;
    const [ofAccount, ofProject] = await Promise.allSettled([
      this.#run(limits.getAccountLimits(signal)),
      project === undefined ? undefined : this.#run(limits.getProjectLimit(project, signal)),
    ]);
    const { account, perProject } = ofAccount.status === 'fulfilled' ? ofAccount.value : {};
    // The default project may have a limit of its own, which is found only by its id or name.
    const isKnown = project !== undefined && ofProject.status === 'fulfilled';
    const inProject = isKnown ? (ofProject.value ?? perProject) : undefined;
    const known = [account, inProject].filter((limit) => limit !== undefined);
    if (known.length === 0 && ofAccount.status === 'rejected') throw ofAccount.reason;
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** One browser by id or name. */
  readonly getBrowser = this.#calls(browsers.getBrowser);

  /**
   * The running browser that an id or a name stands for; undefined when the service says that there is none. Of a service that describes no
   * browsers the result has the id alone: whether it runs is not known then.
   */
  async findBrowser(idOrName: string, signal?: AbortSignal): Promise<model.Browser | undefined> {
    const bare: model.Browser = { id: idOrName, devToolsUrl: '' };
    if (this.#undescribed.has(idOrName)) return bare;
    try {
      const browser = await this.getBrowser(idOrName, signal);
      return browser.deletedAt ? undefined : browser;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind === 'unsupported') return bare;
      if (error.kind !== 'notFound') throw error;
      if (await this.#describesBrowsers(signal)) return undefined;
      this.#undescribed.add(idOrName);
      return bare;
    }
  }

  /** Whether the service has answered that it does not have an operation of the interface, such as `listBrowsers`. */
  lacks(operation: string): boolean {
    return this.#requests.known(operation) === 'missing';
  }

  /** Forgets which operations the service does not have: each is tried again. */
  forgetMissing(): void {
    this.#undescribed.clear();
    this.#requests.forgetMissing();
  }

  /** Changes a running browser; a new viewport may restart it. */
  readonly updateBrowser = this.#calls(browsers.updateBrowser);

  /** Ends a browser. */
  readonly deleteBrowser = this.#calls(browsers.deleteBrowser);

  /**
   * Unpacks extensions on the browser's machine and restarts its Chromium. The response means that DevTools is ready, not that the
   * extensions run.
   */
  readonly uploadExtensionsToBrowser = this.#calls(browsers.uploadExtensionsToBrowser);

  /** Profiles, page by page. */
  listProfiles(query: NameQuery = {}, signal?: AbortSignal): AsyncIterable<model.Profile> {
    return this.#requests.list(profiles.listProfiles(query), signal);
  }

  pageOfProfiles(query: NameQuery, offset: number, signal?: AbortSignal): Promise<ListPage<model.Profile>> {
    return this.#requests.page(profiles.listProfiles(query), offset, signal);
  }

  /** Creates a profile; rejects with kind `conflict` when the name is taken. Undefined where the service does not describe it. */
  readonly createProfile = this.#calls(profiles.createProfile);

  /** One profile by id or name. */
  readonly getProfile = this.#calls(profiles.getProfile);

  readonly renameProfile = this.#calls(profiles.renameProfile);

  readonly deleteProfile = this.#calls(profiles.deleteProfile);

  /** Extensions stored on the account, for future browsers. */
  listExtensions(query: NameQuery = {}, signal?: AbortSignal): AsyncIterable<model.StoredExtension> {
    return this.#requests.list(extensions.listExtensions(query), signal);
  }

  pageOfExtensions(query: NameQuery, offset: number, signal?: AbortSignal): Promise<ListPage<model.StoredExtension>> {
    return this.#requests.page(extensions.listExtensions(query), offset, signal);
  }

  /** Stores an archive on the account. */
  readonly uploadExtension = this.#calls(extensions.uploadExtension);

  /** The record of a stored extension by id or name. */
  readonly getExtension = this.#calls(extensions.getExtension);

  /** The archive of a stored extension, as it was uploaded. */
  readonly downloadExtension = this.#calls(extensions.downloadExtension);

  /** The published version of the extension at an address of the Chrome Web Store, as a zip. */
  readonly downloadPublished = this.#calls(extensions.downloadPublished);

  /** Deletes a stored extension by id or name, but no copy in a browser. */
  readonly deleteExtension = this.#calls(extensions.deleteExtension);

  /** Scrolls the mouse wheel at a point of the browser's screen. */
  readonly scroll = this.#calls(computer.scroll);

  /** A PNG of the browser's screen, or of a part of it, in the pixels of `scroll`. */
  readonly screenshot = this.#calls(computer.screenshot);

  readonly moveMouse = this.#calls(computer.moveMouse);

  readonly clickMouse = this.#calls(computer.clickMouse);

  readonly pressKey = this.#calls(computer.pressKey);

  /** Performs actions in sequence; rejects at the first that fails. */
  readonly runBatch = this.#calls(computer.runBatch);

  /** The entries of a folder on the browser's machine. */
  readonly listFiles = this.#calls(files.listFiles);

  /** One file or folder on the browser's machine. */
  readonly fileInfo = this.#calls(files.fileInfo);

  readonly createDirectory = this.#calls(files.createDirectory);

  /** Deletes a folder with its content; resolves when it does not exist. */
  readonly deleteDirectory = this.#calls(files.deleteDirectory);

  readonly deleteFile = this.#calls(files.deleteFile);

  /** Renames a file or folder on the browser's machine. */
  readonly moveFile = this.#calls(files.moveFile);

  /** Reads a file on the browser's machine; rejects when it has more than `maxBytes`, 64 MiB by default. */
  readonly readFile = this.#calls(files.readFile);

  /** Writes a file and creates its parent folders; `mode` in octal digits. */
  readonly writeFile = this.#calls(files.writeFile);

  /** Unpacks an archive into a folder on the browser's machine, over existing files, and removes none. */
  readonly uploadZip = this.#calls(files.uploadZip);

  /** Pools of browsers, page by page. */
  listPools(signal?: AbortSignal): AsyncIterable<model.BrowserPool> {
    return this.#requests.list(pools.listPools(), signal);
  }

  /** Acquires a browser from a pool; undefined when none became free in time. */
  readonly acquireBrowser = this.#calls(pools.acquireBrowser);

  /** Releases a browser to its pool. One with an extension must not be reused, or the next user would get the extension. */
  readonly releaseBrowser = this.#calls(pools.releaseBrowser);

  /** The method that runs an operation, with the parameters that make the operation. */
  #calls<Parameters extends unknown[], T>(
    operation: (...parameters: Parameters) => Operation<T>,
  ): (...parameters: Parameters) => Promise<T> {
    return (...parameters) => this.#run(operation(...parameters));
  }

  #run<T>(operation: Operation<T>): Promise<T> {
    const { path, name, signal } = operation;
    const [group, id = ''] = path;
    // Of a service that describes no browsers, or lists none of its records, only the documented operations can be expected.
    const isBare =
      (group === 'browsers' && this.#undescribed.has(id)) ||
      (group === 'profiles' && this.lacks('listProfiles')) ||
      (group === 'extensions' && this.lacks('listExtensions'));
    const isExtra = isBare && !DOCUMENTED.has(name);
    return this.#requests.run(isExtra ? { ...operation, notFoundIsMissing: true } : operation, signal);
  }

  /** Whether a 404 to a browser's id is about the browser, and not about the operation. */
  async #describesBrowsers(signal: AbortSignal | undefined): Promise<boolean> {
    const isKnown = ['getBrowser', 'listBrowsers'].some((name) => this.#requests.known(name) === 'there');
    if (isKnown) return true;
    try {
      await this.pageOfBrowsers({}, 0, signal);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'unsupported') return false;
      throw error;
    }
  }
}
