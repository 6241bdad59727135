import * as l10n from '@vscode/l10n';
import { RelativePattern, Uri, workspace, type Memento } from 'vscode';
import { pathFrom } from '../../base/disk';
import type { Opened, Surface } from '../../devtools/extensions/surfaces';
import { COMMANDS } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLink, withLinkOrGone } from '../browsers/readContents';
import { withBrowser } from '../browsers/gone';
import { exampleAddress } from '../../manifest/exampleAddress';
import { filesIn, pagesOf, readManifest } from '../../manifest/namedPages';
import type { PushedBuild } from '../../push/known/pushRecords';
import { extensionsFor, type ExtensionIn } from '../browsers/pushedExtensions';
import { UserError } from '../errorTexts';
import { browserLabel } from '../lists/labels';
import { pickOrType, showInformation, showStatus, showWarning } from '../notify';
import { readFolderSettings } from '../settings';
import { pageAddresses } from './pageAddresses';

/** Most pages of an extension folder that are offered. */
const MAX_FILES = 200;

interface PageChoice {
  icon?: string;
  /** A path in the extension, or an address. */
  label: string;
  description: string;
}

/** Commands that open what a person sees of an extension: popup, side panel, options and other pages. */
export class SurfaceCommands {
  readonly handlers = {
    [COMMANDS.openPopup]: (row: unknown) => this.#open(row, 'popup'),
    [COMMANDS.pressAction]: (row: unknown) => this.#open(row, 'action'),
    [COMMANDS.openOptions]: (row: unknown) => this.#open(row, 'options'),
    [COMMANDS.openSidePanel]: (row: unknown) => this.#open(row, 'sidePanel'),
    [COMMANDS.openPage]: (row: unknown) => this.openPage(row),
  };
  readonly #opened: OpenedPages;

  constructor(private readonly wiring: BrowserWiring) {
    this.#opened = new OpenedPages(wiring.context.workspaceState);
  }

  /** Asks for a page, of the extension or of the web, and opens it. */
  async openPage(row: unknown): Promise<void> {
    const extensions = await extensionsFor(this.wiring, row);
    const builds = await Promise.all(extensions.map((extension) => this.#buildOf(extension)));
    const pages = await Promise.all(extensions.map((extension, at) => this.#pages(extension, builds[at])));
    const choice = await pickOrType(distinct(pages.flat()), typedPage, {
      placeHolder: l10n.t('Select the page to open, or type a path in the extension or an address'),
    });
    if (!choice) return;
    const { label: page } = choice;
    const files = builds.map((build) => build && filesIn(build.folder));
    const addresses = pageAddresses(
      page,
      extensions.map(({ id }, at) => ({ id, isFile: files[at] })),
    );
    const without = extensions.filter((_, at) => addresses[at] === undefined);
    const problem = l10n.t(
      '"{0}" is no page of the extension and no address. Enter a path such as popup.html, or an address such as localhost:8080 or example.com.',
      page,
    );
    if (without.length === extensions.length) throw new UserError(problem);
    const { showAddress } = await import('../../devtools/extensions/surfaces');
    for (const [at, { browser }] of extensions.entries()) {
      const address = addresses[at];
      if (address === undefined) continue;
      await withBrowser(this.wiring, browser, async () => {
        if (!(await this.wiring.localhost.reach(browser, address))) return;
        await withLink(this.wiring, browser, (link) => showAddress(link, address));
      });
    }
    const labels = without.map(({ browser }) => browserLabel(browser)).join(', ');
    if (labels !== '') void showWarning(l10n.t('{0}: {1}', labels, problem));
    await this.#opened.remember(page);
  }

  async #open(row: unknown, surface: Surface): Promise<void> {
    const extensions = await extensionsFor(this.wiring, row);
    const { openSurface } = await import('../../devtools/extensions/surfaces');
    const failures: string[] = [];
    for (const extension of extensions) {
      const { browser, id } = extension;
      const opened = await withLinkOrGone(this.wiring, browser, (link) => openSurface(link, id, surface));
      if (!opened) continue;
      const text = textOf(surface, extension, opened);
      if (opened.as === 'nothing') {
        failures.push(text);
        continue;
      }
      this.wiring.log.info(text);
      if (opened.as === 'tab') showInformation(text);
      else showStatus(text);
    }
    // Nothing has failed: the log says no more.
    if (failures.length > 0) void showWarning(failures.join(' '));
  }

  /** The pages to choose from: those that were opened last, those that the manifest names, then the others in the folder. */
  async #pages({ browser, id }: ExtensionIn, build: PushedBuild | undefined): Promise<PageChoice[]> {
    const manifest = build
      ? await readManifest(build.folder)
      : await withBrowser(this.wiring, browser, async () => {
          const { runningManifest } = await import('../../devtools/extensions/surfaces');
          return await withLink(this.wiring, browser, (link) => runningManifest(link, id).catch(() => undefined));
        });
    const start = build ? readFolderSettings(Uri.file(build.root)).startUrl : '';
    const example = exampleAddress(manifest);
    return [
      ...this.#opened.latest.map((label) => ({ icon: 'history', label, description: l10n.t('opened before') })),
      ...(example === undefined
        ? []
        : [{ icon: 'globe', label: example, description: l10n.t('its content script runs there') }]),
      ...pagesOf(manifest).map(({ key, path }) => ({ label: path, description: key })),
      ...(start === '' ? [] : [{ label: start, description: l10n.t('start page') }]),
      ...(build ? await pagesIn(build.folder) : []),
    ];
  }

  /** The build that this window has pushed; undefined where its folder is not known, or holds no extension now. */
  async #buildOf({ browser, id }: ExtensionIn): Promise<PushedBuild | undefined> {
    const build = this.wiring.records.build(browser.id);
    if (build?.extensionId !== id) return undefined;
    const { holdsExtension } = await import('../../archive/locate');
    return (await holdsExtension(build.folder)) ? build : undefined;
  }
}

function typedPage(label: string): PageChoice {
  return { icon: 'link-external', label, description: l10n.t('open this page or address') };
}

/** The choices without those of a page that is among them before. */
function distinct(choices: readonly PageChoice[]): PageChoice[] {
  return choices.filter(({ label }, at) => choices.findIndex((other) => other.label === label) === at);
}

/** The HTML files in an extension folder. */
async function pagesIn(folder: string): Promise<PageChoice[]> {
  const files = await workspace.findFiles(
    new RelativePattern(folder, '**/*.{html,htm}'),
    '**/node_modules/**',
    MAX_FILES,
  );
  const paths = files.map(({ fsPath }) => pathFrom(folder, fsPath));
  return paths.sort().map((label) => ({ label, description: '' }));
}

/** What became of a request, as a sentence, or as a phrase for the status bar. */
function textOf(surface: Surface, { browser, name }: ExtensionIn, opened: Opened): string {
  const label = browserLabel(browser);
  if (opened.as === 'tab') {
    const { reason, url } = opened;
    const page = url.replace(/^[^:]*:\/\/[^/]*\//, '');
    return l10n.t('{0} in {1}: {2}, so {3} was opened as a tab.', name, label, reason, page);
  }
  const isOpen = opened.as === 'itself';
  const reason = isOpen ? '' : opened.reason;
  switch (surface) {
    case 'popup':
      if (isOpen) return l10n.t('The popup of {0} is open in {1}', name, label);
      return l10n.t('The popup of {0} cannot be opened in {1}: {2}.', name, label, reason);
    case 'action':
      if (isOpen) return l10n.t('The action of {0} was pressed in {1}', name, label);
      return l10n.t('The action of {0} cannot be pressed in {1}: {2}.', name, label, reason);
    case 'options':
      if (isOpen) return l10n.t('The options of {0} are open in {1}', name, label);
      return l10n.t('The options of {0} cannot be opened in {1}: {2}.', name, label, reason);
    case 'sidePanel':
      if (isOpen) return l10n.t('The side panel of {0} is open in {1}', name, label);
      return l10n.t('The side panel of {0} cannot be opened in {1}: {2}.', name, label, reason);
  }
}

const KEY = 'openedPages';

/** More pages are not remembered. */
const MAX_PAGES = 10;

/** The pages that "Open Page…" has opened in this workspace, as the user named them, the latest first. */
class OpenedPages {
  constructor(private readonly memory: Memento) {}

  get latest(): readonly string[] {
    return this.memory.get<string[]>(KEY, []);
  }

  async remember(page: string): Promise<void> {
    await this.memory.update(KEY, [page, ...this.latest.filter((other) => other !== page)].slice(0, MAX_PAGES));
  }
}
