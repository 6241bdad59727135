import * as l10n from '@vscode/l10n';
import {
  PROFILE_NAME_PATTERN,
  type BrowserSession,
  type CreateBrowserRequest,
  type Profile,
} from '../../service/model';
import { durationText } from '../../units';
import { browserLabel, recordLabel } from '../lists/labels';
import { askText, pick, withProgress } from '../notify';
import { readServiceSettings } from '../settings';
import type { BrowserParts } from './browserParts';

/** How long a browser that Sideload created lives without use, in seconds: longer than a coffee, shorter than a forgotten bill. */
const CREATED_TIMEOUT_SECONDS = 3600;

/** Asks for a name and a profile and starts a browser, which becomes the push target. Undefined when the user cancels. */
export async function createBrowser({
  connection,
  target,
  lists,
  log,
}: BrowserParts): Promise<BrowserSession | undefined> {
  const client = await connection.client();
  const name = await askText({
    title: l10n.t('Create Browser (1 of 2)'),
    prompt: l10n.t('Name of the browser. Leave it empty for a name by the service.'),
    problemOf: (text) =>
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
    ...headlessSetting(),
  };
  const started = performance.now();
  const session = await withProgress(l10n.t('Starting a browser'), async (signal) => {
    try {
      return await client.createBrowser(request, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (!session) {
    log.info('Create Browser: cancelled; a browser that was starting already may appear in the list');
    await lists.browsers.refresh();
    return undefined;
  }
  log.info(`Browser ${browserLabel(session)} started in ${durationText(performance.now() - started)}`);
  await target.remember(session.session_id);
  await lists.browsers.refresh();
  return session;
}

/** `none` means a browser without a profile; undefined, that the user cancelled. Does not ask when there are no profiles. */
async function pickProfile(profiles: readonly Profile[]): Promise<Profile | 'none' | undefined> {
  if (profiles.length === 0) return 'none';
  const choice = await pick(
    [
      { label: l10n.t('No profile'), description: l10n.t('starts empty, nothing is kept'), profile: 'none' as const },
      ...profiles.map((profile) => ({ label: recordLabel(profile), description: profile.id, profile })),
    ],
    { title: l10n.t('Create Browser (2 of 2)'), placeHolder: l10n.t('Profile to load and to save changes to') },
  );
  return choice?.profile;
}

/** The setting applies to browsers on this machine only; the cloud service keeps its default. */
function headlessSetting(): { headless?: boolean } {
  const { service, headless } = readServiceSettings();
  if (service !== 'local' || headless === 'auto') return {};
  return { headless: headless === 'always' };
}
