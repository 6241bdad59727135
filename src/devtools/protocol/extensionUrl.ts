import { loopbackPort } from '../../base/loopback';

/**
 * The path of a file in the extension `id`, relative to its folder, by its URL. Undefined for a URL of another origin, and for one
 * whose path is not percent-encoded correctly: a script's `sourceURL` comment may claim any URL.
 */
export function pathInExtension(url: string, id: string): string | undefined {
  if (!url.startsWith(`chrome-extension://${id}/`)) return undefined;
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1));
  } catch {
    return undefined;
  }
}

/** The id of the extension that an address belongs to; undefined for the address of anything else. */
export function extensionOf(url: string): string | undefined {
  return /^chrome-extension:\/\/([a-p]{32})\//.exec(url)?.[1];
}

/**
 * The id of the extension whose code is at an address: that of a file of it or, in a worker or page of it (`context`, its address), of what a
 * development server gives. Undefined for all other code.
 */
export function ownerOfCode(url: string, context: string): string | undefined {
  return extensionOf(url) ?? (loopbackPort(url) === undefined ? undefined : extensionOf(context));
}
