import * as l10n from '@vscode/l10n';
import type { ServiceClient } from '../../service/client';
import type { BrowserPool, CreateBrowserRequest, Profile, Viewport } from '../../service/model';
import { secondsText } from '../lists/ages';
import { modeText, recordLabel } from '../lists/labels';
import { askText, pick, pickMany, type Choice } from '../notify';
import { readServiceSettings } from '../settings';
import type { Draft, Option } from './createDraft';
import { machineOptions } from './machineOptions';
import { nameFor, nameNote } from './names';

/** Screens that are offered, in pixels; the last one is a phone's. */
const SCREENS: readonly Viewport[] = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
];

/** Largest side of a screen, in pixels. */
const MOST_PIXELS = 7680;

/** Times without use that are offered, in seconds; the service allows up to three days. */
const TIME_LIMITS: readonly number[] = [600, 3600, 28_800, 86_400, 259_200];

/** What the user chose for a new browser. */
export interface CreateOptions {
  request: CreateBrowserRequest;
  /** The pool to take it from, which determines all but its name and start page. */
  pool?: BrowserPool;
}

/**
 * Asks for the options of a new browser, in one list that shows them all and returns after each change. Undefined when the user
 * cancels.
 * @throws an error of the service
 */
export async function askOptions(
  client: ServiceClient,
  name: string,
  nameProblem: (text: string) => string | undefined,
): Promise<CreateOptions | undefined> {
  const draft: Draft = { name, startUrl: '', extensions: [] };
  // A service without pools answers with an error.
  const pools = await collect(client.listPools()).catch(() => []);
  for (;;) {
    const choice = await pick<Option>(
      [
        { icon: 'play', label: l10n.t('Start Browser') },
        nameOption(draft, nameProblem),
        ...(pools.length > 0 ? [poolOption(draft, pools)] : []),
        startPageOption(draft),
        ...(draft.pool ? [] : ownOptions(draft, client)),
        ...(draft.pool || readServiceSettings().service === 'local' ? [] : machineOptions(draft)),
      ],
      { title: l10n.t('Create Browser'), placeHolder: l10n.t('Select an option to change it') },
    );
    if (!choice) return undefined;
    if (!choice.edit) return resultOf(draft);
    await choice.edit();
  }
}

function resultOf(draft: Draft): CreateOptions {
  const { name, pool, profile, viewport, headless, timeoutSeconds, region, memory, startUrl, extensions } = draft;
  const request: CreateBrowserRequest = {
    ...(name === '' ? {} : { name }),
    ...(startUrl === '' ? {} : { start_url: startUrl }),
    ...(profile ? { profile: { id: profile.id, save_changes: true } } : {}),
    ...(viewport ? { viewport } : {}),
    ...(headless === undefined ? {} : { headless }),
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    ...(region === undefined ? {} : { region }),
    // The service has the choice for browsers with a window alone.
    ...(memory === undefined || headless === true ? {} : { memory }),
    ...(extensions.length > 0 ? { extensions: extensions.map(({ id }) => ({ id })) } : {}),
  };
  return { request, ...(pool ? { pool } : {}) };
}

function nameOption(draft: Draft, problemOf: (text: string) => string | undefined): Option {
  return {
    icon: 'tag',
    label: l10n.t('Name'),
    description: draft.name === '' ? l10n.t('chosen by the service') : draft.name,
    edit: async () => {
      const text = await askText({
        title: l10n.t('Name'),
        prompt: l10n.t('Name of the browser. Leave it empty for a name by the service.'),
        value: draft.name,
        noteOf: nameNote,
        problemOf,
      });
      if (text !== undefined) draft.name = nameFor(text);
    },
  };
}

function poolOption(draft: Draft, pools: readonly BrowserPool[]): Option {
  return {
    icon: 'server',
    label: l10n.t('Pool'),
    description: draft.pool ? recordLabel(draft.pool) : l10n.t('none, a new browser'),
    edit: async () => {
      const choice = await pick<Choice & { pool?: BrowserPool }>(
        [
          { label: l10n.t('None, a new browser') },
          ...pools.map((pool) => ({
            label: recordLabel(pool),
            description: pool.available_count === undefined ? '' : l10n.t('{0} free', pool.available_count),
            pool,
          })),
        ],
        { title: l10n.t('Pool'), placeHolder: l10n.t('Pool to take the browser from') },
      );
      if (choice) draft.pool = choice.pool;
    },
  };
}

function startPageOption(draft: Draft): Option {
  return {
    icon: 'globe',
    label: l10n.t('Start Page'),
    description: draft.startUrl === '' ? l10n.t('blank') : draft.startUrl,
    edit: async () => {
      const text = await askText({
        title: l10n.t('Start Page'),
        prompt: l10n.t('Address that the browser opens. Leave it empty for a blank page.'),
        value: draft.startUrl,
        placeHolder: 'https://example.com/',
        problemOf: (value) =>
          value.trim() === '' || URL.canParse(value.trim())
            ? undefined
            : l10n.t('Enter a whole address, such as https://example.com/.'),
      });
      if (text !== undefined) draft.startUrl = text.trim();
    },
  };
}

/** The options that a browser of a pool has from its pool. */
function ownOptions(draft: Draft, client: ServiceClient): Option[] {
  const { profile, viewport, headless, timeoutSeconds, extensions } = draft;
  return [
    {
      icon: 'account',
      label: l10n.t('Profile'),
      description: profile ? recordLabel(profile) : l10n.t('none, nothing is kept'),
      edit: () => editProfile(draft, client),
    },
    {
      icon: 'window',
      label: l10n.t('Window'),
      description: headless === undefined ? l10n.t('default') : modeText({ headless }),
      edit: () => editMode(draft),
    },
    {
      icon: 'screen-full',
      label: l10n.t('Size'),
      description: viewport ? sizeOf(viewport) : l10n.t('default'),
      edit: () => editScreen(draft),
    },
    {
      icon: 'watch',
      label: l10n.t('Time Limit'),
      description: l10n.t('ends after {0} without use', secondsText(timeoutSeconds ?? 3600)),
      edit: () => editTimeLimit(draft),
    },
    {
      icon: 'package',
      label: l10n.t('Stored Extensions'),
      description: extensions.length === 0 ? l10n.t('none') : extensions.map(recordLabel).join(', '),
      edit: () => editExtensions(draft, client),
    },
  ];
}

async function editProfile(draft: Draft, client: ServiceClient): Promise<void> {
  const profiles = await collect(client.listProfiles());
  const choice = await pick<Choice & { profile?: Profile }>(
    [
      { label: l10n.t('No profile'), description: l10n.t('starts empty, nothing is kept') },
      ...profiles.map((profile) => ({ label: recordLabel(profile), description: profile.id, profile })),
    ],
    { title: l10n.t('Profile'), placeHolder: l10n.t('Profile to load and to save changes to') },
  );
  if (choice) draft.profile = choice.profile;
}

async function editMode(draft: Draft): Promise<void> {
  const choice = await pick<Choice & { headless?: boolean }>(
    [
      { label: l10n.t('Default of the service') },
      { label: modeText({ headless: false }), headless: false },
      { label: modeText({ headless: true }), headless: true },
    ],
    { title: l10n.t('Window'), placeHolder: l10n.t('Whether the browser has a window') },
  );
  if (choice) draft.headless = choice.headless;
}

async function editScreen(draft: Draft): Promise<void> {
  const other = l10n.t('Other Size…');
  const choice = await pick<Choice & { viewport?: Viewport }>(
    [
      { label: l10n.t('Default of the service') },
      ...SCREENS.map((viewport) => ({ label: sizeOf(viewport), viewport })),
      { label: other },
    ],
    { title: l10n.t('Size'), placeHolder: l10n.t('Size of the screen in pixels') },
  );
  if (!choice) return;
  if (choice.label !== other) {
    draft.viewport = choice.viewport;
    return;
  }
  const text = await askText({
    title: l10n.t('Size'),
    prompt: l10n.t('Width and height in pixels'),
    placeHolder: '1280 × 800',
    problemOf: (value) =>
      readSize(value) ? undefined : l10n.t('Enter width and height up to {0}, such as 1280 × 800.', MOST_PIXELS),
  });
  if (text !== undefined) draft.viewport = readSize(text);
}

async function editTimeLimit(draft: Draft): Promise<void> {
  const choice = await pick(
    TIME_LIMITS.map((seconds) => ({ label: secondsText(seconds), seconds })),
    { title: l10n.t('Time Limit'), placeHolder: l10n.t('Time without use after which the browser ends') },
  );
  if (choice) draft.timeoutSeconds = choice.seconds;
}

async function editExtensions(draft: Draft, client: ServiceClient): Promise<void> {
  const stored = await collect(client.listExtensions());
  const chosen = await pickMany(
    stored.map((extension) => ({
      label: recordLabel(extension),
      description: extension.id,
      picked: draft.extensions.some(({ id }) => id === extension.id),
      extension,
    })),
    { title: l10n.t('Stored Extensions'), placeHolder: l10n.t('Stored extensions to load') },
  );
  if (chosen) draft.extensions = chosen.map(({ extension }) => extension);
}

function sizeOf({ width, height }: Viewport): string {
  return `${width} × ${height}`;
}

function readSize(text: string): Viewport | undefined {
  const [, width, height] = /^\s*(\d{1,4})\s*[x×*, ]\s*(\d{1,4})\s*$/i.exec(text) ?? [];
  const viewport = { width: Number(width), height: Number(height) };
  const isValid = [viewport.width, viewport.height].every((side) => side >= 1 && side <= MOST_PIXELS);
  return isValid ? viewport : undefined;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
