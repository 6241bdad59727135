import * as l10n from '@vscode/l10n';
import { Uri, window, workspace } from 'vscode';
import { COMMANDS } from '../../../ids';
import type { Refusal } from '../../../push/outcome';
import type { Prepared } from '../../../push/prepare/prepare';
import { refusalText } from '../../../push/refusalText';
import type { BrowserService } from '../../../service/browserService';
import type { StoredExtension } from '../../../service/model';
import { ServiceError } from '../../../service/serviceErrors';
import { type Replaced, ReplaceError, replaceStored } from '../../../service/replaceStored';
import { inFileName } from '../../../base/disk';
import { sizeText } from '../../../base/units';
import { UserError } from '../../errorTexts';
import { pickOneExtension, type ExtensionFolder } from '../../folder/extensionFolder';
import { saveFiles } from '../../folder/saveFiles';
import { recordLabel } from '../../lists/labels';
import { confirm, askTextOr, showInformation, withProgress, withProgressUnlessCancelled } from '../../notify';
import { readFolderSettings } from '../../settings';
import { requireTrust } from '../../trust';
import type { BrowserWiring } from '../browserWiring';
import { nameFor, nameNote, nameOf, nameProblem } from '../defaultNames';
import { chooseStored } from '../pickRecord';

/** Commands for the extensions that are stored on the account, by row or picked from a list. */
export class StoredCommands {
  readonly handlers = {
    [COMMANDS.storeExtension]: () => this.store(),
    [COMMANDS.downloadExtension]: (row: unknown) => this.download(row),
    [COMMANDS.deleteExtension]: (row: unknown) => this.delete(row),
  };

  constructor(private readonly wiring: BrowserWiring) {}

  /** Checks and packs the open extension, and stores the archive on the account under a name that the user enters. */
  async store(): Promise<void> {
    requireTrust(l10n.t('This workspace is not trusted, so its files are not sent to the service.'));
    const { connection, context, lists } = this.wiring;
    const extension = await pickOneExtension(context.workspaceState);
    if (!extension) return;
    // The question is about what this service has, also when another one is chosen meanwhile.
    const client = await connection.client();
    const { items } = lists.extensions;
    const taken = items.flatMap(({ name }) => name ?? []);
    const answer = await askName(await nameOf(extension.workspaceFolder, extension.path), taken);
    if (!answer) return;
    await saveFiles(extension.path);
    await this.#storeAs({ client, items, extension }, answer, taken);
    await lists.extensions.refresh();
  }

  /** Stores under a name; when it turns out to be taken, asks again with what was typed. */
  async #storeAs(order: StoreOrder, { name, replaces }: StoredName, taken: readonly string[]): Promise<void> {
    const { log } = this.wiring;
    const { client, items, extension } = order;
    const stored = await withProgress(
      l10n.t('Storing {0} on the service', extension.workspaceFolder.name),
      async (signal, report) => {
        report(l10n.t('checking and packing'));
        const prepared = await this.#prepare(extension, signal);
        if ('kind' in prepared) {
          if (prepared.kind === 'cancelled') return undefined;
          throw new UserError(l10n.t('Not stored: {0}', refusalText(prepared)));
        }
        const bytes = await prepared.archive.zip();
        report(l10n.t('uploading {0}', sizeText(bytes.length)));
        try {
          const done: Replaced = replaces
            ? await replaceStored(client, bytes, { name, old: idOf(name, items) }, signal)
            : { record: await client.uploadExtension(bytes, name === '' ? undefined : name, signal), pools: [] };
          return { ...done, bytes: bytes.length };
        } catch (error) {
          // The stored extension has changed in spite of the cancellation, and the message says where it is now.
          if (signal.aborted && !(error instanceof ReplaceError)) return undefined;
          if (error instanceof ServiceError && error.kind === 'conflict') return 'taken';
          throw error;
        }
      },
    );
    if (stored === 'taken') {
      const answer = await askName(name, [...taken, name]);
      if (answer) await this.#storeAs(order, answer, [...taken, name]);
      return;
    }
    if (!stored) return;
    const size = sizeText(stored.bytes);
    log.info(`Stored extension ${recordLabel(stored.record)} (${size}), id ${stored.record.id}`);
    const said = replaces
      ? l10n.t('{0} was replaced on the service ({1}).', recordLabel(stored.record), size)
      : l10n.t('{0} is stored on the service ({1}).', recordLabel(stored.record), size);
    showInformation([said, ...poolSentences(stored)].join(' '));
  }

  /** Saves the archive of a stored extension to a file that the user chooses. */
  async download(argument: unknown): Promise<void> {
    const { connection } = this.wiring;
    const extension = await chooseStored(connection, argument, l10n.t('Select the stored extension to download'));
    if (!extension) return;
    const label = recordLabel(extension);
    const client = await connection.client();
    const [folder] = workspace.workspaceFolders ?? [];
    const fileName = `${inFileName(label)}.zip`;
    const file = await window.showSaveDialog({
      title: l10n.t('Download Stored Extension'),
      filters: { [l10n.t('Zip archives')]: ['zip'] },
      ...(folder ? { defaultUri: Uri.joinPath(folder.uri, '..', fileName) } : {}),
    });
    if (!file) return;
    const archive = await withProgressUnlessCancelled(l10n.t('Downloading {0}', label), (signal) =>
      client.downloadExtension(extension.id, signal),
    );
    if (!archive) return;
    await workspace.fs.writeFile(file, archive);
    this.wiring.log.info(`Stored extension ${label} downloaded to ${file.fsPath}`);
    showInformation(l10n.t('{0} ({1}) was saved to {2}.', label, sizeText(archive.length), file.fsPath));
  }

  async delete(argument: unknown): Promise<void> {
    const { connection, log, lists } = this.wiring;
    const extension = await chooseStored(connection, argument, l10n.t('Select the stored extension to delete'));
    if (!extension) return;
    const label = recordLabel(extension);
    const client = await connection.client();
    const isConfirmed = await confirm(
      l10n.t('Delete the stored extension {0}?', label),
      [l10n.t('It is removed from the service. Browsers that run it already keep running it.')],
      l10n.t('Delete'),
    );
    if (!isConfirmed) return;
    await client.deleteExtension(extension.id);
    log.info(`Stored extension ${label} deleted`);
    await connection.entered.remove('extension', extension.id);
    lists.extensions.remove(extension.id);
    await lists.extensions.refresh();
  }

  async #prepare({ workspaceFolder, path }: ExtensionFolder, signal: AbortSignal): Promise<Prepared | Refusal> {
    const { engines, connection } = this.wiring;
    const engine = await engines.load();
    const { exclude, include } = readFolderSettings(workspaceFolder.uri);
    return await engine.prepare({ folder: path, exclude, include, isLocal: connection.isLocal }, signal);
  }
}

/** What is stored, and where: the stored extensions of that service are known. */
interface StoreOrder {
  client: BrowserService;
  items: readonly StoredExtension[];
  extension: ExtensionFolder;
}

/** Which pools still load an extension that was replaced, as far as the service says it. */
function poolSentences({ pools, poolsError }: Replaced): string[] {
  const names = pools.map(recordLabel).join(', ');
  return [
    ...(names === '' ? [] : [l10n.t('These pools still load the old one: {0}.', names)]),
    ...(poolsError
      ? [l10n.t('Whether other pools still load the old one is not known: {0}', poolsError.sentences.join(' '))]
      : []),
  ];
}

/** The id of a stored extension that is listed under a name, else the name. */
function idOf(name: string, items: readonly StoredExtension[]): string {
  return items.find((stored) => stored.name === name)?.id ?? name;
}

/** A name for a stored extension, and whether the one that has it is replaced. */
interface StoredName {
  name: string;
  replaces: boolean;
}

/** Asks for a name in a box whose button replaces the stored extension that has it; undefined when the user cancels. */
async function askName(value: string | undefined, taken: readonly string[]): Promise<StoredName | undefined> {
  const isTaken = (text: string): boolean => taken.includes(nameFor(text));
  const answer = await askTextOr(
    {
      title: l10n.t('Save as Stored Extension'),
      prompt: l10n.t('Name on the service, unique there. Leave it empty for an extension with an id only.'),
      value: value ?? '',
      problemOf: (text) =>
        isTaken(text)
          ? l10n.t('"{0}" is stored already. Enter another name, or replace it by the button above.', nameFor(text))
          : nameProblem(text),
      noteOf: nameNote,
    },
    { icon: 'replace', tooltip: l10n.t('Replace') },
  );
  if (!answer) return undefined;
  const name = nameFor(answer.text);
  if (!answer.isButton) return { name, replaces: false };
  // There may be one that is not listed.
  return nameProblem(name) === undefined && name !== '' ? { name, replaces: true } : await askName(answer.text, taken);
}
