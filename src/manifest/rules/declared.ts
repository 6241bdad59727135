import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { removing, type Proposal } from '../proposal';
import { caution, possibleRefusal, refusal } from '../refusal';
import { keyRule, ruleOf, type Report } from '../rule';
import { ANY, BOOLEAN, choice, dictionary, listOf, STRING, type Shape } from '../shape/shape';
import { parseAddress } from '../values/addressRules';
import { isExtensionId } from '../values/extensionId';
import { pageFile } from '../values/resource';
import { parseVersionNumber } from '../values/version';
import { WANTED } from '../wanted';
import { shapeRule, type ShapeRule } from './shapeRule';

const POLICY = dictionary({ 'value?': STRING });

/** R-COEP and R-COOP: Chromium accepts any string. Measured on Chromium 156. */
export const crossOriginRules: readonly ShapeRule[] = [
  shapeRule('R-COEP', 'cross_origin_embedder_policy', POLICY),
  shapeRule('R-COOP', 'cross_origin_opener_policy', POLICY),
];

/** R-OMNIBOX: a keyword that is not empty. Measured on Chromium 156. */
export const omniboxRule = shapeRule('R-OMNIBOX', 'omnibox', dictionary({ keyword: STRING }), (context) => {
  if (context.manifest.stringAt('omnibox', 'keyword') !== '') return [];
  const text = "Invalid value for 'omnibox.keyword'. It must be non-empty.";
  const fix: Proposal = { do: 'replace', by: keywordFrom(context.name ?? ''), isGuess: true };
  const message = l10n.t('The keyword of the omnibox is empty. Write a word.');
  return refusal(text, message, ['omnibox', 'keyword'], { fix });
});

/** The first word of the name of an extension, in small letters. */
function keywordFrom(name: string): string {
  return /[\p{L}\p{N}]+/u.exec(name)?.[0].toLowerCase() ?? 'search';
}

const OAUTH2 = dictionary({ 'client_id?': STRING, scopes: listOf(STRING), 'auto_approve?': BOOLEAN });

/** R-OAUTH2: a client and its scopes. Measured on Chromium 156. */
export const oauthRule = shapeRule('R-OAUTH2', 'oauth2', OAUTH2, ({ manifest }) => {
  if (manifest.stringAt('oauth2', 'client_id')) return [];
  const message = l10n.t('Sign-in needs the "client_id" of the application. Copy it from the provider.');
  return refusal("Invalid value for 'oauth2.client_id'.", message, ['oauth2', 'client_id']);
});

const REQUIREMENTS = dictionary({
  '3D?': dictionary({ features: listOf(choice('Feature', 'webgl', 'css3d')) }),
  'plugins?': dictionary({ 'npapi?': BOOLEAN }),
});

/** R-REQ: requirements of the machine. No browser has NPAPI plug-ins any more. Measured on Chromium 156. */
export const requirementRule = shapeRule('R-REQ', 'requirements', REQUIREMENTS, function* ({ manifest }) {
  const path = ['requirements', 'plugins'];
  if (manifest.at(...path)) {
    const message = l10n.t('Browsers no longer have plug-ins. Remove "plugins".');
    yield removing(caution('The "plugins" requirement is deprecated.', message, path));
  }
  if (manifest.isTrueAt(...path, 'npapi')) {
    const message = l10n.t('Browsers no longer have NPAPI plug-ins. Remove the requirement.');
    yield removing(refusal('NPAPI plugins are not supported.', message, [...path, 'npapi']));
  }
});

/** R-WEBGL: a browser without WebGL, such as a headless one, refuses it. Measured on Chromium 156 with `--disable-gpu`. */
export const webglRule = ruleOf('R-WEBGL', 'policy', ({ manifest }) => {
  const features = manifest.at('requirements', '3D', 'features');
  if (features?.kind !== 'list' || !features.items.some((item) => item.kind === 'string' && item.value === 'webgl'))
    return [];
  const text = 'WebGL is not supported.';
  const message = l10n.t(
    'A browser on a machine without a graphics card may refuse this extension: "{0}" Remove the requirement if the extension can do without WebGL.',
    text,
  );
  return possibleRefusal(text, message, ['requirements', '3D', 'features'], {
    fix: { do: 'remove', at: ['requirements', '3D'], isGuess: true },
  });
});

const IMPORT = listOf(dictionary({ id: STRING, 'minimum_version?': STRING }));

/** R-IMPORT: shared modules, which cannot be pushed; Chromium refuses an extension without a text when one is missing. Measured on Chromium 156. */
export const importRule = shapeRule('R-IMPORT', 'import', IMPORT, ({ manifest }) => {
  if (manifest.at('export')) {
    const text = "Simultaneous 'import' and 'export' are not allowed.";
    const message = l10n.t('A shared module imports no others. Remove one of the two.');
    return refusal(text, message, ['import'], { fix: { do: 'remove', isGuess: true } });
  }
  return manifest.itemsAt('import').map((_, index): Report => {
    const at = (name: string): JsonPath => ['import', index, name];
    const invalid = (name: string, message: string): Report =>
      refusal(`Invalid value for 'import[${index}].${name}'.`, message, at(name));
    const id = manifest.stringAt(...at('id')) ?? '';
    if (!isExtensionId(id)) return invalid('id', l10n.t('"{0}" is not the id of an extension.', id));
    const version = manifest.stringAt(...at('minimum_version'));
    if (version !== undefined && !parseVersionNumber(version))
      return invalid('minimum_version', l10n.t('"{0}" is not a version.', version));
    const message = l10n.t(
      'The shared module {0} is not in the browser, and Chromium does not load this extension, without giving a reason. Put the code into the folder.',
      id,
    );
    return { severity: 'error', message, path: at('id') };
  });
});

const EXPORT = dictionary({ 'allowlist?': listOf(STRING), 'resources?': ANY });

/** R-EXPORT: what a shared module offers to whom. Measured on Chromium 156. */
export const exportRule = shapeRule('R-EXPORT', 'export', EXPORT, ({ manifest }) => {
  const path = ['export', 'allowlist'];
  if (!manifest.at(...path)) return [];
  const items = manifest.itemsAt(...path);
  if (items.length === 0) {
    const text = "Empty 'export.allowlist' implies any extension can import this module.";
    const message = l10n.t('Every extension may import the module. Remove the list if this is intended.');
    return removing(caution(text, message, path));
  }
  return items.flatMap((item, index): Report | Report[] => {
    if (item.kind === 'string' && isExtensionId(item.value)) return [];
    const message = l10n.t('An extension has to be given by its id: 32 letters from a to p.');
    return refusal(`Invalid value for 'export.allowlist[${index}]'.`, message, [...path, index]);
  });
});

/** R-ABOUT: a page of a shared module. Measured on Chromium 156. */
export const aboutPageRule = keyRule('R-ABOUT', 'about_page', (node) => {
  if (node.kind === 'string' && pageFile(node.value) !== undefined) return [];
  const isAddress = node.kind === 'string' && parseAddress(node.value) !== undefined;
  const text = `Invalid value for 'about_page'.${isAddress ? ' Value must be a relative path.' : ''}`;
  return refusal(text, WANTED.page('about_page'), ['about_page']);
});

/** R-ABOUT: the page has to exist. Measured on Chromium 156. */
export const missingAboutPageRule = ruleOf('R-ABOUT', 'files', async ({ manifest, folder }) => {
  const written = manifest.stringAt('about_page');
  const file = written === undefined ? undefined : pageFile(written);
  if (file === undefined || (await folder.exists(file))) return [];
  const message = l10n.t('The page "{0}" is not in the folder. Create it, or correct the name.', written ?? '');
  return refusal(`Could not load about page '${file}'.`, message, ['about_page']);
});

/** R-NATIVE: programs that may start the extension. Measured on Chromium 156. */
export const nativelyConnectableRule = ruleOf('R-NATIVE', 'keys', ({ manifest }) => {
  const key = 'natively_connectable';
  const node = manifest.at(key);
  if (!node) return [];
  if (node.kind !== 'list') return refusal('Invalid natively_connectable. Must be a list.', WANTED.list(key), [key]);
  return node.items.flatMap((item, index): Report | Report[] => {
    if (item.kind === 'string' && item.value !== '') return [];
    const text = 'Invalid natively_connectable value. Must be a non-empty string.';
    return refusal(text, l10n.t('A program has to be given by its name in quotes.'), [key, index]);
  });
});

/** R-REPLACEMENT: the https address of a web app that replaces the extension. Measured on Chromium 156. */
export const replacementAppRule = keyRule('R-REPLACEMENT', 'replacement_web_app', (node) => {
  const isRight = node.kind === 'string' && parseAddress(node.value)?.protocol === 'https:';
  if (isRight) return [];
  const message = l10n.t('"replacement_web_app" has to be an address that begins with https://.');
  return refusal("Invalid value for 'replacement_web_app'.", message, ['replacement_web_app']);
});

/** The shapes of the keys above, by key. */
export const DECLARED_SHAPES: ReadonlyMap<string, Shape> = new Map(
  [...crossOriginRules, omniboxRule, oauthRule, requirementRule, importRule, exportRule].map(({ key, shape }) => [
    key,
    shape,
  ]),
);
