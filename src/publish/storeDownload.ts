import * as l10n from '@vscode/l10n';
import { streamBytes } from '../base/streamBytes';
import { sizeText } from '../base/units';
import { urlOf } from '../base/url';
import { isExtensionId } from '../manifest/values/extensionId';

/** The server that browsers ask for extensions of the Chrome Web Store. */
const UPDATE_SERVER = 'https://clients2.google.com/service/update2/crx';

/** How long a download may take, in milliseconds, and how large it may be: the service takes no larger archives. */
const DOWNLOAD_LIMIT_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** A store lists an extension under an address whose path has its id. */
const STORE_HOSTS = ['chromewebstore.google.com', 'chrome.google.com'];

/** The id of a published extension, from itself or from its address in the Chrome Web Store; undefined for anything else. */
export function publishedId(text: string): string | undefined {
  if (isExtensionId(text)) return text.toLowerCase();
  const url = urlOf(text);
  if (url?.protocol !== 'https:' || !STORE_HOSTS.includes(url.host)) return undefined;
  return url.pathname.split('/').findLast(isExtensionId)?.toLowerCase();
}

/** The address in the store of an extension, by its id. */
export function storeAddress(id: string): string {
  return `https://chromewebstore.google.com/detail/${id}`;
}

/** Where the published version of an extension is downloaded for a Chromium of this version, such as `156.0.8078.108`. */
export function downloadAddress(id: string, chromium: string, server = UPDATE_SERVER): string {
  const query = { response: 'redirect', prodversion: chromium, acceptformat: 'crx2,crx3', x: `id=${id}&uc` };
  return `${server}?${new URLSearchParams(query).toString()}`;
}

/**
 * Downloads the published version of an extension as a crx file.
 * @throws Error with a sentence for people; the reason of `signal`
 */
export async function downloadPublished(address: string, signal?: AbortSignal): Promise<Uint8Array> {
  const limit = AbortSignal.timeout(DOWNLOAD_LIMIT_MS);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    const response = await fetch(address, { signal: either, redirect: 'follow', credentials: 'omit' });
    // The update server answers so for an extension that it does not have.
    if (response.status === 204 || response.status === 404) {
      throw new Error(l10n.t('{0} has no published version of this extension.', new URL(address).host));
    }
    if (!response.ok || !response.body) {
      throw new Error(l10n.t('{0} has answered with the status {1}.', new URL(address).host, response.status));
    }
    const body: AsyncIterable<Uint8Array> = response.body;
    const content = await streamBytes(body, MOST_BYTES);
    if (!content) throw new Error(l10n.t('The download has more than {0}.', sizeText(MOST_BYTES)));
    return content;
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) {
      throw new Error(l10n.t('The download has not ended within {0} s.', DOWNLOAD_LIMIT_MS / 1000), { cause: error });
    }
    // What `fetch` rejects with says only that it has failed.
    const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : undefined;
    if (!cause) throw error;
    throw new Error(l10n.t('{0} cannot be reached: {1}', new URL(address).host, cause.message), { cause: error });
  }
}
