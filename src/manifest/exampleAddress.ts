import { listField, textsField } from '../base/fields';
import { urlOf } from '../base/url';
import { readPattern } from './values/matchPattern';

/** The host of pages that stand for any. It is reserved for examples. */
const ANY_HOST = 'example.com';

/** An http or https address that the first content script of a manifest runs at; undefined when it has none with such an address. */
export function exampleAddress(manifest: unknown): string | undefined {
  for (const script of listField(manifest, 'content_scripts')) {
    for (const text of textsField(script, 'matches')) {
      const address = addressOf(text);
      if (address !== undefined) return address;
    }
  }
  return undefined;
}

function addressOf(text: string): string | undefined {
  const pattern = readPattern(text);
  if (!pattern) return undefined;
  const { scheme, host, port, path } = pattern;
  const shownScheme = scheme === '*' ? 'https' : scheme;
  if (shownScheme !== 'https' && shownScheme !== 'http') return undefined;
  const shownPort = port === '' || port === '*' ? '' : `:${port}`;
  const address = `${shownScheme}://${host === '' ? ANY_HOST : host}${shownPort}${path.replaceAll('*', '')}`;
  return urlOf(address)?.href;
}
