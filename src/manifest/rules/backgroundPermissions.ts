import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { removing } from '../proposal';
import { refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { extensionOf } from '../values/resource';

/** R-BG-PERM: which backgrounds the permissions allow, and the type of `allow_js_access`. Measured on Chromium 156. */
export const backgroundPermissionRule = ruleOf('R-BG-PERM', 'keys', (context) => [
  ...checkAccess(context),
  ...checkPersistence(context),
]);

function checkAccess({ manifest }: Context): Report[] {
  const path = ['background', 'allow_js_access'];
  const node = manifest.at(...path);
  if (!node || node.kind === 'boolean') return [];
  const text = "Invalid value for 'background.allow_js_access'.";
  return [refusal(text, l10n.t('"allow_js_access" has to be true or false.'), path)];
}

function checkPersistence(context: Context): Report[] {
  const { manifest, packageType } = context;
  const path = ['background'];
  const hasPage = Boolean(manifest.at('background', 'page')) || hasScripts(context);
  const persistent = manifest.at('background', 'persistent');
  const isLazy = hasPage && persistent?.kind === 'boolean' && !persistent.value;
  const placeOf = (name: string): JsonPath => {
    const items = manifest.itemsAt('permissions');
    return ['permissions', items.findIndex((item) => item.kind === 'string' && item.value === name)];
  };
  const asksFor = (name: string): boolean => manifest.at(...placeOf(name)) !== undefined;
  if (isLazy && asksFor('webRequest') && ['extension', 'packaged app'].includes(packageType)) {
    const text = "The 'webRequest' API cannot be used with event pages.";
    const message = l10n.t(
      '"webRequest" needs a persistent background page: write "persistent": true, or remove the permission.',
    );
    return [refusal(text, message, path, { fix: { do: 'replace', at: [...path, 'persistent'], by: true } })];
  }
  const hasBackground = hasPage || Boolean(manifest.at('background', 'service_worker'));
  if (!hasBackground || isLazy || !asksFor('transientBackground') || packageType !== 'extension') return [];
  const text = "The 'transientBackground' permission cannot be used with a persistent background page.";
  const report = refusal(text, l10n.t('Remove "transientBackground" from the permissions.'), path);
  return [removing(report, placeOf('transientBackground'))];
}

function hasScripts({ manifest }: Context): boolean {
  return manifest.stringsAt('background', 'scripts').some((file) => ['js', 'mjs'].includes(extensionOf(file)));
}
