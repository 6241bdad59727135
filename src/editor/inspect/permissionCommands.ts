import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { optionalPermissions, revokePermission } from '../../devtools/extensions/extensionState';
import type { OptionalPermission } from '../../devtools/inPage/stateCalls';
import type { BrowserWiring } from '../browsers/browserWiring';
import { UserError } from '../errorTexts';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { askModal, confirm, pick, showStatus } from '../notify';
import { chromiumText } from '../browsers/chromiumText';
import { withPage } from '../storage/storageTarget';

/** Lists the optional permissions of the manifest, says how to grant one, and revokes a granted one. */
export async function showOptionalPermissions(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const permissions = await withPage(wiring, chosen, optionalPermissions);
  if (!permissions) return;
  if (permissions.length === 0) {
    throw new UserError(
      l10n.t(
        'The manifest of {0} lists no optional permissions. Add "optional_permissions" and push again.',
        extension.name,
      ),
    );
  }
  const choices = permissions.map((permission) => ({
    label: permission.name,
    description: permission.isGranted ? l10n.t('granted') : l10n.t('not granted'),
    permission,
  }));
  const choice = await pick(choices, { placeHolder: l10n.t('Select an optional permission of {0}', extension.name) });
  if (!choice) return;
  const { permission } = choice;
  if (!permission.isGranted) {
    await sayHowToGrant(permission);
    return;
  }
  const isConfirmed = await confirm(
    l10n.t('Revoke the permission {0} of {1}?', permission.name, extension.name),
    [l10n.t('The extension can ask for it again.')],
    l10n.t('Revoke'),
  );
  if (!isConfirmed) return;
  const isDone = await withPage(wiring, chosen, (page) =>
    revokePermission(page, permission).catch((error: unknown) => {
      throw new UserError(
        l10n.t(
          'Chromium refused it ({0}). If the manifest also requires it, list it as optional only and push again.',
          chromiumText(error),
        ),
      );
    }),
  );
  if (isDone === undefined) return;
  if (!isDone) {
    throw new UserError(l10n.t('Chromium has not changed it. Try it on chrome://extensions in the browser.'));
  }
  wiring.log.info(`Revoked ${permission.name} of ${extension.name} in ${browserLabel(browser)}`);
  showStatus(l10n.t('{0} was revoked', permission.name));
}

/** DevTools cannot grant a permission: the question in the browser follows a click of a person alone. */
async function sayHowToGrant({ name, isHost }: OptionalPermission): Promise<void> {
  const call = `chrome.permissions.request({ ${isHost ? 'origins' : 'permissions'}: [${JSON.stringify(name)}] })`;
  const key = isHost ? 'host_permissions' : 'permissions';
  const copy = l10n.t('Copy Call');
  const answer = await askModal(
    l10n.t('Chromium grants {0} only after a click in the extension.', name),
    [
      l10n.t('Call {0} there and accept the question in the browser.', call),
      l10n.t('Or list it under "{0}" and push; it stays granted when it is optional again.', key),
    ],
    copy,
  );
  if (answer === copy) await env.clipboard.writeText(call);
}
