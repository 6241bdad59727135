import type { Archive } from '../../archive/packer';
import type { Cancellation } from '../pointOfNoReturn';
import type { DeliverRequest, RestartAnswer } from '../deliverRequest';
import { folderNameOf } from '../folderName';
import { withStableKey } from '../prepare/stableKey';
import { folderPath, type Placement } from './place';
import type { Prepared } from '../prepare/prepare';

/** The user declined the restart of the browser. */
export class RestartDeclinedError extends Error {
  override readonly name = 'RestartDeclinedError';
}

/** An upload of a build, which is reported as steps. */
export interface Upload {
  placement: Placement;
  /** What is placed: the packed folder, with another key where its folder on the browser needs one. */
  archive: Archive;
  /** Asks whether the browser may be restarted for it. @throws RestartDeclinedError when it may not. */
  askToRestart: (canAvoid: boolean) => Promise<RestartAnswer>;
  /** To be called once the files are in place. */
  done: () => void;
  /** The duration of the push so far, in milliseconds, without the time for which a question waited. */
  elapsedMs: () => number;
}

/** Prepares the upload of a build to the folder `folderName` of a browser. */
export async function uploadOf(
  prepared: Prepared,
  { service, session, connections, known, folderName: configured, confirmRestart, log, onStep }: DeliverRequest,
  folderName: string,
  cancellation: Cancellation,
): Promise<Upload> {
  const { machines } = known;
  const base = folderNameOf(prepared.manifest.name, configured);
  const archive =
    folderName === base
      ? prepared.archive
      : await withStableKey(prepared, folderPath({ root: machines.keyRoot }, base));
  let begun = { at: performance.now(), bytes: 0, restarts: false };
  let askedMs = 0;
  const askToRestart = async (canAvoid: boolean): Promise<RestartAnswer> => {
    const asked = performance.now();
    const answer = await confirmRestart(session, canAvoid);
    askedMs += performance.now() - asked;
    cancellation.signal.throwIfAborted();
    if (answer === 'no') throw new RestartDeclinedError();
    return answer;
  };
  const onUpload = (bytes: number, restarts: boolean): void => {
    begun = { at: performance.now(), bytes, restarts };
    onSent(0);
  };
  const onSent = (sent: number): void => {
    const { bytes, restarts } = begun;
    // What has been sent restarts Chromium, whether or not the answer is awaited.
    if (restarts && sent >= bytes) cancellation.commit();
    onStep({ step: 'uploading', bytes, sent, restarts });
  };
  const done = (): void => {
    onStep({ step: 'uploaded', restarted: begun.restarts, ms: performance.now() - begun.at });
  };
  const placement = {
    service,
    session,
    machines,
    folderName,
    zip: archive.bytes,
    log,
    clock: connections.clock,
    onUpload,
    onSent,
  };
  const elapsedMs = (): number => performance.now() - prepared.started - askedMs;
  return { placement, archive, askToRestart, done, elapsedMs };
}
