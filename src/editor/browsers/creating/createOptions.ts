import * as l10n from '@vscode/l10n';
import { present } from '../../../base/fields';
import { urlOf } from '../../../base/url';
import type { BrowserPool, Browser, CreateBrowserRequest, Profile, Viewport } from '../../../service/model';
import { secondsText } from '../../lists/ages';
import { browserLabel, modeText, recordLabel } from '../../lists/labels';
import { askText, pick, pickMany, type Choice } from '../../notify';
import type { ServiceConnection } from '../../service/connection';
import { readServiceSettings } from '../../settings';
import type { Draft, Option } from './createDraft';
import { machineOptions } from './machineOptions';
import { enterChoice } from '../enterId';
import { nameFor, nameNote } from '../defaultNames';
import { listRunning } from '../pickBrowser';
import { collect, enterProfile, listProfiles, listStored } from '../pickRecord';
import { writersOf } from '../account/profileWriters';

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
  connection: ServiceConnection,
  name: string,
  nameProblem: (text: string) => string | undefined,
): Promise<CreateOptions | undefined> {
  const draft: Draft = { name, startUrl: '', extensions: [] };
  const client = await connection.client();
  // A service without pools answers with an error.
  const pools = await collect(client.listPools()).catch(() => []);
  for (;;) {
    const choice = await pick<Option>(
      [
        { icon: 'play', label: l10n.t('Start Browser') },
        nameOption(draft, nameProblem),
        ...(pools.length > 0 ? [poolOption(draft, pools)] : []),
        startPageOption(draft),
        ...(draft.pool ? [] : ownOptions(draft, connection)),
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
    ...(startUrl === '' ? {} : { startUrl }),
    ...(profile ? { profile: { id: profile.id, saveChanges: draft.savesProfile === true } } : {}),
    // The service has the choice of the memory for browsers with a window alone.
    ...present({ viewport, headless, timeoutSeconds, region, memory: headless === true ? undefined : memory }),
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
            description: pool.availableCount === undefined ? '' : l10n.t('{0} free', pool.availableCount),
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
          value.trim() === '' || urlOf(value.trim())
            ? undefined
            : l10n.t('Enter a whole address, such as https://example.com/.'),
      });
      if (text !== undefined) draft.startUrl = text.trim();
    },
  };
}

/** The options that a browser of a pool has from its pool. */
function ownOptions(draft: Draft, connection: ServiceConnection): Option[] {
  const { profile, viewport, headless, timeoutSeconds, extensions } = draft;
  return [
    {
      icon: 'account',
      label: l10n.t('Profile'),
      description: profile ? profileText(profile, draft.savesProfile) : l10n.t('none, nothing is kept'),
      edit: () => editProfile(draft, connection),
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
      edit: () => editExtensions(draft, connection),
    },
  ];
}

async function editProfile(draft: Draft, connection: ServiceConnection): Promise<void> {
  const profiles = await listProfiles(connection);
  const none = { label: l10n.t('No profile'), description: l10n.t('starts empty, nothing is kept') };
  const enter = enterChoice();
  const choice = await pick<Choice & { profile?: Profile }>(
    [none, ...profiles.map((profile) => ({ label: recordLabel(profile), description: profile.id, profile })), enter],
    { title: l10n.t('Profile'), placeHolder: l10n.t('Profile to load') },
  );
  if (!choice) return;
  const profile = choice === enter ? await enterProfile(connection) : choice.profile;
  if (choice === none) {
    draft.profile = undefined;
    return;
  }
  const saves = profile && (await askToSave(profile, await listRunning(connection)));
  if (saves === undefined) return;
  draft.profile = profile;
  draft.savesProfile = saves;
}

/** Whether a browser saves to its profile; undefined when the user cancels. Load only is proposed while another browser saves to it. */
async function askToSave(profile: Profile, running: readonly Browser[]): Promise<boolean | undefined> {
  const [writer] = writersOf({ id: profile.id }, running);
  const load = {
    label: l10n.t('Load Only'),
    description: l10n.t('the profile stays as it is'),
    saves: false,
  };
  const save = {
    label: l10n.t('Load and Save'),
    description: l10n.t('when the browser ends, its state replaces all that the profile holds'),
    saves: true,
  };
  const placeHolder = writer
    ? l10n.t(
        '{0} already saves to {1}: of two, the one that ends last replaces the other',
        browserLabel(writer),
        recordLabel(profile),
      )
    : l10n.t('Whether changes are saved to {0}', recordLabel(profile));
  return (await pick(writer ? [load, save] : [save, load], { title: l10n.t('Profile'), placeHolder }))?.saves;
}

function profileText(profile: Profile, saves: boolean | undefined): string {
  return saves === true
    ? l10n.t('{0}, changes are saved', recordLabel(profile))
    : l10n.t('{0}, only loaded', recordLabel(profile));
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

async function editExtensions(draft: Draft, connection: ServiceConnection): Promise<void> {
  const stored = await listStored(connection);
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
