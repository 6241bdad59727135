import type { LeftOut } from '../archive/selection';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import type { WorkerFault } from '../devtools/workers/startingWorker';
import type { Finding } from '../manifest/finding';
import type { ReloadKind } from './prepare/changes';
import type { LocalhostUse } from './localhost';

/** A step of a push: begun, under way or done. Times in milliseconds, sizes in bytes. */
export type PushStep =
  /** Another program of the user delivers to the browser. */
  | { step: 'waiting' }
  | { step: 'checking' }
  /** Globs of the settings that are malformed or exceed a limit, and match only the path of their text. */
  | { step: 'ignoredGlobs'; globs: readonly string[] }
  | { step: 'checked'; findings: readonly Finding[]; ms: number }
  /** The build connects to the machine it was made on, which a remote browser cannot reach. */
  | { step: 'foundConnections'; uses: readonly LocalhostUse[] }
  /** Scripts were changed, so that their websockets reach servers of this machine. */
  | { step: 'carriedSockets'; files: readonly string[] }
  | { step: 'packing'; done: number; total: number }
  /** `secrets`: files that are left out because they look like secrets. */
  | { step: 'packed'; files: number; bytes: number; ms: number; secrets?: readonly string[] }
  /** `sent`: of `bytes`, so far. */
  | { step: 'uploading'; bytes: number; sent: number; restarts: boolean }
  | { step: 'uploaded'; restarted: boolean; ms: number }
  | { step: 'verifying' }
  /** Copies of the extension were removed, which ran beside it under other ids. */
  | { step: 'removedCopies'; copies: readonly LoadedExtension[] };

/**
 * The push was cancelled, by its signal or for another reason: `declined`: the user declined that Chromium restarts for it; `restartNotAsked`: it
 * would have restarted Chromium, about which a push by itself asks nobody; `notWanted`: the browser was no longer to be pushed to when the folder
 * was packed.
 */
export interface Cancelled {
  kind: 'cancelled';
  why?: 'declined' | 'restartNotAsked' | 'notWanted';
}

/** Why a folder was not sent to any browser. */
export type Refusal =
  | { kind: 'refusedByCheck'; findings: readonly Finding[] }
  | { kind: 'tooLarge'; message: string }
  | { kind: 'leftOut'; files: readonly LeftOut[] }
  | { kind: 'needsLocalhost'; uses: readonly LocalhostUse[] }
  | Cancelled;

/** Why it cannot be verified what a browser runs. */
export type Unverifiable = 'noAddress' | 'unreachable' | 'policy';

/** How a delivery to one browser ended. Only `running` means that the browser was verified to run this build. */
export type DeliveryOutcome =
  | {
      kind: 'running';
      extensionId: string;
      name: string;
      version: string;
      /** `kept`: none of its files has changed, so it was not restarted. `paused`: by a debugger, before it has started. */
      worker: 'running' | 'paused' | 'kept' | 'none';
      /** Where it is paused: `path:line:column`. */
      pausedAt?: string;
      /** What Chromium was asked for. */
      reload: ReloadKind;
      files: number;
      bytes: number;
      digest: string;
      ms: number;
    }
  /**
   * The service accepted the build and says that the browser has restarted with it, but what runs there is not verified: the service gives
   * no DevTools address, or DevTools cannot be reached, for which a policy of the browser can be the reason.
   */
  | { kind: 'unverified'; name: string; version: string; digest: string; ms: number; why: Unverifiable }
  | { kind: 'unchanged'; digest: string }
  | { kind: 'refusedByBrowser'; chromium: string }
  | { kind: 'workerFailed'; extensionId: string; version: string; faults: readonly WorkerFault[] }
  /** `others`: enabled copies of the extension under other ids. */
  | { kind: 'doubled'; extensionId: string; name: string; version: string; others: readonly LoadedExtension[] }
  | { kind: 'wrong'; reason: string }
  /** `by`: another extension of its set, which was refused. `isRestored`: by Chromium, so that what ran before was restored. */
  | { kind: 'heldBack'; by: string; isRestored: boolean }
  | Cancelled;

/** How a push ended that no error has ended. */
export type KnownOutcome = Refusal | DeliveryOutcome;
