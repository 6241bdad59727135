import { fieldOf, listField, textsField } from '../base/fields';
import { urlOf } from '../base/url';
import { loadedScriptPages } from './scriptPages';
import { readPattern } from './values/matchPattern';

/** The host of pages that stand for any. It is reserved for examples. */
const ANY_HOST = 'example.com';

/** An http or https address that the first content script of a manifest runs at; undefined when it has none with such an address. */
export function exampleAddress(manifest: unknown): string | undefined {
  return addressesOf(listField(manifest, 'content_scripts'))[0];
}

/**
 * An http or https address at which a content script of a manifest runs in a world of its own, by which it can be seen to run: neither a style sheet
 * nor a script in the world of the page is, and what globs select is not known. Undefined when there is none.
 */
export function visibleAddress(manifest: unknown): string | undefined {
  const scripts = listField(manifest, 'content_scripts').filter(
    (script) => listField(script, 'js').length > 0 && fieldOf(script, 'world') !== 'MAIN',
  );
  return addressesOf(scripts).find(loadedScriptPages({ content_scripts: scripts }));
}

function addressesOf(scripts: readonly unknown[]): string[] {
  return scripts.flatMap((script) => textsField(script, 'matches').flatMap((text) => addressOf(text) ?? []));
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
