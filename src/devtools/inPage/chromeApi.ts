/**
 * The parts of `chrome.*` that functions of this folder call (C-API-SHAPES). An interface has a namespace that depends on a permission of the
 * extension, or on the kind of page, as one that may be absent.
 */
export interface ExtensionApi {
  action?: ActionApi;
  alarms?: AlarmsApi;
  extension: ViewsApi;
  /** Of its members, this one needs no permission. */
  management: { getPermissionWarningsByManifest(manifest: string): Promise<string[]> };
  permissions: PermissionsApi;
  runtime: RuntimeApi;
  scripting?: ScriptingApi;
  sidePanel?: SidePanelApi;
  storage?: StorageApi;
  tabs: TabsApi;
  userScripts?: { getScripts(): Promise<RegisteredScript[]> };
  windows: WindowsApi;
}

/** What chrome://extensions has besides. */
export interface ExtensionsPageApi {
  developerPrivate: DeveloperPrivateApi;
  management: ManagementApi;
}

/** An event of the API. */
export interface ApiEvent<Args extends readonly unknown[]> {
  addListener(listener: (...args: Args) => void): void;
  removeListener(listener: (...args: Args) => void): void;
  hasListener(listener: (...args: Args) => void): boolean;
  hasListeners(): boolean;
}

interface ActionApi {
  getPopup(of: { tabId?: number }): Promise<string>;
  isEnabled(tabId?: number): Promise<boolean>;
}

/** An alarm that the extension has set; times in milliseconds since the epoch and in minutes. */
export interface ApiAlarm {
  name: string;
  scheduledTime: number;
  periodInMinutes?: number;
}

interface AlarmsApi {
  getAll(): Promise<ApiAlarm[]>;
  /** `dispatch` is of Chromium's own and not a part of the API. */
  onAlarm?: ApiEvent<[alarm: ApiAlarm]> & { dispatch?: (alarm: ApiAlarm) => void };
}

/** A page of the extension, as another one of it sees it. */
export interface ExtensionView {
  document: { hasFocus(): boolean };
  location: { href: string; replace(url: string): void };
}

interface ViewsApi {
  getViews(of: { type?: 'tab' | 'popup'; windowId?: number }): ExtensionView[];
}

/** Permissions by name, and hosts as match patterns. */
export interface ApiPermissions {
  permissions?: string[];
  origins?: string[];
}

interface PermissionsApi {
  contains(permissions: ApiPermissions): Promise<boolean>;
  remove(permissions: ApiPermissions): Promise<boolean>;
}

/** The keys of a manifest that are read. */
export interface ApiManifest {
  background?: { service_worker?: string };
  options_page?: string;
  options_ui?: { page?: string };
  optional_permissions?: string[];
  optional_host_permissions?: string[];
  side_panel?: { default_path?: string };
}

interface RuntimeApi {
  /** Absent in a page whose extension was unloaded. */
  id?: string;
  getContexts(filter: { contextTypes: string[]; documentUrls: string[] }): Promise<unknown[]>;
  getManifest(): ApiManifest;
  getPlatformInfo?(): Promise<unknown>;
  getURL(path: string): string;
  onInstalled?: ApiEvent<[details: { reason: string; previousVersion?: string }]>;
  openOptionsPage(): Promise<void>;
}

/** A content script or user script that was registered: its files are paths, or objects that name a file or hold code. */
export interface RegisteredScript {
  js?: (string | { file?: string })[];
  css?: string[];
}

/** Where scripts and style sheets are injected. */
interface InjectionTarget {
  tabId: number | undefined;
  allFrames: boolean;
}

interface ScriptingApi {
  getRegisteredContentScripts(): Promise<RegisteredScript[]>;
  insertCSS(injection: { target: InjectionTarget; files: string[] }): Promise<void>;
  executeScript(injection: {
    target: InjectionTarget;
    files: string[];
    world: 'ISOLATED' | 'MAIN';
    injectImmediately: boolean;
  }): Promise<unknown>;
}

/** The options of a side panel: of all tabs, or of one. */
export interface PanelOptions {
  tabId?: number;
  path?: string;
  enabled?: boolean;
}

interface SidePanelApi {
  getOptions(of: { tabId?: number | undefined }): Promise<PanelOptions>;
  setOptions(options: PanelOptions): Promise<void>;
  /** Absent in older versions (C-API-PANEL-OPEN). */
  open?(where: { tabId: number } | { windowId: number }): Promise<void>;
}

/** The names of the areas. */
export type ApiStorageArea = 'local' | 'sync' | 'session' | 'managed';

interface AreaApi {
  get(keys: string[] | null): Promise<Record<string, unknown>>;
  set(items: object): Promise<void>;
  remove(keys: string[]): Promise<void>;
  clear(): Promise<void>;
  getBytesInUse?(keys: null): Promise<number>;
}

type StorageApi = { onChanged: ApiEvent<[changes: object, area: string]> } & Partial<Record<ApiStorageArea, AreaApi>>;

/** A tab; its address is absent where the extension may not know it. */
export interface ApiTab {
  id?: number;
  windowId: number;
  active: boolean;
  url?: string;
}

type TabsApi = {
  query(filter: { active?: boolean; currentWindow?: boolean; windowId?: number; url?: string[] }): Promise<ApiTab[]>;
  setZoom(tabId: number | undefined, factor: number): Promise<void>;
} & Partial<Record<'onCreated' | 'onUpdated' | 'onRemoved', ApiEvent<unknown[]>>>;

interface ApiWindow {
  id: number;
  type: string;
}

interface WindowsApi {
  getAll(filter: { windowTypes: string[] }): Promise<ApiWindow[]>;
  getLastFocused(filter: { windowTypes: string[] }): Promise<ApiWindow>;
}

/** An error that Chromium has collected of an extension; of the manifest, or while it ran. */
export interface CollectedError {
  id: number;
  type: 'MANIFEST' | 'RUNTIME';
  message: string;
  source: string;
  manifestKey?: string;
  severity?: 'LOG' | 'WARN' | 'ERROR';
  contextUrl?: string;
  isServiceWorker?: boolean;
  occurrences?: number;
  stackTrace?: { url: string; lineNumber: number; columnNumber: number }[];
}

/** On which of the sites that it asks for an extension may run. */
export type ApiHostAccess = 'ON_CLICK' | 'ON_SPECIFIC_SITES' | 'ON_ALL_SITES';

/** What chrome://extensions shows of an extension. */
export interface ExtensionInfo {
  id: string;
  /** Its folder; absent of one that is packed. */
  path?: string;
  views: { type: string; url: string }[];
  optionsPage?: { url: string };
  manifestErrors: CollectedError[];
  runtimeErrors: CollectedError[];
  incognitoAccess: { isActive: boolean; isEnabled: boolean };
  fileAccess: { isActive: boolean; isEnabled: boolean };
  errorCollection: { isActive: boolean; isEnabled: boolean };
  pinnedToToolbar?: boolean;
  permissions: {
    runtimeHostPermissions?: { hostAccess: ApiHostAccess; hosts: { host: string; granted: boolean }[] };
  };
}

/** What a change of an extension's settings names. */
export interface ConfigurationChange {
  extensionId: string;
  incognitoAccess?: boolean;
  fileAccess?: boolean;
  errorCollection?: boolean;
  pinnedToToolbar?: boolean;
  hostAccess?: ApiHostAccess;
}

/** What has changed of an extension; the description is absent of one that was removed. */
export interface ItemStateChange {
  event_type: string;
  extensionInfo?: ExtensionInfo;
}

interface DeveloperPrivateApi {
  onItemStateChanged: ApiEvent<[change: ItemStateChange]>;
  addHostPermission(id: string, pattern: string): Promise<void>;
  deleteExtensionErrors(which: { extensionId: string; type: 'RUNTIME' }): unknown;
  getExtensionInfo(id: string): Promise<ExtensionInfo>;
  reload(
    id: string,
    options: { failQuietly: boolean; populateErrorForUnpacked: boolean },
  ): Promise<{ error?: string } | undefined>;
  updateExtensionConfiguration(change: ConfigurationChange): Promise<void>;
  updateProfileConfiguration(change: { inDeveloperMode: boolean }): Promise<void>;
}

type ManagementApi = {
  setEnabled(id: string, isEnabled: boolean): Promise<void>;
} & Record<'onEnabled' | 'onDisabled' | 'onInstalled', ApiEvent<[extension: { id: string }]>> & {
    onUninstalled: ApiEvent<[id: string]>;
  };
