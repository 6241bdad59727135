/** Every id that package.json and the code share, once. A unit test compares them with package.json both ways. */

export const EXTENSION_ID = 'sideload.sideload';

export const COMMANDS = {
  runExtension: 'sideload.runExtension',
  debugExtension: 'sideload.debugExtension',
  push: 'sideload.push',
  pushToRow: 'sideload.pushToRow',
  pushTo: 'sideload.pushTo',
  chooseBrowsers: 'sideload.chooseBrowsers',
  setTarget: 'sideload.setTarget',
  pushToSeveral: 'sideload.pushToSeveral',
  pinBrowser: 'sideload.pinBrowser',
  unpinBrowser: 'sideload.unpinBrowser',
  createBrowser: 'sideload.createBrowser',
  createBrowserWithOptions: 'sideload.createBrowserWithOptions',
  enterBrowser: 'sideload.enterBrowser',
  enterProfile: 'sideload.enterProfile',
  enterExtension: 'sideload.enterExtension',
  removeEntered: 'sideload.removeEntered',
  deleteBrowser: 'sideload.deleteBrowser',
  renameBrowser: 'sideload.renameBrowser',
  openLiveView: 'sideload.openLiveView',
  reloadExtension: 'sideload.reloadExtension',
  removeExtension: 'sideload.removeExtension',
  showTab: 'sideload.showTab',
  reloadTab: 'sideload.reloadTab',
  closeTab: 'sideload.closeTab',
  stopWorker: 'sideload.stopWorker',
  wakeWorker: 'sideload.wakeWorker',
  localhost: 'sideload.localhost',
  openLocalhost: 'sideload.openLocalhost',
  stopLocalhost: 'sideload.stopLocalhost',
  showLocalhostRequests: 'sideload.showLocalhostRequests',
  openPopup: 'sideload.openPopup',
  pressAction: 'sideload.pressAction',
  openOptions: 'sideload.openOptions',
  openSidePanel: 'sideload.openSidePanel',
  copyId: 'sideload.copyId',
  deleteSelected: 'sideload.deleteSelected',
  renameSelected: 'sideload.renameSelected',
  createProfile: 'sideload.createProfile',
  showProfile: 'sideload.showProfile',
  renameProfile: 'sideload.renameProfile',
  deleteProfile: 'sideload.deleteProfile',
  storeExtension: 'sideload.storeExtension',
  downloadExtension: 'sideload.downloadExtension',
  deleteExtension: 'sideload.deleteExtension',
  showRecords: 'sideload.showRecords',
  refresh: 'sideload.refresh',
  loadMore: 'sideload.loadMore',
  searchBrowsers: 'sideload.searchBrowsers',
  searchProfiles: 'sideload.searchProfiles',
  clearBrowserSearch: 'sideload.clearBrowserSearch',
  clearProfileSearch: 'sideload.clearProfileSearch',
  chooseService: 'sideload.chooseService',
  installBrowser: 'sideload.installBrowser',
  setToken: 'sideload.setToken',
  clearToken: 'sideload.clearToken',
  removeAllData: 'sideload.removeAllData',
  openScroll: 'sideload.openScroll',
  scrollUp: 'sideload.scrollUp',
  scrollDown: 'sideload.scrollDown',
  scrollLeft: 'sideload.scrollLeft',
  scrollRight: 'sideload.scrollRight',
  scrollPageUp: 'sideload.scrollPageUp',
  scrollPageDown: 'sideload.scrollPageDown',
  scrollToTop: 'sideload.scrollToTop',
  scrollToBottom: 'sideload.scrollToBottom',
  scrollBy: 'sideload.scrollBy',
  setScrollPoint: 'sideload.setScrollPoint',
  holdScrollKeys: 'sideload.holdScrollKeys',
  refreshPicture: 'sideload.refreshPicture',
  screenBack: 'sideload.screenBack',
  screenForward: 'sideload.screenForward',
  screenReload: 'sideload.screenReload',
  screenNewTab: 'sideload.screenNewTab',
  screenGo: 'sideload.screenGo',
  screenSize: 'sideload.screenSize',
  screenClick: 'sideload.screenClick',
  screenType: 'sideload.screenType',
  screenTab: 'sideload.screenTab',
  screenZoom: 'sideload.screenZoom',
  screenDescribe: 'sideload.screenDescribe',
  screenAnswer: 'sideload.screenAnswer',
  screenCloseSurface: 'sideload.screenCloseSurface',
  screenRecord: 'sideload.screenRecord',
  screenWhole: 'sideload.screenWhole',
  openScreenInSidebar: 'sideload.openScreenInSidebar',
  savePicture: 'sideload.savePicture',
  togglePushOnSave: 'sideload.togglePushOnSave',
  chooseFolder: 'sideload.chooseFolder',
  exportPackage: 'sideload.exportPackage',
  runBuild: 'sideload.runBuild',
  setPushOnSave: 'sideload.setPushOnSave',
  openPage: 'sideload.openPage',
  showMenu: 'sideload.showMenu',
  showContents: 'sideload.showContents',
  hideContents: 'sideload.hideContents',
  addToFileList: 'sideload.addToFileList',
  comparePushes: 'sideload.comparePushes',
  testUpdate: 'sideload.testUpdate',
  startConsole: 'sideload.startConsole',
  stopConsole: 'sideload.stopConsole',
  showConsole: 'sideload.showConsole',
  showLog: 'sideload.showLog',
  doctor: 'sideload.doctor',
  openStorage: 'sideload.openStorage',
  clearStorage: 'sideload.clearStorage',
  exportStorage: 'sideload.exportStorage',
  importStorage: 'sideload.importStorage',
  fireAlarm: 'sideload.fireAlarm',
  freshInstall: 'sideload.freshInstall',
  hostAccess: 'sideload.hostAccess',
  allowInIncognito: 'sideload.allowInIncognito',
  allowFileAccess: 'sideload.allowFileAccess',
  pinToToolbar: 'sideload.pinToToolbar',
  optionalPermissions: 'sideload.optionalPermissions',
  showAgentConfiguration: 'sideload.showAgentConfiguration',
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

export const VIEW_CONTAINER = 'sideload';

export const VIEWS = {
  browsers: 'sideload.browsers',
  profiles: 'sideload.profiles',
  extensions: 'sideload.extensions',
  contents: 'sideload.contents',
  pushes: 'sideload.pushes',
  screen: 'sideload.screen',
} as const;

/** Settings, with the section prefix, as package.json lists them. */
export const SETTINGS = {
  service: 'sideload.service',
  serviceUrl: 'sideload.serviceUrl',
  project: 'sideload.project',
  browserPath: 'sideload.local.browserPath',
  headless: 'sideload.local.headless',
  folder: 'sideload.folder',
  folders: 'sideload.folders',
  folderName: 'sideload.folderName',
  exclude: 'sideload.exclude',
  include: 'sideload.include',
  storeHints: 'sideload.storeHints',
  updateFrom: 'sideload.updateFrom',
  pushOnSave: 'sideload.pushOnSave',
  pushOnAutoSave: 'sideload.pushOnAutoSave',
  startUrl: 'sideload.startUrl',
  openAfterPush: 'sideload.openAfterPush',
  delivery: 'sideload.delivery',
  tabs: 'sideload.tabs',
  idleSeconds: 'sideload.devTools.idleSeconds',
  debugPages: 'sideload.debug.pages',
  agentConfirmation: 'sideload.agents.confirmation',
} as const;

/** Context keys for `when` clauses. */
export const CONTEXT = {
  needsToken: 'sideload.needsToken',
  unreachable: 'sideload.unreachable',
  serviceFailed: 'sideload.serviceFailed',
  noBrowsers: 'sideload.noBrowsers',
  tokenRefused: 'sideload.tokenRefused',
  rateLimited: 'sideload.rateLimited',
  browsersSearched: 'sideload.browsersSearched',
  profilesSearched: 'sideload.profilesSearched',
  browsersUnlisted: 'sideload.browsersUnlisted',
  profilesUnlisted: 'sideload.profilesUnlisted',
  extensionsUnlisted: 'sideload.extensionsUnlisted',
  showsProfiles: 'sideload.showsProfiles',
  showsExtensions: 'sideload.showsExtensions',
  hasPushed: 'sideload.hasPushed',
  reachesLocalhost: 'sideload.reachesLocalhost',
  pushesBySaving: 'sideload.pushesBySaving',
  hasShownScreen: 'sideload.hasShownScreen',
  hasShownFinding: 'sideload.hasShownFinding',
  showsWalkthrough: 'sideload.showsWalkthrough',
  showsContents: 'sideload.showsContents',
  consoleRuns: 'sideload.consoleRuns',
  consoleRunsEverywhere: 'sideload.consoleRunsEverywhere',
  extensionFolders: 'sideload.extensionFolders',
} as const;

/** Prefix of the SecretStorage keys: one token per base URL. */
export const TOKEN_SECRET_PREFIX = 'sideload.token:';

/** Scheme of the pages about rules of the manifest check. */
export const RULE_PAGE_SCHEME = 'sideload-rule';

/** Scheme of the lists of what browsers have asked of this computer. */
export const LOCALHOST_SCHEME = 'sideload-localhost';

/** Scheme of the report of the doctor. */
export const DOCTOR_SCHEME = 'sideload-doctor';

/** Scheme of the reports about updates, and of the data before and after them. */
export const UPDATE_SCHEME = 'sideload-update';

/** Scheme of the documents that show `chrome.storage`. */
export const STORAGE_SCHEME = 'sideload-storage';

/** The submenus of rows: what can be opened, the worker of an extension, and its state. */
export const SUBMENUS = { open: 'sideload.open', worker: 'sideload.worker', state: 'sideload.state' } as const;

/** Type of the debug configurations. */
export const DEBUG_TYPE = 'sideload';

/** Type of the tasks. */
export const TASK_TYPE = 'sideload';

/** The provider of the MCP server. */
export const MCP_PROVIDER = 'sideload.agents';

/** Type of the scroll panel. */
export const SCROLL_PANEL = 'sideload.scroll';

/** `contextValue`s of tree rows. */
export const ROWS = {
  browser: 'browser',
  pinnedBrowser: 'pinnedBrowser',
  profile: 'profile',
  extension: 'extension',
  /** An extension that a browser has loaded. */
  browserExtension: 'loadedExtension',
  browserTab: 'tab',
  /** A page of an extension that is in no tab: its popup, side panel or offscreen document. */
  extensionPage: 'extensionPage',
  /** A page of an extension in a frame of another page. */
  extensionFrame: 'extensionFrame',
  /** The service worker of an extension, by what can be done with it. */
  runningWorker: 'runningWorker',
  stoppedWorker: 'stoppedWorker',
  push: 'push',
  /** What a browser reaches on this computer. */
  localhost: 'localhost',
  /** Rows without an item: the next page of a list, another attempt, a note. */
  more: 'more',
  retry: 'retry',
  note: 'note',
  /** Suffixes of the row of a loaded extension, in their order: prefix of what its manifest does not have; the state of its worker. */
  without: 'Without',
  workerRuns: 'WorkerRuns',
  workerStopped: 'WorkerStopped',
  /** Suffixes of the row of a browser, in their order: it has a live view; the service gives no DevTools address. */
  withLiveView: 'WithLiveView',
  withoutDevTools: 'WithoutDevTools',
  /** Last suffix of the row of what the user has entered, because the service does not list it. */
  entered: 'Entered',
} as const;
