import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import { lackedBy } from '../../manifest/aspects';
import { exampleAddress } from '../../manifest/exampleAddress';
import { readManifest } from '../../manifest/namedPages';
import type { BrowserOutcome } from '../../push/pushRun';
import type { WayOut } from '../errorTexts';

/** More buttons make the text of a notification unreadable. */
const MOST_WAYS = 2;

/**
 * Leads on from the first push of an extension in this window: to what a person sees of it. Later pushes say no more than that it runs.
 */
export class FirstSuccess {
  /** The extension folders that were pushed. */
  readonly #known = new Set<string>();

  /** The buttons for the ends of a push that has succeeded; none after the first one. Never rejects. */
  async ways(outcomes: readonly BrowserOutcome[]): Promise<WayOut[]> {
    const running = outcomes.filter(({ outcome }) => outcome.kind === 'running');
    const [first, ...others] = running;
    if (!first || this.#known.has(first.folder)) return [];
    this.#known.add(first.folder);
    const manifest = await readManifest(first.folder).catch(() => undefined);
    // With several browsers, the commands are for those that pushes go to.
    const browser = others.length === 0 ? [{ browser: first.browser.id }] : [];
    return waysInto(manifest)
      .slice(0, MOST_WAYS)
      .map((way) => ({ ...way, arguments: browser }));
  }
}

/** What can be opened of an extension, by its manifest. */
function waysInto(manifest: unknown): WayOut[] {
  const lacked = lackedBy(manifest);
  return [
    ...(lacked.includes('Popup') ? [] : [{ label: l10n.t('Open Popup'), command: COMMANDS.openPopup }]),
    ...(exampleAddress(manifest) === undefined
      ? []
      : [{ label: l10n.t('Open a Page It Runs On…'), command: COMMANDS.openPage }]),
    ...(lacked.includes('Options') ? [] : [{ label: l10n.t('Open Options'), command: COMMANDS.openOptions }]),
    ...(lacked.includes('SidePanel') ? [] : [{ label: l10n.t('Open Side Panel'), command: COMMANDS.openSidePanel }]),
  ];
}
