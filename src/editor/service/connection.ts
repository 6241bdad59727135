import * as l10n from '@vscode/l10n';
import { dirname } from 'node:path';
import { EventEmitter, workspace, type Disposable } from 'vscode';
import { sharedFolder } from '../../push/turns/sharedFolder';
import { AddressError, CLOUD_BASE_URL, isLoopback, parseBaseUrl, parseProject } from '../../service/serviceAddress';
import type { BrowserService } from '../../service/browserService';
import type { LocalService } from '../../service/localProcess';
import { durationText } from '../../base/units';
import { TokenMissingError, UserError } from '../errorTexts';
import type { Wiring } from '../wiring';
import { affectsService, readServiceSettings, type ServiceSettings } from '../settings';
import { EnteredIds } from './enteredIds';
import { TokenStore } from './tokens';

/** The service in use, for features that need nothing else. */
export interface ServiceWiring extends Wiring {
  connection: ServiceConnection;
}

/** The local service, and the setting that it was started with. */
interface StartedLocal {
  service: LocalService;
  browserPath: string;
}

/**
 * The service that the settings choose. The client is created on demand, which also starts the local service; a
 * change of settings or token drops it.
 */
export class ServiceConnection implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** Fires when another service, or another token, is in use from now on. */
  readonly onDidChange = this.#changed.event;

  /** The folder of the local service's data. Shared by all windows of this user on this machine. */
  readonly localDataFolder: string;
  #client: Promise<BrowserService> | undefined;
  /** The address of the last client, and the key of its service. */
  #address: { key: string; baseUrl: URL } | undefined;
  /** The local service. It is kept while another service is in use: its browsers go on. */
  #local: StartedLocal | undefined;
  #isDisposed = false;
  #hasEnded = false;
  /** Settles when no local service is being started any more, also for a client that was dropped meanwhile. */
  #starting: Promise<unknown> = Promise.resolve();

  readonly tokens: TokenStore;
  /** The ids and names that were entered for the service in use. */
  readonly entered: EnteredIds;

  constructor(private readonly wiring: Wiring) {
    const { context } = wiring;
    this.tokens = new TokenStore(context.secrets);
    this.entered = new EnteredIds(context.workspaceState, () => this.key);
    this.localDataFolder = `${context.globalStorageUri.fsPath}/local`;
    wiring.own(
      this.#changed,
      this.entered,
      context.secrets.onDidChange(({ key }) => {
        if (this.#usesToken(key)) this.reset();
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (affectsService(event)) this.reset();
      }),
    );
  }

  /**
   * Base address of a service that wants a token; undefined for the local service, which brings its own.
   * @throws AddressError when the setting holds no usable address.
   */
  get remoteUrl(): URL | undefined {
    const settings = readServiceSettings();
    switch (settings.service) {
      case 'local':
        return undefined;
      case 'cloud':
        return parseBaseUrl(CLOUD_BASE_URL);
      case 'other':
        if (settings.serviceUrl.trim() === '') {
          throw new AddressError(l10n.t('No address is set. Run "Sideload: Choose Service…" and enter one.'));
        }
        return parseBaseUrl(settings.serviceUrl);
    }
  }

  /** Identifies the service in use, and the project on it: what is remembered of one is not known to another. */
  get key(): string {
    const { service, serviceUrl, project } = readServiceSettings();
    if (service === 'local') return service;
    const inProject = project.trim() === '' ? '' : `#${project.trim()}`;
    return `${service === 'other' ? serviceUrl : service}${inProject}`;
  }

  /** Whether the service in use is the local one, which Sideload starts. */
  get isEmbedded(): boolean {
    return readServiceSettings().service === 'local';
  }

  /** Whether the browsers of the service in use run on this machine; false while the setting holds no usable address. */
  get isLocal(): boolean {
    try {
      const url = this.remoteUrl;
      return url === undefined || isLoopback(url);
    } catch (error) {
      if (error instanceof AddressError) return false;
      throw error;
    }
  }

  /** The base address of the service in use; undefined before its first client was made. */
  get baseUrl(): URL | undefined {
    return this.#address?.key === this.key ? this.#address.baseUrl : undefined;
  }

  /** Whether the service in use needs a token that is not there. Makes no request. */
  async needsToken(): Promise<boolean> {
    try {
      const url = this.remoteUrl;
      return url !== undefined && (await this.tokens.read(url)) === undefined;
    } catch (error) {
      if (error instanceof AddressError) return false;
      throw error;
    }
  }

  /**
   * The client of the service in use; starts the local service when that is chosen and not running.
   * @throws TokenMissingError, AddressError, ProjectError, TokenStorageError, LocalServiceError
   */
  client(): Promise<BrowserService> {
    if (this.#client) return this.#client;
    const client = this.#connect();
    this.#client = client;
    client.catch(() => {
      // Settings that have changed meanwhile have their own client.
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  /** Drops the client; the next one is made from the settings as they are then. */
  reset(): void {
    this.#drop();
    if (!this.#isDisposed) this.#changed.fire();
  }

  /** Ends the local service with its browsers, also one that other windows use. This window starts none until it is reloaded. */
  async endLocal(): Promise<void> {
    this.#hasEnded = true;
    // A service that is being started would outlive this.
    await this.#starting;
    this.#drop();
    this.#local?.service.dispose();
    this.#local = undefined;
    const { endLocalService } = await import('../../service/localEnd');
    await endLocalService(this.localDataFolder);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#drop();
    this.#local?.service.dispose();
  }

  /** Whether the client has the token of this secret. Windows change those of other services, too, which ends no requests here. */
  #usesToken(secret: string): boolean {
    try {
      const url = this.remoteUrl;
      return url !== undefined && this.tokens.isOf(url, secret);
    } catch (error) {
      if (error instanceof AddressError) return false;
      throw error;
    }
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  async #connect(): Promise<BrowserService> {
    const { key } = this;
    const client = await this.#newClient();
    if (key === this.key) this.#address = { key, baseUrl: client.baseUrl };
    return client;
  }

  async #newClient(): Promise<BrowserService> {
    const settings = readServiceSettings();
    const remote = this.remoteUrl;
    const { ServiceClient } = await import('../../service/client');
    const proxy = proxyOf(settings);
    if (remote) {
      const token = await this.tokens.read(remote);
      if (token === undefined) throw new TokenMissingError();
      this.wiring.log.hide(token);
      const project = parseProject(settings.project);
      return new ServiceClient({ baseUrl: remote, token, project, log: this.wiring.log, proxy });
    }
    const start = this.#startLocal(settings);
    this.#starting = Promise.allSettled([this.#starting, start]);
    const local = await start;
    return new ServiceClient({ baseUrl: parseBaseUrl(local.baseUrl), token: local.token, log: this.wiring.log, proxy });
  }

  /** Leaves a note for the program that runs when Sideload is uninstalled. Never rejects. */
  async #note(): Promise<void> {
    try {
      const { noteService } = await import('../../service/serviceNotes');
      // The folder of all extensions of this editor.
      const extensions = dirname(this.wiring.context.extensionPath);
      await noteService(sharedFolder(), { dataDir: this.localDataFolder, extensions });
    } catch (error) {
      this.wiring.log.debug(`The local service would go on when Sideload is uninstalled: ${String(error)}`);
    }
  }

  /** Keeps the lease of a start, in place of that of another one: settings may have changed during a start. */
  #hold(local: StartedLocal): void {
    this.#local?.service.dispose();
    this.#local = local;
  }

  async #startLocal(settings: ServiceSettings): Promise<LocalService> {
    if (this.#local?.browserPath === settings.browserPath) return this.#local.service;
    if (this.#hasEnded) throw new UserError(l10n.t('The data of Sideload was removed. Reload the window.'));
    this.#local?.service.dispose();
    this.#local = undefined;
    const started = performance.now();
    const { connectLocalService } = await import('../../service/localProcess');
    const local = await connectLocalService({
      script: this.wiring.context.asAbsolutePath('dist/local.js'),
      dataDir: this.localDataFolder,
      browserPath: settings.browserPath,
      // The extension host ends when its window reloads; what has started it goes on.
      editorPid: process.ppid,
      log: this.wiring.log,
      onLost: () => {
        this.wiring.log.warn('The local service ended. It will be started again when it is needed.');
        this.#local = undefined;
        if (readServiceSettings().service === 'local') this.reset();
      },
    });
    this.wiring.log.hide(local.token);
    void this.#note();
    const took = durationText(performance.now() - started);
    this.wiring.log.info(local.started ? `Local service started in ${took}` : `Local service found running in ${took}`);
    if (this.#isDisposed || this.#hasEnded) {
      local.dispose();
      return local;
    }
    this.#hold({ service: local, browserPath: settings.browserPath });
    return local;
  }
}

function proxyOf(settings: ServiceSettings): { proxy?: string; noProxy: readonly string[]; strictSsl: boolean } {
  return {
    ...(settings.proxy === '' ? {} : { proxy: settings.proxy }),
    noProxy: settings.noProxy,
    strictSsl: settings.strictSsl,
  };
}
