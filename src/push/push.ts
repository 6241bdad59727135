import { deliver } from './deliver';
import type { DeliverRequest } from './deliverRequest';
import type { PushOutcome } from './outcome';
import { prepare, type PrepareRequest } from './prepare';

/** One push: which folder, to which browser. */
export interface PushRequest extends PrepareRequest, DeliverRequest {}

/**
 * Checks a folder, packs it, brings it into one browser and verifies what runs there.
 * A faulty folder is an outcome; a service, a browser or a disk that fails rejects with its error, which says what to do.
 */
export async function push(request: PushRequest, signal?: AbortSignal): Promise<PushOutcome> {
  const prepared = await prepare(request, signal);
  return 'outcome' in prepared ? prepared : await deliver(prepared, request, signal);
}
