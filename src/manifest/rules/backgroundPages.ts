import * as l10n from '@vscode/l10n';
import { removing } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { parseAddress } from '../values/addressRules';
import { portablePath } from '../values/portable';
import { isScript, pageFile } from '../values/resource';
import { WANTED } from '../wanted';

/** Where the background page of a package is declared: platform apps keep it in `app`. */
function backgroundPath({ packageType }: Context): string[] {
  return packageType === 'platform app' ? ['app', 'background'] : ['background'];
}

/** R-BG-PAGE: background pages and their scripts, which apps and manifests of version 2 have. Measured on Chromium 156. */
export const backgroundPageRule = ruleOf('R-BG-PAGE', 'keys', (context) => [
  ...checkScripts(context),
  ...checkPage(context),
  ...checkCombination(context),
]);

function checkScripts(context: Context): Report[] {
  const path = [...backgroundPath(context), 'scripts'];
  const scripts = context.manifest.at(...path);
  if (!scripts) return [];
  if (scripts.kind !== 'list') {
    return [refusal("Invalid value for 'background.scripts'.", l10n.t('"scripts" has to be a list of scripts.'), path)];
  }
  return scripts.items.flatMap((item, index): Report | Report[] => {
    const place = [...path, index];
    if (item.kind !== 'string' || portablePath(item.value) === undefined) {
      const text = `Invalid value for 'background.scripts[${index}]'.`;
      return refusal(text, l10n.t('A script has to be the name of a file in the folder.'), place);
    }
    if (isScript(item.value)) return [];
    const text = `Invalid background script mime type for 'background.scripts[${index}]', a background script can only be loaded from supported JavaScript files such as .js files.`;
    return caution(text, l10n.t('Chromium ignores "{0}": the name of a script has to end in .js.', item.value), place);
  });
}

function checkPage(context: Context): Report[] {
  const { manifest, packageType } = context;
  const path = [...backgroundPath(context), 'page'];
  const page = manifest.at(...path);
  if (!page) return [];
  const invalid = [refusal("Invalid value for 'background_page'.", WANTED.page('page'), path)];
  if (page.kind !== 'string') return invalid;
  if (packageType !== 'hosted app') return pageFile(page.value) === undefined ? invalid : [];
  if (!manifest.stringsAt('permissions').includes('background')) {
    const text = "Hosted apps that use 'background_page' must have the 'background' permission.";
    return [refusal(text, l10n.t('Add "background" to "permissions".'), path)];
  }
  if (parseAddress(page.value)?.protocol === 'https:') return [];
  const text =
    "Invalid value for 'background_page'. Hosted apps must specify an absolute HTTPS URL for the background page.";
  return [refusal(text, l10n.t('"page" has to be an address that begins with https://.'), path)];
}

/** Which keys of a background go together. */
function* checkCombination(context: Context): Generator<Report> {
  const { manifest, packageType } = context;
  const path = backgroundPath(context);
  const page = manifest.at(...path, 'page');
  const hasScripts = manifest.stringsAt(...path, 'scripts').some(isScript);
  const persistent = manifest.at(...path, 'persistent');
  if ([page, hasScripts, manifest.at('background', 'service_worker')].filter(Boolean).length > 1) {
    const text =
      "Only one of 'background.page', 'background.scripts', and 'background.service_worker' can be specified.";
    const message = l10n.t('A background is either a page, or scripts, or a worker. Remove the others.');
    const other = [...path, hasScripts && (page || manifest.at('background', 'service_worker')) ? 'scripts' : 'page'];
    yield refusal(text, message, path, { fix: { do: 'remove', at: other, isGuess: true } });
  }
  if (packageType === 'platform app' && !hasScripts && !page) {
    const text = 'Packaged apps must have a background page or background scripts.';
    yield refusal(text, l10n.t('An app needs "app": {"background": {"scripts": [...]}}.'), path);
  }
  if (!persistent) return;
  if (packageType === 'platform app') {
    const text =
      "Invalid value for 'app.background.persistent'. Packaged apps do not support persistent background pages and must use event pages.";
    if (persistent.kind === 'boolean' && persistent.value)
      yield removing(caution(text, l10n.t('Remove "persistent".'), [...path, 'persistent']));
  } else if (persistent.kind !== 'boolean') {
    const text = "Invalid value for 'background.persistent'.";
    yield refusal(text, WANTED.boolean('persistent'), [...path, 'persistent']);
  } else if (!page && !hasScripts) {
    const text = 'Must specify one of background.page or background.scripts to use background.persistent.';
    const message = l10n.t('"persistent" needs a page or scripts. Remove it.');
    yield removing(refusal(text, message, [...path, 'persistent']));
  }
}

/** R-BG-MISSING: a background script or page that is missing; Chromium's text names only the script. Measured on Chromium 156. */
export const missingBackgroundRule = ruleOf('R-BG-MISSING', 'files', async function* (context) {
  const { manifest, folder } = context;
  const path = backgroundPath(context);
  for (const [index, item] of manifest.itemsAt(...path, 'scripts').entries()) {
    const file = item.kind === 'string' && isScript(item.value) ? portablePath(item.value) : undefined;
    if (file === undefined || (await folder.exists(file))) continue;
    const message = l10n.t('The background script "{0}" is not in the folder. Create it, or correct the name.', file);
    yield refusal(`Could not load background script '${file}'.`, message, [...path, 'scripts', index]);
  }
  const page = context.packageType === 'hosted app' ? undefined : manifest.stringAt(...path, 'page');
  const file = page === undefined ? undefined : pageFile(page);
  if (file !== undefined && !(await folder.exists(file))) {
    const message = l10n.t(
      'The background page "{0}" is not in the folder. Create it, or correct the name.',
      page ?? '',
    );
    yield refusal("Could not load background page ''.", message, [...path, 'page']);
  }
});
