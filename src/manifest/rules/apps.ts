import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { removing } from '../proposal';
import { invalidValue, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { parseAddress } from '../values/addressRules';
import { parseMatchPattern } from '../values/matchPattern';
import { pageFile } from '../values/resource';
import { oneOf, WANTED, type Wanted } from '../wanted';

const LAUNCH = ['app', 'launch'];
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);
const CONTAINERS: ReadonlySet<string> = new Set(['panel', 'tab']);

/** R-APP: what an app opens, and how. Measured on Chromium 156; texts other than that of a missing launch are from its source. */
export const appLaunchRule = ruleOf('R-APP', 'keys', (context) => {
  const isApp = context.packageType === 'packaged app' || context.packageType === 'hosted app';
  return isApp ? [...checkAddress(context), ...checkContainer(context)] : [];
});

function invalid(key: string, wanted: Wanted): Report {
  return invalidValue(`app.launch.${key}`, wanted);
}

function checkAddress({ manifest, packageType, isUserScript }: Context): Report[] {
  const local = manifest.at(...LAUNCH, 'local_path');
  const web = manifest.at(...LAUNCH, 'web_url');
  if (local) {
    if (web) {
      const text = "The 'app.launch.local_path' and 'app.launch.web_url' keys cannot both be set.";
      const message = l10n.t('An app opens either a page in the folder or a web address. Remove one of the two.');
      return [removing(refusal(text, message, LAUNCH), [...LAUNCH, 'web_url'])];
    }
    if (manifest.at('app', 'urls')) {
      const text = "The 'app.launch.local_path' and 'app.urls' keys cannot both be set.";
      const message = l10n.t('An app with a page in the folder has no "urls". Remove one of the two.');
      return [removing(refusal(text, message, LAUNCH), ['app', 'urls'])];
    }
    const isRight = local.kind === 'string' && pageFile(local.value) !== undefined;
    return isRight ? [] : [invalid('local_path', WANTED.page)];
  }
  if (web) {
    const isRight = web.kind === 'string' && WEB_SCHEMES.has(parseAddress(web.value)?.protocol.slice(0, -1) ?? '');
    return isRight ? [] : [invalid('web_url', WANTED.webAddress)];
  }
  if (packageType !== 'packaged app' || isUserScript) return [];
  const text = "Either 'app.launch.local_path' or 'app.launch.web_url' is required.";
  const message = l10n.t('The key "app" makes the extension an app, and Chromium no longer runs apps. Remove "app".');
  return [removing(refusal(text, message, ['app']))];
}

function checkContainer({ manifest }: Context): Report[] {
  const container = manifest.at(...LAUNCH, 'container');
  if (!container) return [];
  if (container.kind !== 'string' || !CONTAINERS.has(container.value)) return [invalid('container', oneOf(CONTAINERS))];
  return ['width', 'height'].flatMap((key): Report | Report[] => {
    const size = manifest.at(...LAUNCH, key);
    if (!size) return [];
    if (container.value !== 'panel') {
      const text = `Invalid container type for 'app.launch.${key}'.`;
      const message = l10n.t('"app.launch.{0}" is for panels only. Remove it.', key);
      return removing(refusal(text, message, [...LAUNCH, key]));
    }
    return size.kind === 'integer' && size.value >= 0 ? [] : invalid(key, WANTED.pixels);
  });
}

/** R-APP for the addresses of a hosted app. From Chromium's source; the patterns are measured. */
export const appUrlRule = ruleOf('R-APP', 'keys', ({ manifest, packageType }) => {
  const urls = manifest.at('app', 'urls');
  if (!urls || packageType !== 'hosted app') return [];
  if (urls.kind !== 'list') return refusal("Invalid value for 'app.urls'.", WANTED.list('app.urls'), ['app', 'urls']);
  return urls.items.flatMap((item, index): Report[] => {
    const path: JsonPath = ['app', 'urls', index];
    const wrong = (why: string): Report[] => [
      refusal(
        `Invalid value for 'app.urls[${index}]': ${why}`,
        l10n.t('An app cannot claim this address: {0}', why),
        path,
      ),
    ];
    if (item.kind !== 'string') return wrong('Expect string value.');
    if (item.value === '<all_urls>') return wrong('Cannot claim all URLs in an extent.');
    // The path is optional, and never ends in a star.
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
});
