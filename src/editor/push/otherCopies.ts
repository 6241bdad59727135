import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import { browserLabel } from '../lists/labels';
import type { BrowserEnd, Copies } from './pushRun';

/** The copies that act beside what was pushed, in all the browsers where there are such. */
export function otherCopies(ends: readonly BrowserEnd[]): Copies {
  return new Map(
    ends.flatMap(({ session, end }) => (end.outcome === 'doubled' ? [[session.session_id, end.others]] : [])),
  );
}

/** Says what will be removed, where, and asks whether it may be. */
export async function mayRemoveCopies(ends: readonly BrowserEnd[]): Promise<boolean> {
  const places = ends.flatMap(({ session, end }) =>
    end.outcome === 'doubled'
      ? end.others.map(({ id, name, version, path }) => `${browserLabel(session)}: ${name} ${version}, ${id}, ${path}`)
      : [],
  );
  const remove = l10n.t('Remove');
  const choice = await window.showWarningMessage(
    places.length === 1
      ? l10n.t('Remove the other copy of the extension?')
      : l10n.t('Remove {0} other copies of the extension?', places.length),
    {
      modal: true,
      detail: [
        ...places,
        l10n.t('Their storage goes with them. The folder is then pushed again, to see that it runs alone.'),
      ].join('\n'),
    },
    remove,
  );
  return choice === remove;
}
