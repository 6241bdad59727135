import * as l10n from '@vscode/l10n';
import { ProgressLocation, window } from 'vscode';
import {
  PROFILE_NAME_PATTERN,
  type BrowserSession,
  type CreateBrowserRequest,
  type Profile,
} from '../../service/model';
import { durationText } from '../../units';
import { signalOf } from '../cancellation';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import type { Log } from '../log';
import type { ServiceConnection } from '../service/connection';
import { readServiceSettings } from '../settings';
import { pickBrowser } from './pickBrowser';
import type { PushPins } from './pins';
import { type PushTarget } from './target';

/** How long a browser that Sideload created lives without use, in seconds: longer than a coffee, shorter than a forgotten bill. */
const CREATED_TIMEOUT_SECONDS = 3600;

export interface BrowserCommandsOptions {
  connection: ServiceConnection;
  target: PushTarget;
  pins: PushPins;
  log: Log;
  refresh: () => Promise<void>;
}

/** Commands that create and end browsers. */
export class BrowserCommands {
  readonly #options: BrowserCommandsOptions;

  constructor(options: BrowserCommandsOptions) {
    this.#options = options;
  }

  /** Asks for a name and a profile and starts a browser, which becomes the push target. Undefined when the user backs out. */
  async create(): Promise<BrowserSession | undefined> {
    const { connection, target, log, refresh } = this.#options;
    const client = await connection.client();
    const name = await window.showInputBox({
      title: l10n.t('Create Browser (1 of 2)'),
      prompt: l10n.t('Name of the browser. Leave it empty for a name by the service.'),
      validateInput: (text) =>
        text === '' || PROFILE_NAME_PATTERN.test(text)
          ? undefined
          : l10n.t('Use letters, digits, ".", "_" and "-", at most 255.'),
    });
    if (name === undefined) return undefined;
    const profiles: Profile[] = [];
    for await (const profile of client.listProfiles()) profiles.push(profile);
    const profile = await pickProfile(profiles);
    if (profile === undefined) return undefined;
    const request: CreateBrowserRequest = {
      timeout_seconds: CREATED_TIMEOUT_SECONDS,
      ...(name === '' ? {} : { name }),
      ...(profile === 'none' ? {} : { profile: { id: profile.id, save_changes: true } }),
      ...headlessWish(),
    };
    const started = performance.now();
    const session = await window.withProgress(
      { location: ProgressLocation.Notification, title: l10n.t('Starting a browser'), cancellable: true },
      async (_progress, token) => {
        const signal = signalOf(token);
        try {
          return await client.createBrowser(request, signal);
        } catch (error) {
          if (signal.aborted) return undefined;
          throw error;
        }
      },
    );
    if (!session) {
      log.info('Create Browser: cancelled; a browser that the service had begun to start may appear in the list');
      await refresh();
      return undefined;
    }
    log.info(`Browser ${browserLabel(session)} started in ${durationText(performance.now() - started)}`);
    await target.remember(session.session_id);
    await refresh();
    return session;
  }

  /** Ends a browser after asking. */
  async delete(argument: unknown): Promise<void> {
    const { connection, target, pins, log, refresh } = this.#options;
    const session =
      itemOf(argument, 'browser') ?? (await pickBrowser(connection, l10n.t('Which browser is to be deleted?')));
    if (!session) return;
    const label = browserLabel(session);
    const confirm = l10n.t('Delete');
    const choice = await window.showWarningMessage(
      l10n.t('Delete the browser {0}?', label),
      {
        modal: true,
        detail: l10n.t('Its tabs are closed and what was pushed to it is gone. A profile that it saves to is kept.'),
      },
      confirm,
    );
    if (choice !== confirm) return;
    await (await connection.client()).deleteBrowser(session.session_id);
    log.info(`Browser ${label} deleted`);
    if (target.sessionId === session.session_id) await target.remember(undefined);
    await pins.remove(session.session_id);
    await refresh();
  }
}

/** `none` is a browser without a profile; undefined, that the user backed out. Not asked when there is nothing to choose. */
async function pickProfile(profiles: readonly Profile[]): Promise<Profile | 'none' | undefined> {
  if (profiles.length === 0) return 'none';
  const choice = await window.showQuickPick(
    [
      { label: l10n.t('No profile'), description: l10n.t('starts empty, nothing is kept'), profile: 'none' as const },
      ...profiles.map((profile) => ({ label: profile.name ?? profile.id, description: profile.id, profile })),
    ],
    { title: l10n.t('Create Browser (2 of 2)'), placeHolder: l10n.t('Profile to load and to save changes to') },
  );
  return choice?.profile;
}

/** The wish for a window concerns browsers on this machine; the cloud's default stays as it is. */
function headlessWish(): { headless?: boolean } {
  const { service, headless } = readServiceSettings();
  if (service !== 'local' || headless === 'auto') return {};
  return { headless: headless === 'always' };
}
