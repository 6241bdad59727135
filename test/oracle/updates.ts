import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Browser } from 'puppeteer-core';
import { fieldOf, isObject, listField, textField } from '../../src/base/fields';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { CONTENT_FILES } from './updateManifests';

/** A manifest with whatever keys. */
type Manifest = Readonly<Record<string, unknown>>;

/** Two versions of one extension. */
export interface UpdatePair {
  name: string;
  before: Manifest;
  after: Manifest;
}

/** What Chromium does with an update: it runs on, waits for its user to agree, or Chromium has refused one of the two versions. */
export type UpdateVerdict = 'silent' | 'asked' | 'refused';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--enable-unsafe-extension-debugging',
];

/** A resource of the page that may ask about other extensions. */
const EXTENSIONS_PAGE = 'chrome://extensions/strings.m.js';

/** Longest time that a started browser may take to have added its extensions, in milliseconds. */
const ADDED_LIMIT_MS = 60_000;

/** `Manifest::Location` of an extension that its user has installed from a package, in Chromium's preferences. */
const INTERNAL = 1;

interface Installation {
  pair: UpdatePair;
  id: string;
  key: string;
}

/**
 * The installed Chromium's own verdicts on updates, in the order of the pairs. It loads the old versions unpacked, by which it grants
 * what they require. Between two starts, they become extensions that were installed from packages, with the new version in place of the
 * old one: Chromium compares the two when it adds an extension at its start. The profile is of this call and goes with it.
 */
export async function judgeUpdates(pairs: readonly UpdatePair[]): Promise<UpdateVerdict[]> {
  const profile = await mkdtemp(join(tmpdir(), 'sideload-updates-'));
  try {
    const installations = pairs.map((pair, index) => installationOf(pair, index));
    const loaded = await withBrowser(profile, (browser) => loadOldVersions(browser, profile, installations));
    await placeNewVersions(profile, loaded);
    const states = await withBrowser(profile, (browser) => statesOf(browser, new Set(loaded.map(({ id }) => id))));
    return installations.map(({ id }) => states.get(id) ?? 'refused');
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Any bytes are a key, and the digest of the key is the id. */
function installationOf(pair: UpdatePair, index: number): Installation {
  const bytes = Buffer.from(`The key of pair ${index}`);
  const digest = createHash('sha256').update(bytes).digest().subarray(0, 16).toString('hex');
  const id = [...digest].map((digit) => String.fromCharCode('a'.charCodeAt(0) + parseInt(digit, 16))).join('');
  return { pair, id, key: bytes.toString('base64') };
}

async function withBrowser<Result>(profile: string, work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error('No browser was found. Install Chromium, or set SIDELOAD_BROWSER.');
  const browser = await launch({
    executablePath,
    headless: true,
    pipe: true,
    enableExtensions: true,
    userDataDir: profile,
    args: FLAGS,
    // Packaged apps get entries in the menu of the desktop: not in that of whoever runs the tests.
    env: { ...process.env, XDG_DATA_HOME: join(profile, 'data'), XDG_CONFIG_HOME: join(profile, 'config') },
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Those that Chromium has loaded. */
async function loadOldVersions(
  browser: Browser,
  profile: string,
  installations: readonly Installation[],
): Promise<Installation[]> {
  const session = await browser.target().createCDPSession();
  const loaded: Installation[] = [];
  for (const installation of installations) {
    const path = join(profile, 'old', installation.id);
    await writeVersion(path, installation.pair.before, installation);
    const answer = await session.send('Extensions.loadUnpacked', { path }).catch(() => undefined);
    if (answer?.id === installation.id) loaded.push(installation);
  }
  return loaded;
}

async function writeVersion(folder: string, manifest: Manifest, { key }: Installation): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, key }));
  for (const file of CONTENT_FILES) await writeFile(join(folder, file), '');
}

async function placeNewVersions(profile: string, installations: readonly Installation[]): Promise<void> {
  const file = join(profile, 'Default', 'Preferences');
  const preferences: unknown = JSON.parse(await readFile(file, 'utf8'));
  const settings = child(child(preferences, 'extensions'), 'settings');
  for (const installation of installations) {
    const { id, key, pair } = installation;
    const path = join(id, '2.0_0');
    await writeVersion(join(profile, 'Default', 'Extensions', path), pair.after, installation);
    const granted = fieldOf(child(settings, id), 'granted_permissions');
    // Nothing else of the unpacked extension stays, such as its access to files.
    settings[id] = {
      granted_permissions: granted,
      active_permissions: granted,
      creation_flags: 1,
      location: INTERNAL,
      manifest: { ...pair.after, key },
      path,
      state: 1,
    };
  }
  await writeFile(file, JSON.stringify(preferences));
}

function child(value: unknown, key: string): Record<string, unknown> {
  const found = isObject(value) ? value[key] : undefined;
  if (!isObject(found)) throw new Error(`The preferences have no "${key}".`);
  return found;
}

/** What has become of the extensions; none of one that Chromium did not add. */
async function statesOf(browser: Browser, ids: ReadonlySet<string>): Promise<Map<string, UpdateVerdict>> {
  const page = await browser.newPage();
  await page.goto(EXTENSIONS_PAGE);
  await page.waitForFunction(`typeof chrome.management?.getAll === 'function'`, { timeout: ADDED_LIMIT_MS });
  const answer: unknown = await page.evaluate('chrome.management.getAll().then((listed) => ({ listed }))');
  return new Map(
    listField(answer, 'listed').flatMap((entry): [string, UpdateVerdict][] => {
      const id = textField(entry, 'id');
      return ids.has(id)
        ? [[id, textField(entry, 'disabledReason') === 'permissions_increase' ? 'asked' : 'silent']]
        : [];
    }),
  );
}
