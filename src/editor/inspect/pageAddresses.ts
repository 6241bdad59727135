import { pageAddress } from '../../manifest/typedAddress';

/** An extension in a browser, and which paths are files of it, where that is known. */
interface KnownFiles {
  id: string;
  isFile?: ((path: string) => boolean) | undefined;
}

/**
 * The address of the page that a person names, in each of the browsers that run these extensions: a path of a file, or an address as in an address
 * bar. Undefined where it is no address and the extension has no such file. What is a file of one of them is an address of the web for none.
 */
export function pageAddresses(page: string, extensions: readonly KnownFiles[]): (string | undefined)[] {
  const isFileOfAny = (path: string): boolean => extensions.some(({ isFile }) => isFile?.(path) === true);
  return extensions.map(({ id, isFile }) => {
    const address = pageAddress(id, page, isFileOfAny);
    return address !== undefined && (!isFile || isThere(id, address, isFile)) ? address : undefined;
  });
}

/** Whether an address is none of the extension, or that of one of its files. */
function isThere(extensionId: string, address: string, isFile: (path: string) => boolean): boolean {
  const { origin, pathname } = new URL(address);
  if (origin !== new URL(`chrome-extension://${extensionId}/`).origin) return true;
  try {
    return isFile(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}
