import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { proposing, removing } from '../proposal';
import { caution, refusal } from '../refusal';
import { keyRule, ruleOf, type Context } from '../rule';
import { showPath } from '../shape/fault';
import { populate } from '../shape/populate';
import { BOOLEAN, dictionary, STRING } from '../shape/shape';
import { parseAddress } from '../values/addressRules';
import { pageFile } from '../values/resource';
import { WANTED } from '../wanted';
import { missingFile } from './missingFile';

/** The shape of `options_ui`. */
export const OPTIONS_UI = dictionary({ page: STRING, 'chrome_style?': BOOLEAN, 'open_in_tab?': BOOLEAN });

/** R-OPTIONSUI and R-CHROMESTYLE: faults in `options_ui` are warnings, except for `chrome_style`, which no longer exists, whatever its value. Measured on Chromium 156. */
export const optionsUiRule = ruleOf('R-OPTIONSUI', 'keys', function* ({ manifest, manifestVersion }) {
  const node = manifest.at('options_ui');
  if (node?.kind !== 'dictionary') return;
  const fault = populate(node, OPTIONS_UI);
  if (fault) {
    const path = ['options_ui', ...fault.path];
    const message = l10n.t('Chromium ignores "options_ui". {0}', fault.explain(showPath(path)));
    yield proposing(caution(fault.text, message, path), fault.fix);
    return;
  }
  const style = ['options_ui', 'chrome_style'];
  if (manifestVersion >= 3 && manifest.at(...style)) {
    const text = 'The chrome_style option cannot be used with manifest version 3.';
    const message = l10n.t('"chrome_style" no longer exists. Remove it.');
    yield removing(refusal(text, message, style, { rule: 'R-CHROMESTYLE' }));
  }
  const path = ['options_ui', 'page'];
  const page = manifest.stringAt(...path) ?? '';
  if (isPage(page)) return;
  const message = l10n.t('Chromium ignores "options_ui": "{0}" is not a page of the extension.', page);
  yield caution("Invalid value for 'input_components[options_ui].options_page'.", message, path);
});

/** R-OPTIONS-TYPE: a page of the extension; Chromium names another key. Measured on Chromium 156. */
export const optionsPageRule = keyRule('R-OPTIONS-TYPE', 'options_page', (node, { manifest, packageType }) => {
  const path = ['options_page'];
  if (packageType === 'hosted app' && node.kind === 'string') {
    const isWeb = /^https?:/i.test(node.value) && parseAddress(node.value) !== undefined;
    const text = "Invalid value for 'options_page'. Hosted apps must specify an absolute URL.";
    return isWeb ? [] : refusal(text, l10n.t('"options_page" of a hosted app has to be a web address.'), path);
  }
  if (node.kind === 'string') {
    // Chromium ignores an empty one, and does not look at one that `options_ui` overrides.
    if (node.value === '' || isPage(node.value) || pageOfUi(manifest) !== undefined) return [];
  }
  return refusal("Invalid value for 'input_components[options_page].options_page'.", WANTED.page('options_page'), path);
});

function isPage(written: string): boolean {
  return pageFile(written) !== undefined;
}

/** R-OPTIONS-MISSING: the page of `options_ui` takes precedence over `options_page`. Measured on Chromium 156. */
export const missingOptionsPageRule = ruleOf('R-OPTIONS-MISSING', 'files', async (context) => {
  const { folder, packageType } = context;
  const chosen = packageType === 'hosted app' ? undefined : chosenPage(context);
  const file = chosen && pageFile(chosen.written);
  if (!chosen || file === undefined || (await folder.exists(file))) return [];
  const message = l10n.t('The options page "{0}" is not in the folder.', chosen.written);
  const report = refusal(`Could not load options page '${file}'.`, message, chosen.path);
  return missingFile(folder, { file, written: chosen.written }, report);
});

/** The page of `options_ui`, unless Chromium ignores it. */
function pageOfUi(manifest: Context['manifest']): string | undefined {
  const ui = manifest.at('options_ui');
  const page = manifest.stringAt('options_ui', 'page');
  return ui && page !== undefined && isPage(page) && !populate(ui, OPTIONS_UI) ? page : undefined;
}

function chosenPage({ manifest }: Context): { written: string; path: JsonPath } | undefined {
  const inUi = pageOfUi(manifest);
  if (inUi !== undefined) return { written: inUi, path: ['options_ui', 'page'] };
  const written = manifest.stringAt('options_page');
  return written !== undefined && isPage(written) ? { written, path: ['options_page'] } : undefined;
}
