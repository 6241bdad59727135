import * as l10n from '@vscode/l10n';
import { parseAddress } from '../values/addressRules';
import { removing } from '../proposal';
import { caution, possibleRefusal, refusal, shapeRefusal } from '../refusal';
import { pageFile } from '../values/resource';
import type { Report, Rule } from '../rule';
import { parseVersionNumber } from '../values/version';
import { manifestKeyFault } from '../shape/manifestKey';
import { ANY, BOOLEAN, choice, dictionary, listOf, STRING, type Shape } from '../shape/shape';

/** A rule about nothing but the shape of a key. */
interface ShapeRule extends Rule {
  key: string;
  shape: Shape;
}

function shapeRule(id: string, key: string, shape: Shape): ShapeRule {
  return {
    key,
    shape,
    id,
    phase: 'keys',
    check({ manifest }) {
      const node = manifest.at(key);
      const fault = node && manifestKeyFault(key, node, shape);
      return fault ? [shapeRefusal(fault)] : [];
    },
  };
}

const POLICY = dictionary({ 'value?': STRING });

/** R-COEP and R-COOP: Chromium accepts any string. Measured on Chromium 156. */
export const crossOriginRules: readonly ShapeRule[] = [
  shapeRule('R-COEP', 'cross_origin_embedder_policy', POLICY),
  shapeRule('R-COOP', 'cross_origin_opener_policy', POLICY),
];

const OMNIBOX = shapeRule('R-OMNIBOX', 'omnibox', dictionary({ keyword: STRING }));

/** R-OMNIBOX: a keyword that is not empty. Measured on Chromium 156. */
export const omniboxRule: Rule = {
  ...OMNIBOX,
  check(context) {
    if (context.manifest.stringAt('omnibox', 'keyword') !== '') return OMNIBOX.check(context);
    const text = "Invalid value for 'omnibox.keyword'. It must be non-empty.";
    const report = refusal(text, l10n.t('The keyword of the omnibox is empty. Write a word.'), ['omnibox', 'keyword']);
    return [{ ...report, fix: { do: 'replace', by: keywordFrom(context.name ?? ''), isGuess: true } }];
  },
};

/** The first word of the name of an extension, in small letters. */
function keywordFrom(name: string): string {
  return /[\p{L}\p{N}]+/u.exec(name)?.[0].toLowerCase() ?? 'search';
}

const OAUTH2 = shapeRule(
  'R-OAUTH2',
  'oauth2',
  dictionary({ 'client_id?': STRING, scopes: listOf(STRING), 'auto_approve?': BOOLEAN }),
);

/** R-OAUTH2: a client and its scopes. Measured on Chromium 156. */
export const oauthRule: Rule = {
  ...OAUTH2,
  async check(context) {
    const faults = [...(await OAUTH2.check(context))];
    if (faults.length > 0 || !context.manifest.at('oauth2') || context.manifest.stringAt('oauth2', 'client_id'))
      return faults;
    const message = l10n.t('Sign-in needs the "client_id" of the application. Copy it from the provider.');
    return [refusal("Invalid value for 'oauth2.client_id'.", message, ['oauth2', 'client_id'])];
  },
};

const REQUIREMENTS = shapeRule(
  'R-REQ',
  'requirements',
  dictionary({
    '3D?': dictionary({ features: listOf(choice('Feature', 'webgl', 'css3d')) }),
    'plugins?': dictionary({ 'npapi?': BOOLEAN }),
  }),
);

/** R-REQ: requirements of the machine. No browser has NPAPI plug-ins any more. Measured on Chromium 156. */
export const requirementRule: Rule = {
  ...REQUIREMENTS,
  async check(context) {
    const { manifest } = context;
    const reports: Report[] = [...(await REQUIREMENTS.check(context))];
    if (reports.length > 0) return reports;
    if (manifest.at('requirements', 'plugins')) {
      const path = ['requirements', 'plugins'];
      reports.push(
        removing(
          caution(
            'The "plugins" requirement is deprecated.',
            l10n.t('Browsers no longer have plug-ins. Remove "plugins".'),
            path,
          ),
        ),
      );
    }
    const npapi = manifest.at('requirements', 'plugins', 'npapi');
    if (npapi?.kind === 'boolean' && npapi.value) {
      const message = l10n.t('Browsers no longer have NPAPI plug-ins. Remove the requirement.');
      const report = refusal('NPAPI plugins are not supported.', message, ['requirements', 'plugins', 'npapi']);
      reports.push(removing(report));
    }
    return reports;
  },
};

/** R-WEBGL: a browser without WebGL, such as a headless one, refuses it. Measured on Chromium 156 with `--disable-gpu`. */
export const webglRule: Rule = {
  id: 'R-WEBGL',
  phase: 'policy',
  check({ manifest }) {
    const features = manifest.at('requirements', '3D', 'features');
    if (features?.kind !== 'list' || !features.items.some((item) => item.kind === 'string' && item.value === 'webgl'))
      return [];
    const text = 'WebGL is not supported.';
    const message = l10n.t(
      'A browser on a machine without a graphics card may refuse this extension: "{0}" Remove the requirement if the extension can do without WebGL.',
      text,
    );
    const report = possibleRefusal(text, message, ['requirements', '3D', 'features']);
    return [{ ...report, fix: { do: 'remove', at: ['requirements', '3D'], isGuess: true } }];
  },
};

const IMPORT = shapeRule('R-IMPORT', 'import', listOf(dictionary({ id: STRING, 'minimum_version?': STRING })));

/** R-IMPORT: shared modules, which cannot be pushed; Chromium refuses an extension without a text when one is missing. Measured on Chromium 156. */
export const importRule: Rule = {
  ...IMPORT,
  async check(context) {
    const faults = [...(await IMPORT.check(context))];
    const list = context.manifest.at('import');
    if (faults.length > 0 || list?.kind !== 'list') return faults;
    if (context.manifest.at('export')) {
      const text = "Simultaneous 'import' and 'export' are not allowed.";
      const message = l10n.t('A shared module imports no others. Remove one of the two.');
      return [{ ...refusal(text, message, ['import']), fix: { do: 'remove', isGuess: true } }];
    }
    return list.items.flatMap((_, index): Report[] => {
      const id = context.manifest.stringAt('import', index, 'id') ?? '';
      const path = ['import', index, 'id'];
      if (!/^[a-p]{32}$/i.test(id)) {
        return [
          refusal(`Invalid value for 'import[${index}].id'.`, l10n.t('"{0}" is not the id of an extension.', id), path),
        ];
      }
      const version = context.manifest.stringAt('import', index, 'minimum_version');
      if (version !== undefined && !parseVersionNumber(version)) {
        const text = `Invalid value for 'import[${index}].minimum_version'.`;
        return [refusal(text, l10n.t('"{0}" is not a version.', version), ['import', index, 'minimum_version'])];
      }
      const message = l10n.t(
        'The shared module {0} is not in the browser, and Chromium does not load this extension, without giving a reason. Put the code into the folder.',
        id,
      );
      return [{ severity: 'error', message, path }];
    });
  },
};

const EXPORT = dictionary({ 'allowlist?': listOf(STRING), 'resources?': ANY });

const EXPORT_SHAPE = shapeRule('R-EXPORT', 'export', EXPORT);

/** R-EXPORT: what a shared module offers to whom. Measured on Chromium 156. */
export const exportRule: Rule = {
  ...EXPORT_SHAPE,
  async check(context) {
    const faults = [...(await EXPORT_SHAPE.check(context))];
    const list = context.manifest.at('export', 'allowlist');
    if (faults.length > 0 || list?.kind !== 'list') return faults;
    const path = ['export', 'allowlist'];
    if (list.items.length === 0) {
      const text = "Empty 'export.allowlist' implies any extension can import this module.";
      const message = l10n.t('Every extension may import the module. Remove the list if this is intended.');
      return [removing(caution(text, message, path))];
    }
    return list.items.flatMap((item, index): Report[] => {
      if (item.kind === 'string' && /^[a-p]{32}$/i.test(item.value)) return [];
      const text = `Invalid value for 'export.allowlist[${index}]'.`;
      return [
        refusal(text, l10n.t('An extension has to be given by its id: 32 letters from a to p.'), [...path, index]),
      ];
    });
  },
};

/** R-ABOUT: a page of a shared module. Measured on Chromium 156. */
export const aboutPageRule: Rule = {
  id: 'R-ABOUT',
  phase: 'keys',
  check({ manifest }) {
    const node = manifest.at('about_page');
    if (!node || (node.kind === 'string' && pageFile(node.value) !== undefined)) return [];
    const isAddress = node.kind === 'string' && parseAddress(node.value) !== undefined;
    const text = `Invalid value for 'about_page'.${isAddress ? ' Value must be a relative path.' : ''}`;
    return [refusal(text, l10n.t('"about_page" has to be the name of a page in the folder.'), ['about_page'])];
  },
};

/** R-ABOUT: the page has to exist. Measured on Chromium 156. */
export const missingAboutPageRule: Rule = {
  id: 'R-ABOUT',
  phase: 'files',
  async check({ manifest, folder }) {
    const written = manifest.stringAt('about_page');
    const file = written === undefined ? undefined : pageFile(written);
    if (file === undefined || (await folder.exists(file))) return [];
    const message = l10n.t('The page "{0}" is not in the folder. Create it, or correct the name.', written ?? '');
    return [refusal(`Could not load about page '${file}'.`, message, ['about_page'])];
  },
};

/** R-NATIVE: programs that may start the extension. Measured on Chromium 156. */
export const nativelyConnectableRule: Rule = {
  id: 'R-NATIVE',
  phase: 'keys',
  check({ manifest }): Report[] {
    const key = 'natively_connectable';
    const node = manifest.at(key);
    if (!node) return [];
    if (node.kind !== 'list')
      return [refusal('Invalid natively_connectable. Must be a list.', l10n.t('"{0}" has to be a list.', key), [key])];
    return node.items.flatMap((item, index): Report[] => {
      if (item.kind === 'string' && item.value !== '') return [];
      const text = 'Invalid natively_connectable value. Must be a non-empty string.';
      return [refusal(text, l10n.t('A program has to be given by its name in quotes.'), [key, index])];
    });
  },
};

/** R-REPLACEMENT: the https address of a web app that replaces the extension. Measured on Chromium 156. */
export const replacementAppRule: Rule = {
  id: 'R-REPLACEMENT',
  phase: 'keys',
  check({ manifest }) {
    const node = manifest.at('replacement_web_app');
    if (!node) return [];
    const isRight = node.kind === 'string' && parseAddress(node.value)?.protocol === 'https:';
    if (isRight) return [];
    const message = l10n.t('"replacement_web_app" has to be an address that begins with https://.');
    return [refusal("Invalid value for 'replacement_web_app'.", message, ['replacement_web_app'])];
  },
};

/** The shapes of the keys above, by key. */
export const DECLARED_SHAPES: ReadonlyMap<string, Shape> = new Map(
  [...crossOriginRules, OMNIBOX, OAUTH2, REQUIREMENTS, IMPORT, EXPORT_SHAPE].map(({ key, shape }) => [key, shape]),
);
