import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Proposal } from '../proposal';
import { caution, refusal } from '../refusal';
import { keyRule, ruleOf, type Context, type Report } from '../rule';
import { dictionary, STRING } from '../shape/shape';
import { fileOfUrl, pageFile } from '../values/resource';
import { WANTED } from '../wanted';
import { isSandboxPolicy } from './contentSecurityPolicy';
import { missingFile } from './missingFile';
import { shapeRule } from './shapeRule';

/** The report about a page when its file is not in the folder; `text` is Chromium's. */
async function missingPage(
  { folder }: Context,
  written: string,
  path: JsonPath,
  reportOf: typeof refusal,
  text = `File not found: ${fileOfUrl(written) ?? ''}.`,
): Promise<Report | undefined> {
  // A value that is not a page counts as a missing page.
  const file = fileOfUrl(written) ?? '';
  if (file !== '' && !file.endsWith('/') && (await folder.exists(file))) return undefined;
  return missingFile(
    folder,
    { file, written },
    reportOf(text, l10n.t('The page "{0}" is not in the folder.', written), path),
  );
}

/** R-DEVTOOLS: a page of the extension; a missing one is a warning. Measured on Chromium 156. */
export const devtoolsPageRule = keyRule('R-DEVTOOLS', 'devtools_page', (node, context) => {
  const path = ['devtools_page'];
  if (node.kind === 'string' && pageFile(node.value) !== undefined)
    return missingPage(context, node.value, path, caution);
  return refusal("Invalid value for 'devtools_page'.", WANTED.page('devtools_page'), path);
});

/** The shape of `chrome_url_overrides`. */
export const OVERRIDES = dictionary({
  'newtab?': STRING,
  'bookmarks?': STRING,
  'history?': STRING,
  'activationmessage?': STRING,
  'keyboard?': STRING,
});

const OVERRIDE = 'chrome_url_overrides';

/** R-OVERRIDE: one page of the browser, whose file has to exist. Measured on Chromium 156. */
export const pageOverrideRule = shapeRule('R-OVERRIDE', OVERRIDE, OVERRIDES, async function* (context) {
  const pages = ['newtab', 'bookmarks', 'history'].flatMap((page): [string, string][] => {
    const written = context.manifest.stringAt(OVERRIDE, page);
    return written === undefined ? [] : [[page, written]];
  });
  if (pages.length > 1) {
    const message = l10n.t(
      'An extension may put its own page in the place of one page of the browser. Remove the others.',
    );
    const fix: Proposal = { do: 'replace', by: Object.fromEntries(pages.slice(0, 1)), isGuess: true };
    yield refusal('An extension cannot override more than one page.', message, [OVERRIDE], { fix });
  }
  for (const [page, written] of pages) {
    const report = await missingPage(context, written, [OVERRIDE, page], refusal);
    if (report) yield report;
  }
});

/** The shape of `side_panel`. */
export const SIDE_PANEL = dictionary({ default_path: STRING });

/** R-SIDEPANEL: a page of the extension that exists. Measured on Chromium 156. */
export const sidePanelRule = shapeRule('R-SIDEPANEL', 'side_panel', SIDE_PANEL, (context) => {
  const path = ['side_panel', 'default_path'];
  const written = context.manifest.stringAt(...path) ?? '';
  if (pageFile(written) !== undefined)
    return missingPage(context, written, path, refusal, 'Side panel file path must exist.');
  const text = 'Side panel file path must be a relative URL to a valid extension resource.';
  return refusal(text, l10n.t('"{0}" is not a page of the extension.', written), path);
});

/** R-SANDBOX: pages without access to the extension's APIs; Chromium does not look whether they exist. Measured on Chromium 156. */
export const sandboxRule = ruleOf('R-SANDBOX', 'keys', function* ({ manifest, manifestVersion }) {
  const path = ['sandbox', 'pages'];
  if ((manifest.at(...path)?.kind ?? 'list') !== 'list')
    yield refusal("Invalid value for 'sandbox.pages'.", l10n.t('"sandbox.pages" has to be a list of pages.'), path);
  for (const [index, { kind }] of manifest.itemsAt(...path).entries()) {
    if (kind === 'string') continue;
    const message = l10n.t('A page has to be given by its name in quotes.');
    yield refusal(`Invalid value for 'sandbox.pages[${index}]'.`, message, [...path, index]);
  }
  const policy = ['sandbox', 'content_security_policy'];
  const written = manifest.at(...policy);
  if (manifestVersion < 3 && written && !isSandboxPolicy(written)) {
    const text = "Invalid value for 'sandbox.content_security_policy'.";
    yield refusal(text, l10n.t('The policy needs the directive sandbox, without allow-same-origin.'), policy);
  }
  if (manifestVersion >= 3 && written) {
    const text =
      "The Content Security Policy for sandboxed pages should be specified in 'content_security_policy.sandbox'.";
    yield refusal(text, l10n.t('Move the policy to "content_security_policy": {"sandbox": ...}.'), policy);
  }
});
