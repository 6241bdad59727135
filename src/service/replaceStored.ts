import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock';
import { reconcile } from './reconcile';
import { ServiceError } from './serviceErrors';
import type { BrowserPool, StoredExtension } from './model';

/** Longest name of an extension, in characters. */
const NAME_LENGTH = 255;

/** The operations of a service that replace a stored extension. */
export interface StoredService {
  uploadExtension: (zip: Uint8Array, name: string | undefined, signal?: AbortSignal) => Promise<StoredExtension>;
  getExtension: (idOrName: string, signal?: AbortSignal) => Promise<StoredExtension>;
  deleteExtension: (idOrName: string, signal?: AbortSignal) => Promise<void>;
  listPools: (signal?: AbortSignal) => AsyncIterable<BrowserPool>;
}

/** A stored extension that has replaced another. */
export interface Replaced {
  record: StoredExtension;
  /** The pools that still load the deleted extension, as far as the service has listed them. */
  pools: BrowserPool[];
  /** Why the service has not listed all of its pools. */
  poolsError?: ServiceError;
}

/** The new archive is stored, but under another name than the one that was to be replaced. The message says which, and why. */
export class ReplaceError extends Error {
  override readonly name = 'ReplaceError';
}

/**
 * Stores an archive under a name that is taken. The interface has no such operation, so it is uploaded under a temporary name first; only then
 * the extension `old` is deleted, the archive uploaded under its name, and the temporary one deleted. At each moment one of them is stored.
 * An abort takes effect until the first upload has ended, which is taken back.
 * @throws ServiceError when nothing has changed, as far as can be seen; ReplaceError when the service refused a later step, or its answer to one was lost
 */
export async function replaceStored(
  service: StoredService,
  zip: Uint8Array,
  { name, old }: { name: string; old: string },
  signal?: AbortSignal,
  clock?: Clock,
): Promise<Replaced> {
  const suffix = `-${randomBytes(4).toString('hex')}`;
  const temporary = `${name.slice(0, NAME_LENGTH - suffix.length)}${suffix}`;
  const pools = await poolsWith(service, [old, name], signal);
  const stored = await store(service, zip, temporary, signal, clock).catch(async (error: unknown) => {
    if (signal?.aborted) await takeBack(service, temporary, clock);
    throw error;
  });
  const unknownEnd = (error: ServiceError): ReplaceError =>
    new ReplaceError(
      l10n.t(
        'The old "{0}" may have been deleted: {1} The new one is stored as "{2}".',
        name,
        error.sentences.join(' '),
        temporary,
      ),
    );
  try {
    await service.deleteExtension(old);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'notFound') {
      if (isUnknown(error)) throw unknownEnd(error);
      // What is stored twice would only be in the way.
      await service.deleteExtension(stored.id).catch(() => undefined);
      throw error;
    }
  }
  try {
    const record = await store(service, zip, name, undefined, clock);
    await service.deleteExtension(stored.id).catch(() => undefined);
    return { record, ...pools };
  } catch (error) {
    if (isUnknown(error)) {
      throw new ReplaceError(
        l10n.t(
          'The old "{0}" was deleted. Whether the new one is stored under this name is not known: {1} It is stored as "{2}" in any case.',
          name,
          error.sentences.join(' '),
          temporary,
        ),
      );
    }
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

/** Whether the service may have done what has failed so. */
function isUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.mayHaveHappened;
}

/** Stores an archive under a name that is not taken, and looks for it there when the answer was lost. @throws ServiceError */
async function store(
  service: StoredService,
  zip: Uint8Array,
  name: string,
  signal: AbortSignal | undefined,
  clock: Clock | undefined,
): Promise<StoredExtension> {
  try {
    return await service.uploadExtension(zip, name, signal);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    let found: StoredExtension | undefined;
    const isThere = async (): Promise<boolean> => {
      found = await service.getExtension(name, signal).catch((failure: unknown) => {
        if (failure instanceof ServiceError && failure.kind === 'notFound') return undefined;
        throw failure;
      });
      return found !== undefined;
    };
    await reconcile(isThere, undefined, signal, clock).catch((failure: unknown) => {
      if (!(failure instanceof ServiceError)) throw failure;
    });
    if (found) return found;
    throw error;
  }
}

/** Deletes what was stored under a name by an upload that was cancelled, as far as the service allows it. */
async function takeBack(service: StoredService, name: string, clock: Clock | undefined): Promise<void> {
  const isDeleted = async (): Promise<boolean> => {
    try {
      await service.deleteExtension(name);
      return true;
    } catch (error) {
      // The service may yet store what it has received.
      if (error instanceof ServiceError && error.kind === 'notFound') return false;
      throw error;
    }
  };
  await reconcile(isDeleted, undefined, undefined, clock).catch(() => undefined);
}

/** The pools that load an extension by one of these ids or names; none where the service has no pools. */
async function poolsWith(
  service: StoredService,
  references: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Pick<Replaced, 'pools' | 'poolsError'>> {
  const pools: BrowserPool[] = [];
  try {
    for await (const pool of service.listPools(signal)) {
      if (pool.extensions?.some((reference) => references.includes(reference))) pools.push(pool);
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.kind !== 'unsupported') return { pools, poolsError: error };
  }
  return { pools };
}
