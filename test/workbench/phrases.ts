/**
 * Every text of Sideload that the editor and ui tests and `npm start` match. When a text of the product is reworded, it is changed
 * here, too. Titles of commands and views come from package.json (`titles.ts`).
 */

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Buttons of notifications and dialogs. */
export const BUTTONS = {
  removeAllData: 'Remove All Data',
  openPopup: 'Open Popup',
  openPage: 'Open a Page It Runs On…',
  pushTo: (browser: string): string => `Push to ${browser}`,
  allow: 'Allow',
  /** Of VS Code's dialogs. */
  cancel: 'Cancel',
  delete: 'Delete',
  restartAndPush: 'Restart and Push',
  pushWithoutRestart: 'Push Without Restart',
  runBuild: 'Run Build Script',
  chooseFolder: 'Choose Folder…',
  startAgain: 'Start It Again and Push',
  chooseAnother: 'Choose Another',
  remove: 'Remove',
  clear: 'Clear',
  installAfresh: 'Install Afresh',
  installAfreshWithFiles: 'Install Afresh with File Access',
  takeFilesAway: 'Take File Access Away',
  revoke: 'Revoke',
  copyCall: 'Copy Call',
  merge: 'Merge',
  replace: 'Replace',
  /** Of VS Code. */
  overwrite: 'Overwrite',
  removeOtherCopies: 'Remove Other Copies',
  setToken: 'Set Token',
  loadOnly: 'Load Only',
  saveToo: 'Save, Too',
  enterBrowser: 'Enter Browser Id',
  showLog: 'Show Log',
  openSetting: 'Open Setting',
  howToInstall: 'How to Install One',
  chooseService: 'Choose Service',
  createAnyway: 'Create It Anyway',
  putIntoTerminal: 'Put It into a Terminal',
} as const;

/** The status-bar item: its text, and its label for screen readers. */
export const STATUS_BAR = {
  pushing: 'pushing to',
  /** While the user is asked whether a browser may restart. */
  asking: /waiting for your answer/,
  /** Of a browser that has just been started for a push. */
  notYet: 'pushes go to',
  running: 'is running in',
  runningIn: (browser: string): RegExp => new RegExp(`is running in ${literal(browser)}`),
  byOther: (browser: string): RegExp => new RegExp(`is running in ${literal(browser)}, pushed by another program at`),
  delivered: (browser: string): RegExp =>
    new RegExp(
      `pushed to ${literal(browser)} at .*: Uploaded to ${literal(browser)}; .* Not verified: this service gives no`,
    ),
  runningInSeveral: (count: number): RegExp => new RegExp(`is running in ${count} browsers`),
  failedIn: (browser: string): RegExp => new RegExp(`push to ${literal(browser)} failed`),
  pushOnSaveIsOn: /push on save is on$/,
  pushOnSaveIsOff: /push on save is off$/,
  pushOnBuildIsOn: /push on build is on$/,
  workerFailed: /worker failed/,
  hasEnded: (browser: string): RegExp => new RegExp(`${literal(browser)} has ended`),
  noLongerRuns: (browser: string): RegExp => new RegExp(`no longer running in ${literal(browser)}`),
  waitsForYes: /Push once by hand to allow it/,
  noBrowserChosen: /no browser is chosen/,
} as const;

/** What is said of servers on this computer that a browser elsewhere reaches. */
export const LOCALHOST = {
  question: (browser: string, port: number): RegExp =>
    new RegExp(`Let the browser ${literal(browser)} reach localhost:${port} on this computer\\?`),
  notPushed: (port: number): RegExp => new RegExp(`Not pushed: .* http://localhost:${port} \\(worker\\.js:1\\)`),
  /** With so many requests, or any; a tab that shows no title yet has its path. */
  row: (port: number, requests?: number): RegExp =>
    requests === undefined
      ? new RegExp(`^localhost:${port}(?!/)`)
      : new RegExp(`localhost:${port}.*${requests} request${requests === 1 ? '' : 's'}`, 's'),
  waiting: (port: number): RegExp => new RegExp(`waiting for localhost:${port}`),
  noAddress: /Enter a port, or an address that begins with localhost\./,
  listed: (path: string): RegExp => new RegExp(`200 .*GET .*${literal(path)}`),
} as const;

/** What Run Extension says of a project with a development server. */
export const DEVELOPMENT_SERVER = {
  start: /Start the Development Server/,
  offer: /The development server builds the extension again/,
  pushBuilds: 'Push Each Build',
} as const;

/** Notifications; some are lines of the log, too. */
export const MESSAGES = {
  /** While a push runs. */
  pushing: /^Pushing /,
  /** Which `npm run pictures` waits for. */
  running: /is running in/,
  runningIn: (extension: string, browser: string): RegExp =>
    new RegExp(`^${literal(extension)} is running in ${literal(browser)}`),
  delivered: (browser: string): RegExp =>
    new RegExp(
      `^Uploaded to ${literal(browser)}; the service says that Chromium has restarted with it\\. Not verified: `,
    ),
  /** The first time, buttons follow that lead on. */
  runningInAll: (browsers: readonly string[]): RegExp =>
    new RegExp(`Running in ${browsers.length} browsers: ${literal(browsers.join(', '))}\\.`),
  workerFailed: /its service worker failed/,
  wrongToken: /did not accept the token/,
  nameIsTaken: /already exists/,
  startsNoBrowsers: /This service starts no browsers here/,
  /** It names the browsers and the folders that were searched. */
  noBrowserRuns: /No browser is running\./,
  noBrowser: /No browser was found on this machine\. Chromium, .* nor in .*\/usr\/bin/,
  noManifest: /No manifest\.json with a manifest_version was found/,
  isStored: (extension: string): RegExp => new RegExp(`^${literal(extension)} is stored on the service`),
  wasReplaced: (extension: string): RegExp => new RegExp(`^${literal(extension)} was replaced on the service`),
  isSaved: (extension: string): RegExp => new RegExp(`^${literal(extension)} .* was saved to `),
  goOnTo: (started: string, target: string): RegExp =>
    new RegExp(`${literal(started)} is started\\. Pushes go on to ${literal(target)}\\.`),
  noSuchPage: /is no page of the extension and no address\./,
  noSidePanel: (extension: string, browser: string): RegExp =>
    new RegExp(`The side panel of ${literal(extension)} cannot be opened in ${literal(browser)}: .*"sidePanel"`),
  /** VS Code's own, when a document is saved that is older than what it shows. */
  isNewer: /content of the file is newer/,
  notSaved: (line: number, column: number): RegExp =>
    new RegExp(`Line ${line}, column ${column}: .* Nothing was written`),
  hasEnded: /The browser has ended, and its storage with it/,
  documentOfOther: /This document is of a browser of another service/,
  installedAfresh: (extension: string, browser: string): RegExp =>
    new RegExp(`^${literal(extension)} was installed afresh in ${literal(browser)}`),
  storageSaved: (extension: string): RegExp => new RegExp(`^The storage of ${literal(extension)} was saved to `),
  storageImported: (extension: string): RegExp => new RegExp(`^Imported into the storage of ${literal(extension)}: `),
  notAnExport: /The file was not imported: it does not begin with "format"/,
  noRoom: /There is no room for it \(.*quota.*\)\. Remove keys or shorten values/i,
  noAlarms: /does not list the permission "alarms"/,
  pushFirst: /has not pushed the extension to a browser yet/,
  zoomRange: (from: number, to: number): RegExp => new RegExp(`Give the zoom as a number from ${from} to ${to}\\.`),
  ownWindow: (browser: string): RegExp => new RegExp(`${literal(browser)} runs on this machine\\. Its toolbar`),
  noWindow: (browser: string): RegExp => new RegExp(`${literal(browser)} runs without a window, so it has no toolbar`),
  isGone: (browser: string): RegExp => new RegExp(`^${literal(browser)} no longer exists, so it was removed`),
} as const;

/** Modal dialogs. */
export const DIALOGS = {
  removeAllData: /^Remove all data of Sideload from this computer\?/,
  firstPush: (browser: string): string => `The first push restarts Chromium in ${browser}.`,
  firstPushes: (browsers: readonly string[]): string =>
    `The first push to a browser restarts its Chromium. You are pushing to ${browsers.join(', ')}.`,
  removeOtherCopy: /Remove the other copy/,
  removeExtension: (extension: string, browser: string): RegExp =>
    new RegExp(`^Remove ${literal(extension)} from ${literal(browser)}\\?`),
  limitReached: (count: number): string =>
    `${count} browsers are running, which is the limit of your account or project.`,
  installBrowser: 'Install a browser on this machine',
  clearStorage: (extension: string, browser: string): RegExp =>
    new RegExp(`^Clear the storage of ${literal(extension)} in ${literal(browser)}\\?`),
  installAfresh: (extension: string, browser: string): RegExp =>
    new RegExp(`^Install ${literal(extension)} afresh in ${literal(browser)}\\?`),
  importStorage: (file: string, extension: string, browser: string): RegExp =>
    new RegExp(`^Import ${literal(file)} into ${literal(extension)} in ${literal(browser)}\\?`),
  grantInExtension: (permission: string): RegExp =>
    new RegExp(`^Chromium grants ${literal(permission)} only after a click`),
  revoke: (permission: string, extension: string): RegExp =>
    new RegExp(`^Revoke the permission ${literal(permission)} of ${literal(extension)}\\?`),
  savesTo: (browser: string, profile: string): RegExp =>
    new RegExp(`^${literal(browser)} already saves to the profile ${literal(profile)}\\.`),
  deleteProfile: (name: string): RegExp => new RegExp(`^Delete the profile ${literal(name)}\\?`),
} as const;

/** Boxes and lists at the top of the window. */
export const QUICK_INPUT = {
  oneChanged: /1 changed, 0 added, 0 removed/,
  localService: 'Local',
  otherService: 'Other Address',
  needsHttps: /must begin with https/,
  tokenTitle: 'Token for',
  options: 'Options…',
  window: /Window\s*default/,
  withWindow: 'with a window',
  chosenWindow: /Window\s*with a window/,
  startBrowser: 'Start Browser',
  badName: /Use letters, digits/,
  badId: /is not an id or a name/,
  enterId: 'Enter an Id or Name…',
  profileOption: /^Profile\s*none/,
  isStoredAlready: /is stored already/,
  loadOnly: 'Load Only',
  loadAndSave: 'Load and Save',
  pinned: 'Pinned to the toolbar',
  notPinned: 'Not pinned to the toolbar',
  inIncognito: 'Allowed in incognito windows',
  notInIncognito: 'Not allowed in incognito windows',
  onFiles: 'Allowed on file URLs',
  notOnFiles: 'Not allowed on file URLs',
  onClick: 'On click',
  onAllSites: 'On all sites that it asks for',
  onOneSite: 'On one site more…',
  onlyOn: (site: string): string => `only on ${site}`,
  badPattern: /A match pattern has a scheme/,
  granted: 'granted',
  notGranted: 'not granted',
  /** Marks the present state. */
  now: 'now',
  willBe: (name: string): RegExp => new RegExp(`The name will be "${literal(name)}"`),
} as const;

/** Rows of the lists in the sidebar. */
export const ROW_TEXTS = {
  newTarget: (browser: string): RegExp => new RegExp(`^${literal(browser)} target · `),
  running: (browser: string): RegExp => new RegExp(`^${literal(browser)} target · [\\d.]+ running · just now`),
  byOther: (browser: string): RegExp =>
    new RegExp(`^${literal(browser)} target · [\\d.]+ running · by another program just now`),
  target: (browser: string): RegExp => new RegExp(`${literal(browser)} ?target · `),
  pinned: /pinned · /,
  push: (version: string, browser: string): RegExp =>
    new RegExp(`^${literal(version)} · [0-9a-f]{7} .*${literal(browser)} · [\\d.]+ s`),
  errorsSince: (browser: string, count = 1): RegExp =>
    new RegExp(`${count} error${count === 1 ? '' : 's'} since · ${literal(browser)}`),
  /** With its one error counted once. */
  workerFailed: (browser: string): RegExp => new RegExp(`worker failed · 1 error since · ${literal(browser)}`),
  pinnedTarget: (browser: string): RegExp => new RegExp(`${literal(browser)} ?pinned · `),
  spokenRunning: (browser: string): RegExp =>
    new RegExp(`^Browser ${literal(browser)}, push target, .+ [\\d.]+ running, pushed less than a minute ago, `),
  stopped: (browser: string): RegExp => new RegExp(`${literal(browser)}.*extension stopped`),
  stored: (extension: string): RegExp => new RegExp(`^${literal(extension)} [\\d.]+ kB · stored just now$`),
  inUseBy: (browser: string): RegExp => new RegExp(`in use by ${literal(browser)}`),
  more: 'Load More…',
  retry: 'Try Again',
  notRefreshed: /^Not refreshed since .*: the service failed$/,
  /** The line above browsers whose ids were entered. */
  entered: /^This service does not list browsers\. Shown are those whose ids were entered\.$/,
  mustWait: /^Not refreshed since .*: the service asks to wait until /,
  newProfile: (name: string): string => `${name} not used yet`,
} as const;

/** Rows below an extension, and of tabs: where its code runs. */
export const CONTEXTS = {
  worker: 'Service worker',
  workerRunning: /^Service worker\s*running/,
  spokenWorkerRunning: /^Service worker, running, started less than a minute ago$/,
  workerStopped: /^Service worker\s*stopped · just now$/,
  popup: /^Popup\s*popup\.html$/,
  options: /^Options of the sample\s*options\.html · Sideload Sample$/,
  contentScript: /^A web page\s*127\.0\.0\.1:\d+ · content script of Sideload Sample$/,
  plainTab: /^A web page\s*127\.0\.0\.1:\d+$/,
  anyWebPage: /^A web page/,
  typedPage: /popup\.html\?typed · Sideload Sample$/,
  rememberedPage: /^popup\.html\?typed ?opened before$/,
} as const;

/** What a list of the sidebar shows while it is empty. */
export const WELCOME = {
  noBrowser: /No browser is running/,
  createBrowser: /create a browser/i,
  whatProfilesAreFor: /keeps logins/,
  whatStoredExtensionsAreFor: /Extensions stored on the service/,
  noBrowserFound: /No browser matches/,
  serviceFailed: /answered, but without the list/,
  openFolder: /No browser is running.*Open Folder/s,
  runExtension: /Run Extension/,
  browsersUnlisted: /does not list browsers/,
  profilesUnlisted: /does not list profiles/,
  extensionsUnlisted: /does not list stored extensions/,
  tokenRefused: /did not accept the token/,
  mustWait: /asks to wait/,
  needsToken: /needs an access token/,
  setToken: /needs an access token.*Set Token/s,
} as const;

/** Lines of the log. Those of a push have "Push FOLDER to BROWSER: " in front. */
export const LOG = {
  browserStarted: (browser: string): RegExp => new RegExp(`Browser ${literal(browser)} started in `),
  checked: /checked in .*no errors/,
  packed: / packed /,
  packedFiles: (count: number): RegExp => new RegExp(`packed ${count} files`),
  /** Written once by each push that changes something in the browser. */
  uploaded: / uploaded in \d/,
  version: (version: string): RegExp => new RegExp(`version ${literal(version)}`),
  workerRuns: /service worker running/,
  /** The first group is the id. */
  extensionId: /extension id ([a-p]{32})/,
  running: (extension: string, browser: string): RegExp =>
    new RegExp(`^${literal(extension)} is running in ${literal(browser)}: `),
  /** A push that the check has refused, with the place of its first error. */
  refused: (file: string, line: number): RegExp => new RegExp(`Not pushed: ${literal(file)}:${line}:`),
  /** The end of a push to several browsers of which the named one failed. */
  runningExcept: (running: number, all: number, failed: string): RegExp =>
    new RegExp(`^Running in ${running} of ${all} browsers; ${literal(failed)}: `),
  notPushedTo: (browser: string): RegExp =>
    new RegExp(`^${literal(browser)} has ended\\. Saves are not pushed there\\.$`),
  notTrusted: /workspace is not trusted/,
  virtualFolder: /is a virtual folder/,
  tokenStored: /A token for .* is stored/,
} as const;

/** Lines of the console's output channel, which begin with the browser. */
export const CONSOLE = {
  started: /keeps the service worker of the extension awake/,
  startedIn: (browser: string): RegExp => new RegExp(`${literal(browser)}: The console is started\\.`),
  stoppedIn: (browser: string): RegExp => new RegExp(`${literal(browser)}: The console is stopped\\.$`),
  outOfSightIn: (browser: string): RegExp =>
    new RegExp(`${literal(browser)}: The console is stopped, because it was not in sight for 5 s\\.`),
  /** What the worker has written. */
  from: (browser: string, text: string): RegExp =>
    new RegExp(`${literal(browser)} · worker: (\\[[\\d:.]+\\] )?${literal(text)}`),
  stopped: /The console is stopped\.$/,
  pushed: (browser: string, version: string): RegExp =>
    new RegExp(`\\[info\\] ${literal(browser)}: — ${literal(version)} \\([0-9a-f]{7}\\) pushed, [\\d.]+ s —$`),
  dropped: / lines dropped$/,
} as const;

/** Entries of the Problems panel. */
export const PROBLEMS = {
  missingFile: (name: string): RegExp => new RegExp(`"${literal(name)}" is not in the folder`),
  workerFailed: (text: string, browsers: readonly string[]): RegExp =>
    new RegExp(`The service worker failed in ${literal(browsers.join(', '))}: .*${literal(text)}`),
  ofWorkerFailure: /The service worker failed in /,
  errorIn: (text: string, browsers: readonly string[], times = 1): RegExp =>
    new RegExp(
      `${literal(text)} \\(worker, ${literal(browsers.join(', '))}${times === 1 ? '' : `, ${times} times`}\\)`,
    ),
} as const;

/** The page of the scroll controls. */
export const SCROLL = {
  screen: /Screen of the browser/,
  x: 'X (pixels)',
  y: 'Y (pixels)',
  ticksVertical: 'Ticks up and down',
  ticksHorizontal: 'Ticks sideways',
  up: 'Scroll up',
  down: 'Scroll down',
  left: 'Scroll left',
  right: 'Scroll right',
  scrolledDown: (ticks: number): string => `Scrolled down ${ticks}`,
  wholeNumber: (from: number, to: number): string => `Enter a whole number from ${from} to ${to}.`,
  alt: 'Alt',
  top: 'Go to the top (Home)',
  chooseAnother: 'Choose another browser',
  gone: (browser: string): string => `The browser ${browser} is gone. Choose another.`,
  directionDown: 'Down',
  pointRange: (x: number, y: number): string => `Enter X from 0 to ${x} and Y from 0 to ${y}.`,
} as const;

/** Lines of the log about agents. */
export const AGENTS = {
  asks: (tool: string, browser: string): RegExp =>
    new RegExp(`Agent: ${literal(tool)} asks to act in ${literal(browser)}$`),
  smokeTests: /^Smoke tests of /,
  /** The end of smoke tests, which are in the Test view. */
  tested: (browser: string, counts: string): RegExp =>
    new RegExp(`^Smoke tests of .+ in ${literal(browser)}: ${counts}$`),
  logged: (tool: string, verdict: string): RegExp =>
    new RegExp(`Agent: ${literal(tool)}, \\d+ ms: ${literal(verdict)}`),
} as const;

/** Rows of the Test view, as VS Code describes them. */
export const TEST_ROWS = {
  alone: 'No other copy of it runs',
  passed: (label: string): RegExp => new RegExp(`^${literal(label)} \\(Passed\\)`),
  failed: (label: string): RegExp => new RegExp(`^${literal(label)} \\(Failed\\)`),
} as const;

/** Tests of updates. */
export const UPDATES = {
  ownStorage: 'What the old version stores when its pages are opened',
  /** While one runs, at whatever step. */
  runs: /Testing the update/,
  compare: 'Compare',
  comparison: /^Data before and after the update/,
  differs: (extension: string): RegExp => new RegExp(`The data of ${literal(extension)} differs in one place`),
  row: (folder: string, old: string): string => `Update of ${folder} from ${old}`,
  pushedBuild: (version: string): RegExp =>
    new RegExp(`^Old version: the pushed build ${literal(version)} · [0-9a-f]{7}`),
  buildChoice: (version: string, browser: string): RegExp =>
    new RegExp(`^${literal(version)} · [0-9a-f]{7}\\s*pushed to ${literal(browser)}, `),
} as const;

export const SCREEN = {
  live: 'Live',
  still: 'No live picture. Pictures come one at a time.',
  withoutPicture: 'Without a picture.',
  behindDialog: 'There is no picture of a page that shows a dialog.',
  noPictures: 'This service gives no pictures of a browser.',
  otherService: /is of a browser of another service/,
  noFolder: 'The page asks for a folder. The screen can only give it files.',
  noField: 'The page asks for a file in a way that the screen cannot answer.',
  whole: 'Whole Screen',
  wholeState: 'Whole screen, as a still picture.',
  refresh: 'Refresh picture',
  address: 'Address',
  accept: 'OK',
  back: 'Back',
  size: 'Size of the page',
  list: 'List of the page',
  rotate: 'Rotate',
  precise: 'Precise',
  popup: 'Popup of the extension',
  sidePanel: 'Side panel of the extension',
  close: 'Close',
  newTab: 'New Tab',
  giveKeys: 'Give Tab and Escape to the page',
  openPopup: 'Open Popup',
  paused: /^Paused, because nobody is looking/,
  stopRecording: 'Stop recording',
  zoom: (percent: number): string => `Zoom ${percent} %`,
  nothingChosen: 'Choose a browser to see its screen here.',
} as const;

/** The debugger in VS Code's list of debuggers. */
export const DEBUGGER = 'Browser Extension (Sideload)';
