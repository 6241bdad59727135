import * as l10n from '@vscode/l10n';
import { window, workspace } from 'vscode';
import { COMMANDS } from '../../ids';
import { PROFILE_NAME_PATTERN } from '../../service/model';
import { recordLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { askModal, askText } from '../notify';
import type { BrowserParts } from './browserParts';

/** Commands for profiles and stored extensions, by row, by id or by name. */
export class ProfileCommands {
  readonly handlers = {
    [COMMANDS.createProfile]: () => this.createProfile(),
    [COMMANDS.showProfile]: (row: unknown) => this.showProfile(row),
    [COMMANDS.deleteProfile]: (row: unknown) => this.deleteProfile(row),
    [COMMANDS.deleteExtension]: (row: unknown) => this.deleteExtension(row),
  };
  readonly #parts: BrowserParts;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
  }

  async createProfile(): Promise<void> {
    const { connection, log, lists } = this.#parts;
    const client = await connection.client();
    const name = await askText({
      title: l10n.t('Create Profile'),
      prompt: l10n.t('Name of the profile, unique on the service. Leave it empty for a profile with an id only.'),
      problemOf: (text) =>
        text === '' || PROFILE_NAME_PATTERN.test(text)
          ? undefined
          : l10n.t('Use letters, digits, ".", "_" and "-", at most 255.'),
    });
    if (name === undefined) return;
    const profile = await client.createProfile(name === '' ? undefined : name);
    log.info(`Profile ${recordLabel(profile)} created`);
    await lists.profiles.refresh();
  }

  /** Opens the record of a profile as a read-only document. */
  async showProfile(argument: unknown): Promise<void> {
    const idOrName = itemOf(argument, 'profile')?.id ?? (await askFor(l10n.t('Show Profile')));
    if (idOrName === undefined) return;
    const profile = await (await this.#parts.connection.client()).getProfile(idOrName);
    const document = await workspace.openTextDocument({
      language: 'json',
      content: `${JSON.stringify(profile, null, 2)}\n`,
    });
    await window.showTextDocument(document, { preview: true });
  }

  async deleteProfile(argument: unknown): Promise<void> {
    const { connection, log, lists } = this.#parts;
    const row = itemOf(argument, 'profile');
    const idOrName = row?.id ?? (await askFor(l10n.t('Delete Profile')));
    if (idOrName === undefined) return;
    const label = row?.name ?? idOrName;
    if (
      !(await confirmDelete(
        l10n.t('Delete the profile {0}?', label),
        l10n.t('Its logins and settings are lost for good.'),
      ))
    ) {
      return;
    }
    await (await connection.client()).deleteProfile(idOrName);
    log.info(`Profile ${label} deleted`);
    await lists.profiles.refresh();
  }

  async deleteExtension(argument: unknown): Promise<void> {
    const { connection, log, lists } = this.#parts;
    const row = itemOf(argument, 'extension');
    const idOrName = row?.id ?? (await askFor(l10n.t('Delete Extension')));
    if (idOrName === undefined) return;
    const label = row?.name ?? idOrName;
    if (
      !(await confirmDelete(
        l10n.t('Delete the stored extension {0}?', label),
        l10n.t('It is removed from the service. Browsers that run it already keep running it.'),
      ))
    ) {
      return;
    }
    await (await connection.client()).deleteExtension(idOrName);
    log.info(`Stored extension ${label} deleted`);
    await lists.extensions.refresh();
  }
}

/** An id or a name; undefined when the user cancels. */
async function askFor(title: string): Promise<string | undefined> {
  const text = await askText({
    title,
    prompt: l10n.t('Id or name'),
    problemOf: (value) => (value.trim() === '' ? l10n.t('Enter an id or a name.') : undefined),
  });
  return text?.trim();
}

async function confirmDelete(question: string, detail: string): Promise<boolean> {
  const confirm = l10n.t('Delete');
  return (await askModal(question, [detail], confirm)) === confirm;
}
