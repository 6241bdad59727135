import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { adviceForMissing } from '../folder/similar';
import type { JsonNode } from '../json/node';
import { proposing } from '../proposal';
import { caution, refusal, shapeRefusal } from '../refusal';
import { keyRule, ruleOf, type Context, type Report } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { dictionary, STRING } from '../shape/shape';
import { fileOfUrl, pageFile } from '../values/resource';
import { isSandboxPolicy } from './contentSecurityPolicy';

/** The file of a page, when it is not in the folder. */
async function missing({ folder }: Context, file: string | undefined): Promise<string | undefined> {
  return file === undefined || (await folder.exists(file)) ? undefined : file;
}

/** `report` makes the report from its message. */
async function missingPage(
  { folder }: Context,
  { written, file }: { written: string; file: string },
  report: (message: string) => Report,
): Promise<Report> {
  const { advice, fix } = await adviceForMissing(folder, file, written);
  return proposing(report(`${l10n.t('The page "{0}" is not in the folder.', written)} ${advice}`), fix);
}

/** R-DEVTOOLS: a page of the extension; a missing one is a warning. Measured on Chromium 156. */
export const devtoolsPageRule = keyRule('R-DEVTOOLS', 'devtools_page', async (node, context) => {
  const path = ['devtools_page'];
  if (node.kind !== 'string' || pageFile(node.value) === undefined) {
    return refusal(
      "Invalid value for 'devtools_page'.",
      l10n.t('"devtools_page" has to be the name of a page in the folder.'),
      path,
    );
  }
  const file = await missing(context, pageFile(node.value));
  if (file === undefined) return [];
  const report = (message: string): Report => caution(`File not found: ${file}.`, message, path);
  return await missingPage(context, { written: node.value, file }, report);
});

/** The shape of `chrome_url_overrides`. */
export const OVERRIDES = dictionary({
  'newtab?': STRING,
  'bookmarks?': STRING,
  'history?': STRING,
  'activationmessage?': STRING,
  'keyboard?': STRING,
});

/** R-OVERRIDE: one page of the browser, whose file has to exist. Measured on Chromium 156. */
export const pageOverrideRule = keyRule('R-OVERRIDE', 'chrome_url_overrides', async function* (node, context) {
  const fault = manifestKeyFault('chrome_url_overrides', node, OVERRIDES);
  if (fault) {
    yield shapeRefusal(fault);
    return;
  }
  const pages = ['newtab', 'bookmarks', 'history'].flatMap((page): [string, string][] => {
    const written = context.manifest.stringAt('chrome_url_overrides', page);
    return written === undefined ? [] : [[page, written]];
  });
  if (pages.length > 1) {
    const message = l10n.t(
      'An extension may put its own page in the place of one page of the browser. Remove the others.',
    );
    const kept = Object.fromEntries(pages.slice(0, 1));
    yield refusal('An extension cannot override more than one page.', message, ['chrome_url_overrides'], {
      fix: { do: 'replace', by: kept, isGuess: true },
    });
  }
  for (const [page, written] of pages) {
    // A value that is not a page counts as a missing page.
    const file = fileOfUrl(written) ?? '';
    if (file !== '' && !file.endsWith('/') && (await context.folder.exists(file))) continue;
    const report = (message: string): Report =>
      refusal(`File not found: ${file}.`, message, ['chrome_url_overrides', page]);
    yield await missingPage(context, { written, file }, report);
  }
});

/** The shape of `side_panel`. */
export const SIDE_PANEL = dictionary({ default_path: STRING });

/** R-SIDEPANEL: a page of the extension that exists. Measured on Chromium 156. */
export const sidePanelRule = keyRule('R-SIDEPANEL', 'side_panel', async (node, context) => {
  const fault = manifestKeyFault('side_panel', node, SIDE_PANEL);
  if (fault) return shapeRefusal(fault);
  const path = ['side_panel', 'default_path'];
  const written = context.manifest.stringAt(...path) ?? '';
  if (pageFile(written) === undefined) {
    const text = 'Side panel file path must be a relative URL to a valid extension resource.';
    return refusal(text, l10n.t('"{0}" is not a page of the extension.', written), path);
  }
  const file = await missing(context, pageFile(written));
  if (file === undefined) return [];
  const report = (message: string): Report => refusal('Side panel file path must exist.', message, path);
  return await missingPage(context, { written, file }, report);
});

/** R-SANDBOX: pages without access to the extension's APIs; Chromium does not look whether they exist. Measured on Chromium 156. */
export const sandboxRule = ruleOf('R-SANDBOX', 'keys', function* ({ manifest, manifestVersion }) {
  const pages = manifest.at('sandbox', 'pages');
  if (pages) yield* checkPages(pages, ['sandbox', 'pages']);
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

function checkPages(pages: JsonNode, path: JsonPath): Report[] {
  if (pages.kind !== 'list') {
    return [refusal("Invalid value for 'sandbox.pages'.", l10n.t('"sandbox.pages" has to be a list of pages.'), path)];
  }
  return pages.items.flatMap((item, index): Report | Report[] => {
    if (item.kind === 'string') return [];
    return refusal(
      `Invalid value for 'sandbox.pages[${index}]'.`,
      l10n.t('A page has to be given by its name in quotes.'),
      [...path, index],
    );
  });
}
