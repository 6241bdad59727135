import type { COMMANDS } from '../../src/ids';

/** What the reference says of a command, beyond what package.json knows of it. */
export interface CommandNote {
  does: string;
  /** Members of the object that it takes instead of asking, for key bindings and tasks. */
  takes?: string;
  /** Where it is, if package.json does not say so: what the code shows, such as a menu of the status bar. */
  where?: string;
}

const BROWSER = '`browser`';
const POINT = '`browser`, `x` and `y`';
const SCREEN = 'the screen';

/** Each command by its name in `COMMANDS`, so that one without a note does not compile. */
export const COMMAND_NOTES: Readonly<Record<keyof typeof COMMANDS, CommandNote>> = {
  runExtension: {
    does: 'Finds and checks the extension, starts a browser unless a chosen one runs, brings the extension in and opens its start page.',
  },
  debugExtension: {
    does: 'Pushes, and debugs from the first statement. See [Debugging](../debugging.md).',
    takes: BROWSER,
  },
  push: {
    does: 'Pushes to the chosen browsers, else to the only one that runs, else it asks.',
    takes: BROWSER,
  },
  pushToRow: { does: 'Pushes to the browser of the row.', takes: BROWSER },
  pushTo: { does: 'Pushes, and always asks to which browser.', takes: BROWSER },
  chooseBrowsers: { does: 'The browsers that pushes of this workspace go to: those that you tick.', takes: BROWSER },
  setTarget: { does: 'As Choose Browsers…, with one browser.', takes: BROWSER },
  pushToSeveral: { does: 'As Choose Browsers…, with a push at once.' },
  pinBrowser: { does: 'Pushes go to this browser, too.', takes: BROWSER },
  unpinBrowser: { does: 'Pushes no longer go to this browser.', takes: BROWSER },
  createBrowser: { does: 'Starts a browser.' },
  createBrowserWithOptions: {
    does: 'Starts a browser; the options are profile, window, size, time limit, start page, stored extensions and pool.',
  },
  enterBrowser: {
    does: 'For a service that lists no browsers. See [Any service](../any-service.md).',
    where: 'lists of choices',
  },
  enterProfile: { does: 'For a service that lists no profiles.' },
  enterExtension: { does: 'For a service that lists no stored extensions.' },
  removeEntered: { does: 'What was entered leaves the list.' },
  deleteBrowser: { does: 'Ends a browser; also by Delete in the list.', takes: BROWSER },
  renameBrowser: { does: 'Gives a browser another name; also by F2 in the list.', takes: BROWSER },
  openLiveView: {
    does: 'Shows a browser that has a live view, outside of VS Code or, on a desktop, in an editor tab. See [Privacy](../privacy-and-limits.md).',
    takes: '`browser`, `place` (`outside` or `editor`)',
  },
  reloadExtension: { does: 'Reloads an extension in a browser.', takes: BROWSER },
  removeExtension: { does: 'Removes an extension from a browser.', takes: BROWSER },
  showTab: { does: 'Brings a tab, or a page of an extension, to the front.', takes: BROWSER },
  reloadTab: { does: 'Reloads a tab, or a page of an extension.', takes: BROWSER },
  closeTab: { does: 'Closes a tab, or a page of an extension.', takes: BROWSER },
  stopWorker: { does: 'Stops the service worker of the extension, as Chromium does when it is idle.', takes: BROWSER },
  wakeWorker: { does: 'Starts the service worker of the extension.', takes: BROWSER },
  localhost: {
    does: 'The browsers that reach this computer, to stop it or to see their requests.',
    where: 'status bar',
  },
  openLocalhost: {
    does: 'Opens an address of this computer, also in a browser elsewhere. See [Localhost](../localhost.md).',
    takes: BROWSER,
  },
  stopLocalhost: { does: 'A browser elsewhere no longer reaches this computer.' },
  showLocalhostRequests: { does: 'The last 200 requests of a browser elsewhere to this computer.' },
  openPopup: {
    does: "Opens the popup of the row's extension, else of the pushed one, as a click in the browser does.",
    takes: BROWSER,
  },
  pressAction: { does: 'Presses the toolbar button of the extension, as a click in the browser does.', takes: BROWSER },
  openOptions: { does: 'Opens the options page of the extension, as a click in the browser does.', takes: BROWSER },
  openSidePanel: { does: 'Opens the side panel of the extension, as a click in the browser does.', takes: BROWSER },
  openPage: { does: 'Any page of the extension, or any address; the last ones come first.', takes: BROWSER },
  copyId: { does: 'Copies the id of a row.' },
  deleteSelected: { does: 'Deletes what is selected in the list, after a question.' },
  renameSelected: { does: 'Renames what is selected in the list.' },
  createProfile: { does: 'Makes a profile, which keeps logins and settings for later browsers.' },
  showProfile: { does: 'Shows the record of a profile.', takes: '`profile`' },
  renameProfile: { does: 'Gives a profile another name.', takes: '`profile`' },
  deleteProfile: { does: 'Deletes a profile.', takes: '`profile`' },
  storeExtension: {
    does: 'Saves the extension on the account of the service, from where it can be loaded when a browser is created; a name that is taken can be replaced by the button of the box.',
  },
  downloadExtension: { does: 'Downloads a stored extension as a zip file.', takes: '`extension`' },
  deleteExtension: { does: 'Deletes a stored extension.', takes: '`extension`' },
  showRecords: {
    does: 'Shows the views of profiles and stored extensions, which are hidden while nothing for them is known.',
  },
  refresh: { does: 'Reads the lists again, and asks a service again for operations that it did not have.' },
  loadMore: { does: 'Reads the next page of a list.', where: 'last row of a list' },
  searchBrowsers: { does: 'The service searches the names and ids of browsers.' },
  searchProfiles: { does: 'The service searches the names and ids of profiles.' },
  clearBrowserSearch: { does: 'Ends the search of browsers.' },
  clearProfileSearch: { does: 'Ends the search of profiles.' },
  chooseService: { does: 'The local service, the cloud service, or another address.' },
  installBrowser: {
    does: 'Types the command that installs a browser on this system into a terminal.',
    where: 'messages',
  },
  setToken: { does: "Keeps the access token of a service that needs one in the editor's secret storage." },
  clearToken: { does: 'Forgets the access token.' },
  openScroll: {
    does: "Shows the browser's screen, live, to look at and to use. See [Screen](../screen.md).",
    takes: '`browser`, `place` (`beside`, `tab` or `sidebar`)',
  },
  openScreenInSidebar: { does: 'Shows the screen of a browser in the sidebar.', takes: BROWSER },
  scrollUp: {
    does: 'Three ticks of the wheel up, in the browser of the active screen, else in the push target.',
    takes: BROWSER,
  },
  scrollDown: { does: 'Three ticks of the wheel down.', takes: BROWSER },
  scrollLeft: { does: 'Three ticks of the wheel to the left.', takes: BROWSER },
  scrollRight: { does: 'Three ticks of the wheel to the right.', takes: BROWSER },
  scrollPageUp: { does: 'Five ticks of the wheel up.', takes: BROWSER, where: SCREEN },
  scrollPageDown: { does: 'Five ticks of the wheel down.', takes: BROWSER, where: SCREEN },
  scrollToTop: { does: 'The key Home.', takes: BROWSER, where: SCREEN },
  scrollToBottom: { does: 'The key End.', takes: BROWSER, where: SCREEN },
  scrollBy: { does: 'As many ticks of the wheel as you enter.', takes: '`browser`, `right` and `down`', where: SCREEN },
  setScrollPoint: {
    does: 'Where the wheel is turned; applies to the screen, too.',
    takes: POINT,
    where: SCREEN,
  },
  holdScrollKeys: {
    does: 'The keys that are held while the wheel is turned; apply to the screen, too.',
    takes: BROWSER,
    where: SCREEN,
  },
  refreshPicture: { does: 'Goes on with a paused picture, or takes a new one.', takes: BROWSER, where: SCREEN },
  screenBack: { does: 'One page back.', takes: BROWSER, where: SCREEN },
  screenForward: { does: 'One page forward.', takes: BROWSER, where: SCREEN },
  screenReload: { does: 'Loads the page again.', takes: BROWSER, where: SCREEN },
  screenNewTab: { does: 'Opens a tab.', takes: BROWSER, where: SCREEN },
  screenGo: { does: 'Goes to an address.', takes: '`browser`, `address`', where: SCREEN },
  screenSize: {
    does: 'Size of the page, as long as its screen is open.',
    takes: '`browser`, `size` (`fit`, `window`, `laptop`, `desktop`, `tablet`, `phone`), `rotated` (true or false)',
    where: SCREEN,
  },
  screenClick: { does: 'Clicks at a point.', takes: POINT, where: SCREEN },
  screenType: { does: 'Types a text into the field that has the focus.', takes: '`browser`, `text`', where: SCREEN },
  screenTab: {
    does: 'Shows or closes a tab.',
    takes: '`browser`, `tab` (title or address), `close` (true or false)',
    where: SCREEN,
  },
  screenZoom: {
    does: 'Zoom of the page and of its site in this browser.',
    takes: '`browser`, `percent`',
    where: SCREEN,
  },
  screenDescribe: { does: 'Says which element is at a point.', takes: POINT, where: SCREEN },
  screenAnswer: {
    does: 'Answers the dialog that a page shows.',
    takes: '`browser`, `accept` (true or false), `text`',
    where: SCREEN,
  },
  screenCloseSurface: { does: 'Closes the popup or side panel that is shown.', takes: BROWSER, where: SCREEN },
  screenRecord: {
    does: 'Starts or ends a recording.',
    takes: '`browser`, `record` (true or false), `file` (where to save)',
    where: SCREEN,
  },
  screenWhole: {
    does: 'Shows the whole screen of the browser, or its page again.',
    takes: '`browser`, `whole` (true or false)',
    where: SCREEN,
  },
  savePicture: { does: 'Saves a picture of the page.', takes: '`browser`, `file` (where to save)', where: SCREEN },
  togglePushOnSave: {
    does: 'Switches pushing by itself for the folder: after saves, or after builds where the extension folder is what a bundler writes.',
  },
  setPushOnSave: { does: 'Asks when the folder is pushed by itself.', where: 'status bar' },
  chooseFolder: {
    does: 'The extension folder where there are several; those that you tick are pushed together; remembered for the workspace.',
  },
  exportPackage: { does: 'Writes the zip for a store, after the check for it; nothing is uploaded.' },
  runBuild: { does: 'Runs the script `build` of package.json as a task.' },
  showMenu: { does: 'What a click on the status bar offers.', where: 'status bar' },
  showContents: { does: 'The files that a push sends and leaves out.' },
  hideContents: { does: 'Hides the list of the files.' },
  addToFileList: { does: 'Adds a file to the setting that leaves files out or sends them.', where: 'quick fixes' },
  comparePushes: { does: 'Which files differ between the builds of two pushes.' },
  testUpdate: {
    does: 'What an update from an old version does to those who have the extension. See [Updates](../updates.md).',
  },
  startConsole: { does: 'Shows what the pushed extension writes. See [Console](../console.md).', takes: BROWSER },
  stopConsole: { does: 'Ends the console.', takes: BROWSER },
  showConsole: { does: 'Opens the console without starting it.' },
  showLog: { does: "Opens Sideload's output channel." },
  doctor: {
    does: 'Walks from the service to the worker of the pushed extension, says which leg is broken and what to do, and writes a report without secrets.',
    takes: BROWSER,
  },
  openStorage: {
    does: '`chrome.storage` of the extension as JSON. See [Storage and state](../storage.md).',
    takes: BROWSER,
  },
  clearStorage: { does: 'Empties areas of the storage; also IndexedDB and caches, if you wish.', takes: BROWSER },
  exportStorage: { does: 'Saves all areas of the storage to one JSON file.', takes: BROWSER },
  importStorage: { does: 'Reads such a file, and merges it with the storage or replaces that.', takes: BROWSER },
  fireAlarm: { does: 'One of its alarms goes off now.', takes: BROWSER },
  freshInstall: { does: 'The extension is installed again as if for the first time.', takes: BROWSER },
  hostAccess: { does: 'On which sites a user lets it run, with the present state.', takes: BROWSER },
  allowInIncognito: { does: 'Whether it runs in incognito windows, with the present state.', takes: BROWSER },
  allowFileAccess: { does: 'Whether it may read `file:` addresses, with the present state.', takes: BROWSER },
  pinToToolbar: { does: 'Whether its button is in the toolbar, with the present state.', takes: BROWSER },
  optionalPermissions: {
    does: 'Which optional permissions it has, how to get one, and takes one back.',
    takes: BROWSER,
  },
  removeAllData: {
    does: 'Ends the browsers of the local service, and removes what Sideload keeps on this computer, but for settings.',
  },
  showAgentConfiguration: { does: 'What to paste into an agent that takes MCP servers. See [Agents](../agents.md).' },
};
