import { refusal } from '../refusal';
import type { Context, Report, Rule } from '../rule';
import { extensionOf } from '../values/resource';

/** R-BG-PERM: what a background may be depends on the permissions, and who may call into it. Measured on Chromium 156. */
export const backgroundPermissionRule: Rule = {
  id: 'R-BG-PERM',
  stage: 'keys',
  check: (context) => [...checkAccess(context), ...checkLife(context)],
};

function checkAccess({ manifest }: Context): Report[] {
  const path = ['background', 'allow_js_access'];
  const node = manifest.at(...path);
  if (!node || node.kind === 'boolean') return [];
  const text = "Invalid value for 'background.allow_js_access'.";
  return [refusal(text, '"allow_js_access" has to be true or false.', path)];
}

function checkLife(context: Context): Report[] {
  const { manifest, packageType } = context;
  const path = ['background'];
  const hasPage = Boolean(manifest.at('background', 'page')) || hasScripts(context);
  const persistent = manifest.at('background', 'persistent');
  const isLazy = hasPage && persistent?.kind === 'boolean' && !persistent.value;
  const asksFor = (name: string): boolean => {
    const list = manifest.at('permissions');
    return list?.kind === 'list' && list.items.some((item) => item.kind === 'string' && item.value === name);
  };
  if (isLazy && asksFor('webRequest') && ['extension', 'packaged app'].includes(packageType)) {
    const text = "The 'webRequest' API cannot be used with event pages.";
    const message = '"webRequest" needs a background that stays: write "persistent": true, or remove the permission.';
    return [refusal(text, message, path)];
  }
  const isThere = hasPage || Boolean(manifest.at('background', 'service_worker'));
  if (!isThere || isLazy || !asksFor('transientBackground') || packageType !== 'extension') return [];
  const text = "The 'transientBackground' permission cannot be used with a persistent background page.";
  return [refusal(text, 'Remove "transientBackground" from the permissions.', path)];
}

function hasScripts({ manifest }: Context): boolean {
  const list = manifest.at('background', 'scripts');
  if (list?.kind !== 'list') return false;
  return list.items.some((item) => item.kind === 'string' && ['js', 'mjs'].includes(extensionOf(item.value)));
}
