import * as l10n from '@vscode/l10n';
import type { Browser, CreateBrowserRequest, ProfileChoice } from '../../../service/model';
import { browserLabel } from '../../lists/labels';
import { askModal } from '../../notify';
import type { ServiceConnection } from '../../service/connection';
import { listRunning } from '../pickBrowser';

/** The running browsers that save their state to a profile when they end; each replaces what the profile holds then. */
export function writersOf({ id, name }: ProfileChoice, running: readonly Browser[]): Browser[] {
  return running.filter(
    ({ profile, profileSaveChanges: saves }) =>
      saves === true && profile && (profile.id === id || (name !== undefined && profile.name === name)),
  );
}

/**
 * The request to send: the user is asked where it saves to a profile to which a running browser saves already. Undefined when the user
 * cancels.
 * @throws ServiceError
 */
export async function confirmWriter(
  connection: ServiceConnection,
  request: CreateBrowserRequest,
): Promise<CreateBrowserRequest | undefined> {
  const { profile } = request;
  if (profile?.saveChanges !== true) return request;
  const [writer] = writersOf(profile, await listRunning(connection));
  if (!writer) return request;
  const loadOnly = l10n.t('Load Only');
  const saveToo = l10n.t('Save, Too');
  const choice = await askModal(
    l10n.t('{0} already saves to the profile {1}.', browserLabel(writer), profileName(writer, profile)),
    [
      l10n.t('A browser saves to its profile when it ends, and replaces all that the profile holds.'),
      l10n.t('If both save, the changes of the one that ends first are lost.'),
    ],
    loadOnly,
    saveToo,
  );
  if (choice === loadOnly) return { ...request, profile: { ...profile, saveChanges: false } };
  return choice === saveToo ? request : undefined;
}

/** What becomes of the profile of a browser that is ended now, as lines of a dialog. */
export function endedProfileLines(browser: Browser, running: readonly Browser[]): string[] {
  const { profile, profileSaveChanges: saves } = browser;
  if (!profile) return [];
  const name = profileName(browser, profile);
  if (saves === undefined || saves === null) return [];
  if (!saves) return [l10n.t('The profile {0} is not changed.', name)];
  const [other] = writersOf({ id: profile.id }, running).filter(({ id }) => id !== browser.id);
  return [
    l10n.t('Its state is saved to the profile {0} now, and replaces all that the profile holds.', name),
    ...(other
      ? [l10n.t('When {0} ends, which saves to the same profile, that is replaced in turn.', browserLabel(other))]
      : []),
  ];
}

function profileName({ profile }: Browser, { id, name }: { id?: string; name?: string | null }): string {
  return profile?.name ?? name ?? id ?? '';
}
