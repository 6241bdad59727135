import { urlOf } from '../../base/url';
import { portablePath } from './portable';

/** An arbitrary host, with a scheme that browsers resolve like `chrome-extension:`. */
const BASE = 'https://extension.invalid/';
const BASE_ORIGIN = new URL(BASE).origin;

/** A URL relative to the extension's root; undefined for one of another origin, or an invalid one. */
function extensionUrl(reference: string): URL | undefined {
  const url = urlOf(reference, BASE);
  return url?.origin === BASE_ORIGIN ? url : undefined;
}

/**
 * The file of a URL relative to the extension's root: without query and fragment, `..` clamped to the root, backslashes read as slashes,
 * percent escapes decoded. Undefined for a URL of another origin, or an invalid one.
 *
 * Source: R-SW-LENIENT and R-SW-VALUE, measured on Chromium 156.
 */
export function fileOfUrl(reference: string): string | undefined {
  const url = extensionUrl(reference);
  return url && unescapePath(url.pathname).replace(/^\/+/, '');
}

/** Escapes of path separators and zeros, which Chromium does not accept in the path of a file. */
const SEPARATOR_ESCAPE = /%(2f|5c|00)/i;

/** Decodes percent escapes; those that are not UTF-8 are kept, and then no such file can exist. */
function unescapePath(path: string): string {
  if (SEPARATOR_ESCAPE.test(path)) return '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The page or script of the extension that a URL in its manifest leads to; undefined for one of another origin, or with a name that is not
 * allowed. Source: 38 forms in nine places, measured on Chromium 156.
 */
export function pageFile(reference: string): string | undefined {
  return portablePath(fileOfUrl(reference) ?? '');
}

/** The extension after the last dot of the last segment, in lower case; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** True for a name with the extension of a script. */
export function isScript(path: string): boolean {
  return ['js', 'mjs'].includes(extensionOf(path));
}
