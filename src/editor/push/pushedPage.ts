import { pageAddress } from '../../manifest/typedAddress';
import type { PushedArchive } from '../../push/pushRun';

/**
 * The address of a page that a person names beside an extension that was pushed: {@link pageAddress}, where the files of the pushed archive are
 * the files of the extension.
 */
export function pushedPageAddress(
  extensionId: string,
  archive: Pick<PushedArchive, 'digests'> | undefined,
  page: string,
): string | undefined {
  return pageAddress(extensionId, page, (file) => archive?.digests.has(file) ?? false);
}
