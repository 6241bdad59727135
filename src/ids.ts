/** Every id that package.json and the code share, once. A unit test compares them with package.json both ways. */

export const EXTENSION_ID = 'sideload.sideload';

export const COMMANDS = {
  push: 'sideload.push',
  pushTo: 'sideload.pushTo',
  setTarget: 'sideload.setTarget',
  pushToSeveral: 'sideload.pushToSeveral',
  pinBrowser: 'sideload.pinBrowser',
  unpinBrowser: 'sideload.unpinBrowser',
  createBrowser: 'sideload.createBrowser',
  deleteBrowser: 'sideload.deleteBrowser',
  createProfile: 'sideload.createProfile',
  showProfile: 'sideload.showProfile',
  deleteProfile: 'sideload.deleteProfile',
  deleteExtension: 'sideload.deleteExtension',
  refresh: 'sideload.refresh',
  chooseService: 'sideload.chooseService',
  setToken: 'sideload.setToken',
  clearToken: 'sideload.clearToken',
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
  togglePushOnSave: 'sideload.togglePushOnSave',
  showLog: 'sideload.showLog',
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

export const VIEW_CONTAINER = 'sideload';

export const VIEWS = {
  browsers: 'sideload.browsers',
  profiles: 'sideload.profiles',
  extensions: 'sideload.extensions',
} as const;

/** Settings, with the section prefix, as package.json lists them. */
export const SETTINGS = {
  service: 'sideload.service',
  serviceUrl: 'sideload.serviceUrl',
  browserPath: 'sideload.local.browserPath',
  headless: 'sideload.local.headless',
  folder: 'sideload.folder',
  folderName: 'sideload.folderName',
  exclude: 'sideload.exclude',
  include: 'sideload.include',
  storeHints: 'sideload.storeHints',
  pushOnSave: 'sideload.pushOnSave',
  delivery: 'sideload.delivery',
  tabs: 'sideload.tabs',
  idleSeconds: 'sideload.devTools.idleSeconds',
} as const;

/** Context keys for `when` clauses. */
export const CONTEXT = {
  needsToken: 'sideload.needsToken',
  unreachable: 'sideload.unreachable',
  hasWorkspace: 'sideload.hasWorkspace',
} as const;

/** Prefix of the SecretStorage keys: one token per base URL. */
export const TOKEN_SECRET_PREFIX = 'sideload.token:';

/** Type of the scroll panel. */
export const SCROLL_PANEL = 'sideload.scroll';

/** `contextValue`s of tree rows. */
export const ROWS = {
  browser: 'browser',
  pinnedBrowser: 'pinnedBrowser',
  profile: 'profile',
  extension: 'extension',
} as const;
