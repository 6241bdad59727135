import {
  decodeBrowserSession,
  decodeFileInfo,
  decodeList,
  decodeProfile,
  decodeStoredExtension,
  DecodeError,
} from './decode';
import type { Logger } from './log';
import type {
  BrowserSession,
  CreateBrowserRequest,
  FileInfo,
  Profile,
  ScreenRegion,
  ScrollRequest,
  StoredExtension,
} from './model';
import { jsonOf, LONG_ANSWER_LIMIT_MS, type Operation, Requests } from './requests';
import type { RetryPolicy } from './retry';
import { type HttpResponse, type Part, type ProxySettings, Transport } from './transport';

/** Items asked for per page of a list. */
const PAGE_SIZE = 100;

/** A list longer than this many pages is taken for a server that never ends its paging. */
const MOST_PAGES = 1000;

/** An archive to place on a browser's machine, and the folder name it gets there. */
export interface ExtensionUpload {
  name: string;
  zip: Uint8Array;
}

export interface ServiceClientOptions {
  /** Checked by `parseBaseUrl`. */
  baseUrl: URL;
  token?: string | undefined;
  log: Logger;
  proxy?: ProxySettings;
  /** How patiently reads and deletions are tried again. */
  retry?: RetryPolicy;
}

/**
 * The Browser Cloud Service. Every method rejects with a `ServiceError`, or with the reason of `signal` when that aborts.
 * Reads and deletions are repeated after a passing fault; nothing else is ever sent twice.
 */
export class ServiceClient {
  readonly #transport: Transport;
  readonly #requests: Requests;

  constructor(options: ServiceClientOptions) {
    this.#transport = new Transport(options.proxy);
    this.#requests = new Requests({ ...options, send: (request) => this.#transport.send(request) });
  }

  /** Ends open connections. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Browser sessions, page by page; active ones unless `status` says otherwise. */
  listBrowsers(
    options: { status?: 'active' | 'deleted' | 'all'; query?: string } = {},
    signal?: AbortSignal,
  ): AsyncIterable<BrowserSession> {
    return this.#pages('listBrowsers', '/browsers', { ...options }, decodeBrowserSession, signal);
  }

  /** Starts a browser; takes as long as its start. */
  createBrowser(request: CreateBrowserRequest, signal?: AbortSignal): Promise<BrowserSession> {
    return this.#run(
      {
        name: 'createBrowser',
        method: 'POST',
        path: '/browsers',
        body: { kind: 'json', value: request },
        limitMs: LONG_ANSWER_LIMIT_MS,
        read: (response) => decodeBrowserSession(jsonOf(response)),
      },
      signal,
    );
  }

  /** One session by id or name. */
  getBrowser(idOrName: string, signal?: AbortSignal): Promise<BrowserSession> {
    return this.#run(
      get('getBrowser', path`/browsers/${idOrName}`, (response) => decodeBrowserSession(jsonOf(response))),
      signal,
    );
  }

  /** Ends a session. */
  deleteBrowser(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#run(remove('deleteBrowser', path`/browsers/${idOrName}`), signal);
  }

  /**
   * Places unpacked extensions on the browser's machine and restarts its Chromium. The answer means that DevTools is up, not
   * that the extension runs. Sent once: after a lost answer the caller has to find out what happened.
   */
  uploadExtensionsToBrowser(id: string, extensions: readonly ExtensionUpload[], signal?: AbortSignal): Promise<void> {
    const parts = extensions.flatMap(({ name, zip }, index): Part[] => [
      { name: `extensions[${index}][name]`, value: name },
      { name: `extensions[${index}][zip_file]`, fileName: `${name}.zip`, bytes: zip, contentType: 'application/zip' },
    ]);
    return this.#run(
      {
        name: 'uploadExtensionsToBrowser',
        method: 'POST',
        path: path`/browsers/${id}/extensions`,
        body: { kind: 'multipart', parts },
        accept: '*/*',
        limitMs: LONG_ANSWER_LIMIT_MS,
        read: nothing,
      },
      signal,
    );
  }

  listProfiles(options: { query?: string } = {}, signal?: AbortSignal): AsyncIterable<Profile> {
    return this.#pages('listProfiles', '/profiles', { ...options }, decodeProfile, signal);
  }

  /** Creates a profile; a name that is taken rejects with kind `conflict`. */
  createProfile(name: string | undefined, signal?: AbortSignal): Promise<Profile> {
    return this.#run(
      {
        name: 'createProfile',
        method: 'POST',
        path: '/profiles',
        body: { kind: 'json', value: name === undefined ? {} : { name } },
        read: (response) => decodeProfile(jsonOf(response)),
      },
      signal,
    );
  }

  /** One profile by id or name. */
  getProfile(idOrName: string, signal?: AbortSignal): Promise<Profile> {
    return this.#run(
      get('getProfile', path`/profiles/${idOrName}`, (response) => decodeProfile(jsonOf(response))),
      signal,
    );
  }

  deleteProfile(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#run(remove('deleteProfile', path`/profiles/${idOrName}`), signal);
  }

  /** Extensions stored on the account, for use in sessions yet to be created. */
  listExtensions(options: { query?: string } = {}, signal?: AbortSignal): AsyncIterable<StoredExtension> {
    return this.#pages('listExtensions', '/extensions', { ...options }, decodeStoredExtension, signal);
  }

  /** Stores an archive on the account. */
  uploadExtension(zip: Uint8Array, name: string | undefined, signal?: AbortSignal): Promise<StoredExtension> {
    const file: Part = {
      name: 'file',
      fileName: `${name ?? 'extension'}.zip`,
      bytes: zip,
      contentType: 'application/zip',
    };
    return this.#run(
      {
        name: 'uploadExtension',
        method: 'POST',
        path: '/extensions',
        body: { kind: 'multipart', parts: name === undefined ? [file] : [file, { name: 'name', value: name }] },
        limitMs: LONG_ANSWER_LIMIT_MS,
        read: (response) => decodeStoredExtension(jsonOf(response)),
      },
      signal,
    );
  }

  /** Deletes a stored extension by id or name; what was pushed to a session stays there. */
  deleteExtension(idOrName: string, signal?: AbortSignal): Promise<void> {
    return this.#run(remove('deleteExtension', path`/extensions/${idOrName}`), signal);
  }

  /** Turns the mouse wheel at a point of the browser's screen. */
  scroll(id: string, request: ScrollRequest, signal?: AbortSignal): Promise<void> {
    return this.#run(
      {
        name: 'scroll',
        method: 'POST',
        path: path`/browsers/${id}/computer/scroll`,
        body: { kind: 'json', value: request },
        accept: '*/*',
        read: nothing,
      },
      signal,
    );
  }

  /** The browser's screen as a PNG, in the same pixels that `scroll` takes. */
  screenshot(id: string, region?: ScreenRegion, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#run(
      {
        name: 'screenshot',
        method: 'POST',
        path: path`/browsers/${id}/computer/screenshot`,
        body: { kind: 'json', value: region ? { region } : {} },
        accept: 'image/png',
        read: (response) => response.bytes,
      },
      signal,
    );
  }

  /** The entries of a folder on the browser's machine. */
  listFiles(id: string, folder: string, signal?: AbortSignal): Promise<FileInfo[]> {
    const read = (response: HttpResponse): FileInfo[] => {
      const value = jsonOf(response);
      // An empty folder may be null (source: the open in-VM server, whose lists are Go slices).
      return value === null ? [] : decodeList(value, 'files', decodeFileInfo);
    };
    return this.#run(
      { ...get('listFiles', path`/browsers/${id}/fs/list_files`, read), query: { path: folder } },
      signal,
    );
  }

  /** Unpacks an archive into a folder on the browser's machine, over what is there; removes nothing. */
  uploadZip(id: string, zip: Uint8Array, folder: string, signal?: AbortSignal): Promise<void> {
    return this.#run(
      {
        name: 'uploadZip',
        method: 'POST',
        path: path`/browsers/${id}/fs/upload_zip`,
        body: {
          kind: 'multipart',
          parts: [
            { name: 'zip_file', fileName: 'files.zip', bytes: zip, contentType: 'application/zip' },
            { name: 'dest_path', value: folder },
          ],
        },
        accept: '*/*',
        limitMs: LONG_ANSWER_LIMIT_MS,
        read: nothing,
      },
      signal,
    );
  }

  /** Renames a file or folder on the browser's machine. */
  moveFile(id: string, from: string, to: string, signal?: AbortSignal): Promise<void> {
    return this.#run(
      {
        name: 'moveFile',
        method: 'PUT',
        path: path`/browsers/${id}/fs/move`,
        body: { kind: 'json', value: { src_path: from, dest_path: to } },
        accept: '*/*',
        read: nothing,
      },
      signal,
    );
  }

  /** Removes a folder with all it holds; a folder that is not there counts as removed. */
  deleteDirectory(id: string, folder: string, signal?: AbortSignal): Promise<void> {
    return this.#run(
      {
        name: 'deleteDirectory',
        method: 'PUT',
        path: path`/browsers/${id}/fs/delete_directory`,
        body: { kind: 'json', value: { path: folder } },
        accept: '*/*',
        idempotent: true,
        read: nothing,
      },
      signal,
    );
  }

  #run<T>(operation: Operation<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#requests.run(operation, signal);
  }

  /** Bare arrays with `X-Has-More` and `X-Next-Offset`; an offset that does not grow ends the list with an error. */
  async *#pages<T>(
    name: string,
    listPath: string,
    query: Record<string, string | undefined>,
    item: (value: unknown, where: string) => T,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T, void, undefined> {
    let offset = 0;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { items, hasMore, nextOffset } = await this.#run(
        {
          ...get(name, listPath, (response) => ({
            items: decodeList(jsonOf(response), name, item),
            hasMore: response.headers['x-has-more'] === 'true',
            nextOffset: Number.parseInt(response.headers['x-next-offset'] ?? '0', 10),
          })),
          query: { ...query, limit: PAGE_SIZE, offset },
        },
        signal,
      );
      yield* items;
      if (!hasMore || items.length === 0) return;
      // The header is absolute. One that is missing or does not lead on is replaced by counting, so no page comes twice.
      offset = nextOffset > offset ? nextOffset : offset + items.length;
    }
    throw new DecodeError(`${name} did not end after ${MOST_PAGES} pages`);
  }
}

const nothing = (): void => undefined;

function get<T>(name: string, operationPath: string, read: (response: HttpResponse) => T): Operation<T> {
  return { name, method: 'GET', path: operationPath, idempotent: true, read };
}

function remove(name: string, operationPath: string): Operation<void> {
  return {
    name,
    method: 'DELETE',
    path: operationPath,
    accept: '*/*',
    idempotent: true,
    goneIsDone: true,
    read: nothing,
  };
}

/** A path whose parameters are percent-encoded. */
function path(strings: TemplateStringsArray, ...parameters: string[]): string {
  return String.raw({ raw: strings }, ...parameters.map(encodeURIComponent));
}
