import { stat } from 'node:fs/promises';
import { DocumentLink, Range, Uri, type DocumentLinkProvider, type TextDocument } from 'vscode';
import { filesOf, locationsIn } from './consoleLocations';
import { namedRoots } from './consoleOutput';

/** Only the last lines have links, so many. */
const MAX_LINES = 10_000;

/** Where a link leads, whose file is looked for when it is clicked. */
interface Target {
  path: string;
  /** The fragment that VS Code understands. */
  position: string;
}

/**
 * Links from locations in the console to the files: VS Code itself finds only absolute paths in output channels, and those of the console are
 * relative to the workspace folder, after a name of it where several are open.
 */
export class ConsoleLinks implements DocumentLinkProvider {
  readonly #targets = new WeakMap<DocumentLink, Target>();

  provideDocumentLinks(document: TextDocument): DocumentLink[] {
    const links: DocumentLink[] = [];
    for (let line = Math.max(0, document.lineCount - MAX_LINES); line < document.lineCount; line++) {
      for (const { index, length, path, row, column } of locationsIn(document.lineAt(line).text)) {
        const link = new DocumentLink(new Range(line, index, line, index + length));
        this.#targets.set(link, { path, position: `L${row},${column}` });
        links.push(link);
      }
    }
    return links;
  }

  async resolveDocumentLink(link: DocumentLink): Promise<DocumentLink> {
    const target = this.#targets.get(link);
    if (!target) return link;
    for (const file of filesOf(target.path, namedRoots())) {
      if ((await stat(file).catch(() => undefined))?.isFile() === true) {
        link.target = Uri.file(file).with({ fragment: target.position });
        return link;
      }
    }
    return link;
  }
}
