import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { ServiceError } from './serviceErrors';
import type { BrowserPool, StoredExtension } from './model';

/** Longest name of an extension, in characters. */
const NAME_LENGTH = 255;

/** The operations of a service that replace a stored extension. */
export interface StoredService {
  uploadExtension: (zip: Uint8Array, name: string | undefined, signal?: AbortSignal) => Promise<StoredExtension>;
  deleteExtension: (idOrName: string, signal?: AbortSignal) => Promise<void>;
  listPools: (signal?: AbortSignal) => AsyncIterable<BrowserPool>;
}

/** A stored extension that has replaced another. */
export interface Replaced {
  record: StoredExtension;
  /** The pools that still load the deleted extension. */
  pools: BrowserPool[];
}

/** The new archive is stored, but under another name than the one that was to be replaced. The message says which, and why. */
export class ReplaceError extends Error {
  override readonly name = 'ReplaceError';
}

/**
 * Stores an archive under a name that is taken. The interface has no such operation, so it is uploaded under a temporary name first; only then
 * the extension `old` is deleted, the archive uploaded under its name, and the temporary one deleted. At each moment one of them is stored.
 * @throws ServiceError when nothing has changed; ReplaceError when the service refused a later step
 */
export async function replaceStored(
  service: StoredService,
  zip: Uint8Array,
  { name, old }: { name: string; old: string },
  signal?: AbortSignal,
): Promise<Replaced> {
  const suffix = `-${randomBytes(4).toString('hex')}`;
  const temporary = `${name.slice(0, NAME_LENGTH - suffix.length)}${suffix}`;
  const pools = await poolsWith(service, [old, name]);
  const stored = await service.uploadExtension(zip, temporary, signal);
  try {
    await service.deleteExtension(old);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'notFound') {
      if (error instanceof ServiceError && error.mayHaveHappened) {
        const reason = error.sentences.join(' ');
        throw new ReplaceError(
          l10n.t('The old "{0}" may have been deleted: {1} The new one is stored as "{2}".', name, reason, temporary),
        );
      }
      // What is stored twice would only be in the way.
      await service.deleteExtension(stored.id).catch(() => undefined);
      throw error;
    }
  }
  try {
    const record = await service.uploadExtension(zip, name);
    await service.deleteExtension(stored.id).catch(() => undefined);
    return { record, pools };
  } catch (error) {
    const reason = error instanceof ServiceError ? error.sentences.join(' ') : String(error);
    throw new ReplaceError(
      l10n.t(
        'The old "{0}" was deleted, but the service did not store the new one under this name: {1} It is stored as "{2}".',
        name,
        reason,
        temporary,
      ),
    );
  }
}

/** The pools that load an extension by one of these ids or names; none where the service has no pools. */
async function poolsWith(service: StoredService, references: readonly string[]): Promise<BrowserPool[]> {
  const found: BrowserPool[] = [];
  try {
    for await (const pool of service.listPools()) {
      if (pool.extensions?.some((reference) => references.includes(reference))) found.push(pool);
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  return found;
}
