import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import type { NoBrowserDetail } from '../../service/interface';

/** Where to search for a browser; by default in the environment of this process. */
export interface BrowserSearch {
  /** The configured path; it has precedence, and no other browser is used when it is wrong. */
  configured?: string;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/** What was looked for when no browser was found: the file that was named, or the folders besides those of PATH. */
export function noBrowserDetails({
  configured,
  env = process.env,
  platform = process.platform,
}: BrowserSearch = {}): NoBrowserDetail[] {
  const named = configured?.trim();
  if (isNonEmpty(named)) return [{ code: 'named_by_setting', message: named }];
  const variable = browserOfVariable(env);
  if (variable !== undefined) return [{ code: 'named_by_variable', message: variable }];
  // The folders of PATH are many, and known to the user.
  const places = usualPlaces(env, platform, []);
  const folders = new Set(places.map((place) => pathOf(platform).dirname(place)));
  return [...folders].map((folder) => ({ code: 'searched_folder', message: folder }));
}

/**
 * The program that the variable `SIDELOAD_BROWSER` names; undefined without one. A command of `run --exec` has a variable of that name, too, beside
 * `SIDELOAD_CDP_URL`: there it names a browser that runs.
 */
export function browserOfVariable(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['SIDELOAD_BROWSER']?.trim();
  return isNonEmpty(named) && env['SIDELOAD_CDP_URL'] === undefined ? named : undefined;
}

/** The same as a sentence in English, for clients that do not word the details themselves. */
export function noBrowserMessage(search: BrowserSearch = {}): string {
  const details = noBrowserDetails(search);
  const texts = details.map(({ message }) => message).join(', ');
  switch (details[0]?.code) {
    case 'named_by_setting':
      return `"${texts}", which the setting sideload.local.browserPath or --browser names, is not an executable file.`;
    case 'named_by_variable':
      return `"${texts}", which the environment variable SIDELOAD_BROWSER names, is not an executable file.`;
    default:
      return `Chromium, Chrome for Testing, Google Chrome, Microsoft Edge and Brave are neither in a folder of PATH nor in ${texts}.`;
  }
}

/**
 * Finds the executable of a Chromium-based browser: the configured path, then `SIDELOAD_BROWSER`, then the usual places
 * and the folders of `PATH`: first what is installed for development (Chromium, Chrome for Testing), then Google Chrome, Microsoft Edge
 * and Brave.
 *
 * Resolves to the absolute path of an executable file, or `undefined`. When the configured path (or `SIDELOAD_BROWSER`) is not
 * executable, the result is `undefined`, since another browser would be unexpected.
 */
export async function findBrowser(search: BrowserSearch = {}): Promise<string | undefined> {
  const env = search.env ?? process.env;
  const platform = search.platform ?? process.platform;
  const named = [search.configured?.trim(), browserOfVariable(env)].find(isNonEmpty);
  if (named !== undefined) return firstExecutable(namedPlaces(named, env, platform), platform);
  const places = usualPlaces(env, platform);
  // A snap cannot read hidden folders of the home, where editors have their data, so it comes last.
  const last = places.filter((place) => place.startsWith(SNAP_FOLDER));
  return firstExecutable([...places.filter((place) => !last.includes(place)), ...last], platform);
}

const SNAP_FOLDER = '/snap/';

const PATH_NAMES = [
  'chromium',
  'chromium-browser',
  'chrome-for-testing',
  'ungoogled-chromium',
  'google-chrome-stable',
  'google-chrome',
  'google-chrome-beta',
  'google-chrome-unstable',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
  'brave',
];

const MAC_APPLICATIONS = [
  'Chromium',
  'Google Chrome for Testing',
  'Google Chrome',
  'Google Chrome Beta',
  'Google Chrome Canary',
  'Microsoft Edge',
  'Brave Browser',
];

const WINDOWS_PROGRAMS = [
  ['Chromium', 'Application', 'chrome.exe'],
  ['Google', 'Chrome for Testing', 'Application', 'chrome.exe'],
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Google', 'Chrome Beta', 'Application', 'chrome.exe'],
  // Chrome Canary.
  ['Google', 'Chrome SxS', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['BraveSoftware', 'Brave-Browser', 'Application', 'brave.exe'],
];

/** The files that a named browser may be, as absolute paths: those of that name in the folders of `PATH`, or the one of a path. */
export function namedPlaces(named: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (!isBareName(named)) return [pathOf(platform).resolve(named)];
  // On Windows a program is mostly named without its ending.
  const name = platform === 'win32' && !/\.exe$/i.test(named) ? `${named}.exe` : named;
  return onPath([name], pathFolders(env, platform), platform);
}

/** Where executables of browsers are looked for, the best first. Absolute paths. `folders`: those of `PATH`. */
export function usualPlaces(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  folders = pathFolders(env, platform),
): string[] {
  const paths = pathOf(platform);
  if (platform === 'win32') {
    const names = ['LOCALAPPDATA', 'ProgramFiles', 'ProgramFiles(x86)'];
    const roots = names.map((name) => variable(env, name, platform)).filter(isNonEmpty);
    const installed = WINDOWS_PROGRAMS.flatMap((parts) => roots.map((root) => paths.join(root, ...parts)));
    return [...installed, ...onPath(['chromium.exe', 'chrome.exe', 'msedge.exe', 'brave.exe'], folders, platform)];
  }
  if (platform === 'darwin') {
    const roots = ['/Applications', env['HOME'] && paths.join(env['HOME'], 'Applications')].filter(isNonEmpty);
    const installed = MAC_APPLICATIONS.flatMap((name) =>
      roots.map((root) => paths.join(root, `${name}.app`, 'Contents', 'MacOS', name)),
    );
    return [...installed, ...onPath(['chromium'], folders, platform)];
  }
  return [
    ...onPath(PATH_NAMES, folders, platform),
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/lib/chromium/chromium',
    '/snap/bin/chromium',
    '/opt/google/chrome/google-chrome',
    '/opt/microsoft/msedge/microsoft-edge',
    '/opt/brave.com/brave/brave-browser',
  ];
}

/** Sorted by name, so that a preferred browser late in PATH has precedence over another one early in it. */
function onPath(names: readonly string[], folders: readonly string[], platform: NodeJS.Platform): string[] {
  return names.flatMap((name) => folders.map((folder) => pathOf(platform).join(folder, name)));
}

function pathFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const paths = pathOf(platform);
  return (variable(env, 'PATH', platform) ?? '').split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
}

/** A variable of the environment. Windows has names in any case, and a copy of `process.env` keeps the one of each. */
function variable(env: NodeJS.ProcessEnv, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name];
  const found = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

function pathOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

async function firstExecutable(candidates: string[], platform: NodeJS.Platform): Promise<string | undefined> {
  for (const candidate of new Set(candidates)) {
    if (await isExecutable(candidate, platform)) return candidate;
  }
  return undefined;
}

async function isExecutable(file: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    // Windows has no execute permission.
    await access(file, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isBareName(name: string): boolean {
  return !name.includes('/') && !name.includes('\\');
}

function isNonEmpty(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
