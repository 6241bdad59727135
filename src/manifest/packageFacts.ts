import { availableKeys } from './availability';
import type { JsonDocument } from './document';
import { packageTypeOf } from './packageType';
import type { Context } from './rule';

/** What a manifest says by itself about its package, without the folder. */
export type PackageFacts = Pick<Context, 'document' | 'manifest' | 'packageType' | 'isUserScript' | 'manifestVersion'>;

/** Versions that do not exist yet are treated like the newest one. */
const NEWEST_VERSION = 3;

/** The facts of a manifest that is localised, where its texts matter. */
export function packageFacts(document: JsonDocument): PackageFacts {
  const packageType = packageTypeOf(document);
  const version = document.at('manifest_version');
  const manifestVersion = version?.kind === 'integer' ? Math.min(Math.max(version.value, 1), NEWEST_VERSION) : 1;
  const manifest = availableKeys(document, { packageType, manifestVersion });
  return {
    document,
    manifest,
    packageType,
    isUserScript: manifest.isTrueAt('converted_from_user_script'),
    manifestVersion,
  };
}
