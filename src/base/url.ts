/**
 * A URL by the standard, as `new URL` reads it; undefined when the text is none. This is not `URL.canParse`: once optimised, after some
 * thousand calls, that of Node 20 reads Latin-1 characters as UTF-8, so that it refuses some URLs and takes others that are none.
 */
export function urlOf(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
