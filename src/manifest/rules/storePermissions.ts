import * as l10n from '@vscode/l10n';
import { removing } from '../proposal';
import { ruleOf, type Report } from '../rule';
import { declaredUses, type DeclaredUse } from './declaredUses';

/**
 * R-STORE-UNUSED: permissions and hosts of which reading all code finds no use, and those that others cover. Only a hint: code may use them
 * in ways that reading does not show. Sideload's own.
 */
export const unusedPermissionRule = ruleOf('R-STORE-UNUSED', 'delivery', async function* (context) {
  const { storeHints, readsCode } = context.options;
  if (!storeHints || !readsCode) return;
  for (const declared of await declaredUses(context)) {
    const message = messageOf(declared);
    if (message === undefined) continue;
    const reason = l10n.t('The Chrome Web Store refuses permissions that are not needed (Purple Potassium).');
    const advice = l10n.t('Remove it, unless something uses it that is not in the code.');
    const report: Report = { severity: 'hint', message: `${message} ${reason} ${advice}`, path: declared.path };
    yield removing(report);
  }
});

function messageOf({ permission, isHost, use, place }: DeclaredUse): string | undefined {
  if (use.kind === 'covered') {
    return permission === 'tabs'
      ? l10n.t(
          '"{0}" gives nothing that the host "{1}" does not give, but for pages of the browser.',
          permission,
          use.host,
        )
      : l10n.t('"{0}" gives nothing that the host "{1}" does not give.', permission, use.host);
  }
  if (use.kind !== 'none') return undefined;
  if (isHost)
    return l10n.t('No use of the host "{0}" was found; content scripts need none for their own pages.', permission);
  if (permission === 'tabs')
    return l10n.t(
      'No use of "{0}" was found: nothing reads the address, the title or the icon of a tab, and all else needs no permission.',
      permission,
    );
  if (use.near)
    return l10n.t(
      'No use of "{0}" was found: {1} in {2} needs no permission.',
      permission,
      use.near.name,
      place ?? use.near.file,
    );
  return l10n.t('No use of "{0}" was found.', permission);
}
