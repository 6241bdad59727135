import { urlOf } from '../base/url';

/** Hosts that are this machine, for which there are no certificates. */
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** A scheme, and not a host with a port. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i;

/** Endings of files, none of which is a top-level domain of the web. */
const FILE_ENDING = /\.(?:html?|xhtml|svg|json|xml|txt|pdf|m?js|css|png|jpe?g|gif|webp|ico)$/i;

/** Schemes of pages that are opened for the name of a page in an extension. */
const PAGE_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'chrome:', 'chrome-extension:', 'about:']);

/**
 * The address that a person means by what was typed into an address bar: with `https:` where a scheme is missing, and `http:` for this machine.
 * Undefined for what is no address, and for a script, which would run in the page that is open.
 */
export function webAddress(text: string): string | undefined {
  const typed = text.trim();
  if (/^javascript:/i.test(typed)) return undefined;
  if (SCHEME.test(typed)) return urlOf(typed) ? typed : undefined;
  const whole = `${LOCAL_HOST.test(typed) ? 'http' : 'https'}://${typed}`;
  return typed !== '' && !/\s/.test(typed) && urlOf(whole) ? whole : undefined;
}

/**
 * The address of a page that a person names beside an extension: the path of one of its files, or an address as in an address bar
 * (`localhost:8080`, `example.com/a`). `isFile`: which paths are files of the extension, where that is known. Undefined when it
 * cannot be opened.
 */
export function pageAddress(
  extensionId: string,
  page: string,
  isFile: (path: string) => boolean = () => false,
): string | undefined {
  const typed = page.trim();
  const [path = ''] = typed.split(/[?#]/);
  const isAddress = SCHEME.test(typed) || (!isFile(path) && beginsWithHost(typed, path));
  const address = isAddress ? webAddress(typed) : typed;
  if (address === undefined) return undefined;
  try {
    const { href, protocol } = new URL(address, `chrome-extension://${extensionId}/`);
    return PAGE_SCHEMES.has(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text without a scheme begins with the name of a host, and not with that of a file or folder. */
function beginsWithHost(text: string, path: string): boolean {
  if (LOCAL_HOST.test(text)) return true;
  const [first = '', ...rest] = path.split('/');
  if (/^[^:]+:\d+$/.test(first)) return true;
  const isFileName = rest.length === 0 && FILE_ENDING.test(first);
  return first.includes('.') && !first.startsWith('.') && !isFileName;
}
