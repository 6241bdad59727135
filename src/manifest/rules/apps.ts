import type { JsonPath } from '../finding';
import { refusal } from '../refusal';
import type { Context, Report, Rule } from '../rule';
import { parseAddress } from '../values/address';
import { parseMatchPattern } from '../values/matchPattern';
import { pageFile } from '../values/resource';

const LAUNCH = ['app', 'launch'];
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);
const CONTAINERS: ReadonlySet<string> = new Set(['panel', 'tab']);

/** R-APP: what an app opens, and how. Measured on Chromium 156; texts other than that of a missing launch are read in its source. */
export const appLaunchRule: Rule = {
  id: 'R-APP',
  stage: 'keys',
  check(context) {
    const isApp = context.packageType === 'packaged app' || context.packageType === 'hosted app';
    return isApp ? [...checkAddress(context), ...checkContainer(context)] : [];
  },
};

function invalid(key: string, wanted: string): Report {
  return refusal(`Invalid value for 'app.launch.${key}'.`, `"app.launch.${key}" has to be ${wanted}.`, [
    ...LAUNCH,
    key,
  ]);
}

function checkAddress({ manifest, packageType, isUserScript }: Context): Report[] {
  const local = manifest.at(...LAUNCH, 'local_path');
  const web = manifest.at(...LAUNCH, 'web_url');
  if (local) {
    if (web) {
      const text = "The 'app.launch.local_path' and 'app.launch.web_url' keys cannot both be set.";
      return [refusal(text, 'An app opens a page of its own or one of the web. Remove one of the two.', LAUNCH)];
    }
    if (manifest.at('app', 'urls')) {
      const text = "The 'app.launch.local_path' and 'app.urls' keys cannot both be set.";
      return [refusal(text, 'An app with a page of its own has no "urls". Remove one of the two.', LAUNCH)];
    }
    const isRight = local.kind === 'string' && pageFile(local.value) !== undefined;
    return isRight ? [] : [invalid('local_path', 'the name of a page in the folder')];
  }
  if (web) {
    const isRight = web.kind === 'string' && WEB_SCHEMES.has(parseAddress(web.value)?.protocol.slice(0, -1) ?? '');
    return isRight ? [] : [invalid('web_url', 'an address of the web')];
  }
  if (packageType !== 'packaged app' || isUserScript) return [];
  const text = "Either 'app.launch.local_path' or 'app.launch.web_url' is required.";
  const message = 'The key "app" makes an app of the extension, which Chromium has no use for. Remove "app".';
  return [refusal(text, message, ['app'])];
}

function checkContainer({ manifest }: Context): Report[] {
  const container = manifest.at(...LAUNCH, 'container');
  if (!container) return [];
  if (container.kind !== 'string' || !CONTAINERS.has(container.value))
    return [invalid('container', '"tab" or "panel"')];
  return ['width', 'height'].flatMap((key): Report[] => {
    const size = manifest.at(...LAUNCH, key);
    if (!size) return [];
    if (container.value !== 'panel') {
      const text = `Invalid container type for 'app.launch.${key}'.`;
      return [refusal(text, `"app.launch.${key}" is for panels only. Remove it.`, [...LAUNCH, key])];
    }
    return size.kind === 'integer' && size.value >= 0 ? [] : [invalid(key, 'a number of pixels')];
  });
}

/** R-APP for the addresses of a hosted app. Read in Chromium's source, the patterns measured. */
export const appUrlRule: Rule = {
  id: 'R-APP',
  stage: 'keys',
  check({ manifest, packageType }) {
    const urls = manifest.at('app', 'urls');
    if (!urls || packageType !== 'hosted app') return [];
    if (urls.kind !== 'list')
      return [refusal("Invalid value for 'app.urls'.", '"app.urls" has to be a list.', ['app', 'urls'])];
    return urls.items.flatMap((item, index): Report[] => {
      const path: JsonPath = ['app', 'urls', index];
      const wrong = (why: string): Report[] => [
        refusal(`Invalid value for 'app.urls[${index}]': ${why}`, `The address is none an app may claim: ${why}`, path),
      ];
      if (item.kind !== 'string') return wrong('Expect string value.');
      if (item.value === '<all_urls>') return wrong('Cannot claim all URLs in an extent.');
      // A path may be left out, and never ends in a star.
      const result = parseMatchPattern(item.value.endsWith('/') ? `${item.value}*` : `${item.value}/*`, WEB_SCHEMES);
      if ('fault' in result) return wrong(result.fault);
      if (result.pattern.isAllUrls) return wrong('Cannot claim all URLs in an extent.');
      if (result.pattern.host === '') return wrong("Cannot claim all hosts ('*') in an extent.");
      const isPlain = !item.value
        .slice(item.value.indexOf('://') + 3)
        .replace(/^[^/]*/, '')
        .includes('*');
      return isPlain ? [] : wrong('Wildcards are not allowed in extent URL pattern paths.');
    });
  },
};
