import { Uri, workspace } from 'vscode';
import type { BuildFolders } from '../../console/errorSpots';
import type { PartError } from '../../console/extensionErrors';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import { browserKey } from '../../service/browserKey';
import type { PastDelivery } from '../../push/turns/otherPrograms';
import type { BrowserOutcome, PushSettings } from '../../push/pushRun';
import type { BrowserService } from '../../service/browserService';
import type { Browser, CreateBrowserRequest } from '../../service/model';
import type { ToolWindow } from '../../agents/tool';
import { localDefaults } from '../browsers/creating/startBrowser';
import { UserError } from '../errorTexts';
import { eachOf, findExtensionFolder } from '../folder/extensionFolder';
import type { PushWiring } from '../push/pushWiring';
import { readAgentConfirmation, readFolderSettings } from '../settings';
import type { Consent } from './consent';
import { foldersOnDisk } from '../folder/foldersOnDisk';

/** This window as tools for agents see it: with its service, its browsers, and the pushes that the user sees, too. */
export class EditorWindow implements ToolWindow {
  /** The browser that a tool has started last, and the service that it is one of. */
  #created: { id: string; service: string } | undefined;

  /** `consent`: what the person has allowed agents; without it, whoever calls has no limits. */
  constructor(
    private readonly wiring: PushWiring,
    private readonly consent?: Consent,
  ) {}

  get roots(): readonly string[] {
    return foldersOnDisk().map(({ uri }) => uri.fsPath);
  }

  get isLocal(): boolean {
    return this.wiring.connection.isLocal;
  }

  client(): Promise<BrowserService> {
    return this.wiring.connection.client();
  }

  async connections(): Promise<BrowserConnections> {
    return await this.wiring.devTools.ofService();
  }

  settingsOf(folder: string): PushSettings {
    return readFolderSettings(Uri.file(folder));
  }

  /** The folder of each workspace folder that a push takes without a question. */
  async chosenFolders(): Promise<readonly string[]> {
    const { workspaceState } = this.wiring.context;
    const found = await Promise.all(
      foldersOnDisk().map((folder) =>
        findExtensionFolder(folder, workspaceState, { ask: false }).catch(() => undefined),
      ),
    );
    return found.flatMap((extension) => (extension ? eachOf(extension).map(({ path }) => path) : []));
  }

  chosenBrowsers(): readonly string[] {
    const { pins, target, connection } = this.wiring;
    if (this.#created?.service === connection.key) return [this.#created.id];
    if (!pins.isEmpty) return pins.browsers.map(({ browserId }) => browserId);
    return target.browserId === undefined ? [] : [target.browserId];
  }

  isAllowed(browserId: string): boolean {
    if (!this.consent || readAgentConfirmation() === 'never') return true;
    return this.consent.isAllowed(browserId);
  }

  maySeeAllPages(browserId: string): boolean {
    return this.consent?.maySeeAllPages(browserId) ?? true;
  }

  /** @throws UserError in a workspace that is not trusted */
  async push(
    folder: string,
    browser: Browser,
    { mustReload }: { mustReload: boolean },
    signal: AbortSignal,
  ): Promise<BrowserOutcome> {
    const workspaceFolder = workspace.getWorkspaceFolder(Uri.file(folder));
    if (!workspaceFolder) throw new UserError(`${folder} is outside of the workspace.`);
    const extension = { workspaceFolder, path: folder };
    const [browserOutcome] = await this.wiring.pusher.pushForAgent(extension, browser, { mustReload }, signal);
    if (!browserOutcome) throw new Error('The push has no end');
    return browserOutcome;
  }

  browserDefaults(): CreateBrowserRequest {
    return localDefaults();
  }

  async onCreated(browser: Browser): Promise<void> {
    const { ownBrowsers, lists, connection } = this.wiring;
    this.#created = { id: browser.id, service: connection.key };
    await ownBrowsers.remember('started', browser.id);
    await lists.browsers.refresh();
  }

  build(browserId: string): BuildFolders | undefined {
    return this.wiring.records.build(browserId);
  }

  async deliveries(browserId: string): Promise<readonly PastDelivery[]> {
    const client = await this.client().catch(() => undefined);
    if (!client) return [];
    const otherPrograms = await this.wiring.engines.otherPrograms();
    return await otherPrograms.deliveries(browserKey(client.baseUrl, browserId));
  }

  async settledDeliveries(browserId: string, signal: AbortSignal): Promise<readonly PastDelivery[]> {
    const client = await this.client().catch(() => undefined);
    if (!client) return [];
    const otherPrograms = await this.wiring.engines.otherPrograms();
    return await otherPrograms.settledDeliveries(browserKey(client.baseUrl, browserId), signal);
  }

  errors({ id }: Browser, extensionId: string): readonly PartError[] {
    return this.wiring.errors.errorsOf(id, extensionId);
  }
}
