import * as l10n from '@vscode/l10n';
import { workerFile } from '../namedFile';
import { type Proposal, removing } from '../proposal';
import { refusal } from '../refusal';
import { isScript, pageFile } from '../values/resource';
import { ruleOf, type Context, type Report } from '../rule';
import { missingFile } from './missingFile';
import type { JsonPath } from '../finding';
import { WANTED } from '../wanted';

/**
 * R-SW-MISSING: the worker's file, or a folder of that name, has to exist. Chromium's text has an empty name, because it fails before it
 * knows the name. Measured on Chromium 156.
 */
export const missingWorkerRule = ruleOf('R-SW-MISSING', 'files', async (context) => {
  const worker = workerFile(context);
  if (!worker || (await context.folder.exists(worker.file))) return [];
  const message = l10n.t('The service worker "{0}" is not in the folder.', worker.written);
  return missingFile(context.folder, worker, refusal("Could not load background script ''.", message, worker.path));
});

/** R-SW-VALUE and R-SW-TYPE: a file of the extension, as a classic script or a module. Measured on Chromium 156. */
export const workerValueRule = ruleOf('R-SW-VALUE', 'keys', function* ({ manifest }) {
  const path = ['background', 'service_worker'];
  const worker = manifest.at(...path);
  if (!worker) return;
  if (worker.kind !== 'string' || pageFile(worker.value) === undefined) {
    const message = l10n.t('"service_worker" has to be the name of a script in the folder.');
    yield refusal("Invalid value for 'background.service_worker'.", message, path);
  }
  const type = manifest.at('background', 'type');
  if (!type || (type.kind === 'string' && ['classic', 'module'].includes(type.value))) return;
  const fix: Proposal = { do: 'replace', by: 'module', isGuess: true };
  const message = l10n.t('"type" has to be "module" or "classic".');
  yield refusal("Invalid value for 'background.type'.", message, ['background', 'type'], { fix, rule: 'R-SW-TYPE' });
});

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
  return [refusal(text, WANTED.boolean('allow_js_access'), path)];
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
  return manifest.stringsAt('background', 'scripts').some(isScript);
}
