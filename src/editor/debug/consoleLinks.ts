import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DocumentLink,
  languages,
  Range,
  Uri,
  type Disposable,
  type DocumentLinkProvider,
  type TextDocument,
} from 'vscode';
import type { PushRecords } from '../browsers/pushRecords';
import { CHANNEL } from './consoleOutput';

/** Only the last lines have links, so many. */
const MAX_LINES = 10_000;

/** A place at the end of a line or in a frame of a stack: `src/worker.ts:3:5`. */
const PLACE = /(?<=\(|\bat )([^\s():][^():]*):(\d+)(?::(\d+))?(?=\)|$)/g;

/** Where a link leads, whose file is looked for when it is clicked. */
interface Target {
  path: string;
  /** The fragment that VS Code understands. */
  position: string;
}

/**
 * Links from places in the console to the files: VS Code itself finds only absolute paths in output channels, and those of the console are
 * relative to the workspace folder.
 */
export class ConsoleLinks implements DocumentLinkProvider, Disposable {
  readonly #records: PushRecords;
  readonly #registration: Disposable;
  readonly #targets = new WeakMap<DocumentLink, Target>();

  constructor(records: PushRecords) {
    this.#records = records;
    this.#registration = languages.registerDocumentLinkProvider({ scheme: 'output', pattern: `**/*${CHANNEL}*` }, this);
  }

  provideDocumentLinks(document: TextDocument): DocumentLink[] {
    const links: DocumentLink[] = [];
    for (let line = Math.max(0, document.lineCount - MAX_LINES); line < document.lineCount; line++) {
      const { text } = document.lineAt(line);
      for (const { index, 0: whole, 1: path = '', 2: row = '1', 3: column = '1' } of text.matchAll(PLACE)) {
        const link = new DocumentLink(new Range(line, index, line, index + whole.length));
        this.#targets.set(link, { path, position: `L${row},${column}` });
        links.push(link);
      }
    }
    return links;
  }

  async resolveDocumentLink(link: DocumentLink): Promise<DocumentLink> {
    const target = this.#targets.get(link);
    if (!target) return link;
    for (const root of new Set(this.#records.builds.map((build) => build.root))) {
      const file = join(root, target.path);
      if (await isFile(file)) {
        link.target = Uri.file(file).with({ fragment: target.position });
        return link;
      }
    }
    return link;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
