import * as l10n from '@vscode/l10n';
import { Disposable, EventEmitter, FileSystemError, workspace, type FileChangeEvent, type Uri } from 'vscode';
import { COMMANDS, STORAGE_SCHEME } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { Handler } from '../commandRegistry';
import type { BrowserExtension } from '../lists/browserContents';
import { extensionCommand } from '../browsers/chooseExtension';
import type { StorageFiles } from './storageFiles';

/** The storage of extensions as documents, and its commands. What they need is loaded with the first use. */
export class StorageFeature implements Disposable {
  readonly handlers = {
    [COMMANDS.openStorage]: this.#command((storage, chosen) => storage.openStorage(this.wiring, chosen)),
    [COMMANDS.clearStorage]: this.#command((storage, chosen) => storage.clear(this.wiring, chosen)),
    [COMMANDS.exportStorage]: this.#command((storage, chosen) => storage.exportStorage(this.wiring, chosen)),
    [COMMANDS.importStorage]: this.#command((storage, chosen) => storage.importStorage(this.wiring, chosen)),
  };
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #registration: Disposable;
  #files: Promise<StorageFiles> | undefined;
  #disposables: Disposable[] = [];

  constructor(private readonly wiring: BrowserWiring) {
    const refuse = (): never => {
      throw FileSystemError.NoPermissions(
        l10n.t('The documents are the areas of chrome.storage; there are no others. Change the keys in them instead.'),
      );
    };
    this.#registration = workspace.registerFileSystemProvider(
      STORAGE_SCHEME,
      {
        onDidChangeFile: this.#changed.event,
        // An open document is followed anyway.
        watch: () => new Disposable(() => undefined),
        stat: async (uri: Uri) => (await this.#loaded()).stat(uri),
        readFile: async (uri: Uri) => (await this.#loaded()).readFile(uri),
        writeFile: async (uri: Uri, content: Uint8Array) => (await this.#loaded()).writeFile(uri, content),
        readDirectory: async (uri: Uri) => (await this.#loaded()).readDirectory(uri),
        createDirectory: refuse,
        delete: refuse,
        rename: refuse,
      },
      { isCaseSensitive: true },
    );
  }

  dispose(): void {
    Disposable.from(this.#registration, this.#changed, ...this.#disposables).dispose();
  }

  #loaded(): Promise<StorageFiles> {
    this.#files ??= import('./storageFiles').then(({ StorageFiles }) => {
      const files = new StorageFiles(this.wiring);
      const forwarding = files.onDidChangeFile((events) => this.#changed.fire(events));
      this.#disposables = [forwarding, files];
      return files;
    });
    return this.#files;
  }

  #command(act: (storage: typeof import('./storageCommands'), chosen: BrowserExtension) => Promise<void>): Handler {
    // Handlers are made before there is a wiring.
    return (row) => extensionCommand(this.wiring, () => import('./storageCommands'), act)(row);
  }
}
