import { workspace, type ConfigurationChangeEvent, type Uri } from 'vscode';
import { SETTINGS } from '../ids';
import type { DeliveryMode, TabPolicy } from '../push/browserDelivery';
import type { PushSettings } from '../push/pushRun';

export type ServiceChoice = 'local' | 'cloud' | 'other';
/** `onBuild`: after any process has changed files of the extension folder. */
export type PushOnSave = 'off' | 'onSave' | 'onBuild';

/** The settings of the service in use. A workspace cannot set them. */
export interface ServiceSettings {
  service: ServiceChoice;
  serviceUrl: string;
  /** Id or name of the project on the service; empty for its default. */
  project: string;
  browserPath: string;
  headless: 'auto' | 'always' | 'never';
  proxy: string;
  noProxy: readonly string[];
  strictSsl: boolean;
}

/** The settings of one workspace folder. */
export interface FolderSettings extends PushSettings {
  /** The extension folder, relative to the workspace folder; empty to search for it. */
  folder: string;
  /** Several that are pushed together, relative to it; empty where only one is. */
  folders: readonly string[];
  pushOnSave: PushOnSave;
  /** Whether files that the editor saves by itself count. */
  pushOnAutoSave: boolean;
  /** The page that is opened after "Run Extension"; empty for none. */
  startUrl: string;
  /** What is opened after each push: pages, as `startUrl` names them, or `popup`. */
  openAfterPush: readonly string[];
  storeHints: boolean;
  /** The version that people have: a tag or commit of git, a folder or a `manifest.json`; empty for none. */
  updateFrom: string;
}

export function readServiceSettings(): ServiceSettings {
  const all = workspace.getConfiguration();
  const support = all.get<string>('http.proxySupport', 'override');
  return {
    service: all.get<ServiceChoice>(SETTINGS.service, 'local'),
    serviceUrl: all.get<string>(SETTINGS.serviceUrl, ''),
    project: all.get<string>(SETTINGS.project, ''),
    browserPath: all.get<string>(SETTINGS.browserPath, ''),
    headless: all.get<'auto' | 'always' | 'never'>(SETTINGS.headless, 'auto'),
    proxy: support === 'off' ? '' : all.get<string>('http.proxy', ''),
    noProxy: all.get<string[]>('http.noProxy', []),
    strictSsl: all.get<boolean>('http.proxyStrictSSL', true),
  };
}

/** Whether a change of settings needs another client. */
export function affectsService(event: ConfigurationChangeEvent): boolean {
  return [SETTINGS.service, SETTINGS.serviceUrl, SETTINGS.project, SETTINGS.browserPath, 'http'].some((name) =>
    event.affectsConfiguration(name),
  );
}

/** Seconds without a push after which the DevTools connection to a browser is closed. */
export function readIdleSeconds(): number {
  return workspace.getConfiguration().get<number>(SETTINGS.idleSeconds, 120);
}

/** Which pages beside those of the extension are debugged. */
export type DebugPages = 'matching' | 'extensionOnly';

export function readDebugPages(folder: Uri): DebugPages {
  return workspace.getConfiguration(undefined, folder).get<DebugPages>(SETTINGS.debugPages, 'matching');
}

/** When agents ask the user before they act. */
export type AgentConfirmation = 'oncePerBrowser' | 'never';

export function readAgentConfirmation(): AgentConfirmation {
  return workspace.getConfiguration().get<AgentConfirmation>(SETTINGS.agentConfirmation, 'oncePerBrowser');
}

export function readFolderSettings(folder: Uri): FolderSettings {
  const all = workspace.getConfiguration(undefined, folder);
  return {
    folder: all.get<string>(SETTINGS.folder, ''),
    folders: all.get<string[]>(SETTINGS.folders, []),
    folderName: all.get<string>(SETTINGS.folderName, ''),
    exclude: all.get<string[]>(SETTINGS.exclude, []),
    include: all.get<string[]>(SETTINGS.include, []),
    storeHints: all.get<boolean>(SETTINGS.storeHints, true),
    updateFrom: all.get<string>(SETTINGS.updateFrom, ''),
    pushOnSave: all.get<PushOnSave>(SETTINGS.pushOnSave, 'off'),
    pushOnAutoSave: all.get<boolean>(SETTINGS.pushOnAutoSave, false),
    startUrl: all.get<string>(SETTINGS.startUrl, ''),
    openAfterPush: all.get<string[]>(SETTINGS.openAfterPush, []),
    delivery: all.get<DeliveryMode>(SETTINGS.delivery, 'auto'),
    tabs: all.get<TabPolicy>(SETTINGS.tabs, 'visible'),
  };
}
