import type { ErrorSpot } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import { permissionAdvice } from '../manifest/use/missingPermission';

/**
 * What to do about an error of a pushed build, at its location, where that is known; `folder` is that of the build. Content scripts have few namespaces of
 * the API, whatever the manifest asks for. Never rejects.
 */
export async function errorAdvice(
  { part, text, location }: PartError,
  { file, start, built }: ErrorSpot,
  folder: string,
): Promise<string | undefined> {
  if (!location || (part.kind !== 'worker' && part.kind !== 'page')) return undefined;
  const { line, column } = built ?? start;
  return await permissionAdvice({ text, file: built?.file ?? file, line, column }, folder);
}
