import * as l10n from '@vscode/l10n';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import type { BrowserOutcome, Copies } from '../../push/pushRun';
import { browserLabel } from '../lists/labels';
import { confirm } from '../notify';

/** How many copies the question names: as many as a dialog has room for. */
const MOST_LINES = 20;

/** The other enabled copies of the extension, by browser. */
export function otherCopies(outcomes: readonly BrowserOutcome[]): Copies {
  const copies = new Map<string, readonly LoadedExtension[]>();
  // Several may be doubled of those that were pushed together.
  for (const { browser, outcome } of outcomes)
    if (outcome.kind === 'doubled') copies.set(browser.id, [...(copies.get(browser.id) ?? []), ...outcome.others]);
  return copies;
}

/** Lists what will be removed from which browser, and asks for confirmation. */
export async function mayRemoveCopies(outcomes: readonly BrowserOutcome[]): Promise<boolean> {
  const places = outcomes.flatMap(({ browser, outcome }) =>
    outcome.kind === 'doubled'
      ? outcome.others.map(
          ({ id, name, version, path }) => `${browserLabel(browser)}: ${name} ${version}, ${id}, ${path}`,
        )
      : [],
  );
  return await confirm(
    places.length === 1
      ? l10n.t('Remove the other copy of the extension?')
      : l10n.t('Remove {0} other copies of the extension?', places.length),
    [
      ...places.slice(0, MOST_LINES),
      ...(places.length > MOST_LINES ? [l10n.t('and {0} more', places.length - MOST_LINES)] : []),
      l10n.t('Their storage is removed, too. The folder is then pushed again to verify that it runs alone.'),
    ],
    l10n.t('Remove'),
  );
}
