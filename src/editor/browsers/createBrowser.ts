import * as l10n from '@vscode/l10n';
import { PROFILE_NAME_PATTERN, type BrowserSession, type Profile } from '../../service/model';
import { recordLabel } from '../lists/labels';
import { askText, pick } from '../notify';
import type { BrowserParts } from './browserParts';
import { startBrowser } from './startBrowser';

/** Asks for a name and a profile and starts a browser, which becomes the push target. Undefined when the user cancels. */
export async function createBrowser(parts: BrowserParts): Promise<BrowserSession | undefined> {
  const client = await parts.connection.client();
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
  return await startBrowser(parts, {
    ...(name === '' ? {} : { name }),
    ...(profile === 'none' ? {} : { profile: { id: profile.id, save_changes: true } }),
  });
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
