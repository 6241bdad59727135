import type { LeftOut } from '../archive/selection';
import type { LoadedExtension } from '../devtools/extensions';
import type { WorkerFault } from '../devtools/workers';
import type { Finding } from '../manifest/finding';
import type { ReloadKind } from './changes';
import type { LocalhostUse } from './developmentBuild';

/** Where a push stands. Times in milliseconds, sizes in bytes. */
export type PushStep =
  | { step: 'checking' }
  | { step: 'checked'; findings: readonly Finding[]; ms: number }
  /** The build opens connections to the machine it was made on, which a browser elsewhere cannot reach. */
  | { step: 'foundConnections'; uses: readonly LocalhostUse[] }
  | { step: 'packing'; done: number; total: number }
  | { step: 'packed'; files: number; bytes: number; ms: number }
  | { step: 'uploading'; bytes: number; restarts: boolean }
  | { step: 'uploaded'; restarted: boolean; ms: number }
  | { step: 'verifying' };

/** Why a folder was not sent to any browser. */
export type Refusal =
  | { outcome: 'refusedByCheck'; findings: readonly Finding[] }
  | { outcome: 'tooLarge'; message: string }
  | { outcome: 'leftOut'; files: readonly LeftOut[] }
  | { outcome: 'needsLocalhost'; uses: readonly LocalhostUse[] }
  | { outcome: 'cancelled' };

/** How a delivery to one browser ended. `running` alone means that the browser was seen to run this build. */
export type DeliveryOutcome =
  | {
      outcome: 'running';
      extensionId: string;
      name: string;
      version: string;
      /** `kept`: nothing of it has changed, so it was left as it is. */
      worker: 'running' | 'kept' | 'none';
      /** What Chromium was asked for. */
      reload: ReloadKind;
      files: number;
      bytes: number;
      digest: string;
      ms: number;
    }
  /** The service took the build and restarted the browser, whose DevTools cannot be reached to see what runs. */
  | { outcome: 'unverified'; name: string; version: string; digest: string; ms: number }
  | { outcome: 'unchanged'; digest: string }
  | { outcome: 'refusedByBrowser'; chromium: string }
  | { outcome: 'workerFailed'; extensionId: string; version: string; faults: readonly WorkerFault[] }
  /** `others`: enabled copies of the extension under other ids, which act beside it. */
  | { outcome: 'doubled'; name: string; version: string; others: readonly LoadedExtension[] }
  | { outcome: 'wrong'; reason: string }
  | { outcome: 'cancelled' };

/** How a push ended. */
export type PushOutcome = Refusal | DeliveryOutcome;
