import * as l10n from '@vscode/l10n';
import { window, workspace } from 'vscode';
import { COMMANDS } from '../../../ids';
import { recordLabel } from '../../lists/labels';
import { confirm, askText } from '../../notify';
import type { BrowserWiring } from '../browserWiring';
import { nameFor, nameNote, nameProblem } from '../defaultNames';
import { chooseProfile } from '../pickRecord';

/** Commands for profiles, by row or picked from a list. */
export class ProfileCommands {
  readonly handlers = {
    [COMMANDS.createProfile]: () => this.createProfile(),
    [COMMANDS.showProfile]: (row: unknown) => this.showProfile(row),
    [COMMANDS.renameProfile]: (row: unknown) => this.renameProfile(row),
    [COMMANDS.deleteProfile]: (row: unknown) => this.deleteProfile(row),
  };

  constructor(private readonly wiring: BrowserWiring) {}

  async createProfile(): Promise<void> {
    const { connection, log, lists } = this.wiring;
    const client = await connection.client();
    const text = await askText({
      title: l10n.t('Create Profile'),
      prompt: l10n.t('Name of the profile, unique on the service. Leave it empty for a profile with an id only.'),
      problemOf: nameProblem,
      noteOf: nameNote,
    });
    if (text === undefined) return;
    const name = nameFor(text);
    const profile = await client.createProfile(name === '' ? undefined : name);
    const id = profile?.name ?? profile?.id ?? name;
    if (client.lacks('listProfiles') && id !== '') await connection.entered.add('profile', id);
    log.info(`Profile ${profile ? recordLabel(profile) : id} created`);
    await lists.profiles.refresh();
  }

  /** Opens the record of a profile as a read-only document. */
  async showProfile(argument: unknown): Promise<void> {
    const { connection } = this.wiring;
    const chosen = await chooseProfile(connection, argument, l10n.t('Select the profile to show'));
    if (!chosen) return;
    const profile = await (await connection.client()).getProfile(chosen.id);
    const document = await workspace.openTextDocument({
      language: 'json',
      content: `${JSON.stringify(profile, null, 2)}\n`,
    });
    await window.showTextDocument(document, { preview: true });
  }

  async renameProfile(argument: unknown): Promise<void> {
    const { connection, log, lists } = this.wiring;
    const profile = await chooseProfile(connection, argument, l10n.t('Select the profile to rename'));
    if (!profile) return;
    // The answer is about this service, also when another one is chosen meanwhile.
    const client = await connection.client();
    const text = await askText({
      title: l10n.t('Rename Profile'),
      prompt: l10n.t('Name of the profile, unique on the service'),
      value: profile.name ?? '',
      problemOf: (value) => (value.trim() === '' ? l10n.t('Enter a name.') : nameProblem(value)),
      noteOf: nameNote,
    });
    if (text === undefined) return;
    const renamed = await client.renameProfile(profile.id, nameFor(text));
    log.info(`Profile ${recordLabel(profile)} renamed to ${recordLabel(renamed)}`);
    await connection.entered.rename('profile', recordLabel(profile), recordLabel(renamed));
    await lists.profiles.refresh();
  }

  async deleteProfile(argument: unknown): Promise<void> {
    const { connection, log, lists } = this.wiring;
    const profile = await chooseProfile(connection, argument, l10n.t('Select the profile to delete'));
    if (!profile) return;
    const label = recordLabel(profile);
    const client = await connection.client();
    const isConfirmed = await confirm(
      l10n.t('Delete the profile {0}?', label),
      [l10n.t('Its logins and settings are lost for good.')],
      l10n.t('Delete'),
    );
    if (!isConfirmed) return;
    await client.deleteProfile(profile.id);
    log.info(`Profile ${label} deleted`);
    await connection.entered.remove('profile', label);
    await connection.entered.remove('profile', profile.id);
    lists.profiles.remove(profile.id);
    await lists.profiles.refresh();
  }
}
