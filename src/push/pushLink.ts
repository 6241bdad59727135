import type { Clock } from '../base/clock';
import type { ProcessKeeper } from '../devtools/connection/keptProcesses';
import type { Connection } from '../devtools/protocol/connect';
import type { Answer, Expression } from '../devtools/protocol/evaluate';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import type { OpenTargets } from '../devtools/protocol/targets';
import type { WorkerDebuggers } from '../devtools/workers/workerDebuggers';

/**
 * What a push needs of the connection to one browser. Where a browser lacks what only its own pages can do, a push goes the longer way: each
 * such member says what it gives then.
 */
export interface PushLink {
  /**
   * DevTools itself, over which a push watches workers (`WorkerWatch`) and reloads, keeps and opens pages; extensions are for the members below.
   */
  readonly connection: Connection;
  /** The time for limits and polls. */
  readonly clock: Clock;
  /** False once the browser has restarted or ended, or the connection was closed. */
  readonly isOpen: boolean;
  /** What is open in the browser. */
  readonly targets: OpenTargets;
  /** The processes of extensions that are kept over reloads. */
  readonly processes: ProcessKeeper;
  /** The debuggers that are attached to workers of the browser. */
  readonly debuggers: Pick<
    WorkerDebuggers,
    'isEmpty' | 'isPagePaused' | 'onChange' | 'pausedAt' | 'release' | 'restore'
  >;
  /** All extensions, disabled ones included. @throws DevToolsError when the browser does not support it */
  extensions(): Promise<LoadedExtension[]>;
  /**
   * Loads a folder of the browser's machine, or reloads it when it is loaded already, and resolves to the id of the extension.
   * @throws LoadRefusedError when Chromium refuses its files
   */
  loadFolder(path: string): Promise<string>;
  /** Uninstalls the extension `id` with its storage, if DevTools has loaded it last (C-UNINSTALL-LOADED). */
  uninstall(id: string): Promise<void>;
  /** Switches Developer mode on, and has the browser report errors and loads. Resolves to false where the browser does not allow it. */
  prepare(): Promise<boolean>;
  /** The first step of `prepare`, which goes on: switches Developer mode on. Resolves to false where the browser does not allow it. */
  developerMode(): Promise<boolean>;
  /**
   * Reloads the extension `id` from its folder. Resolves to false where the browser does not do it: it is then loaded.
   * @throws LoadRefusedError when Chromium refuses the files in the folder
   */
  reload(id: string): Promise<boolean>;
  /** Enables or disables the extension `id`. Resolves to false where the browser does not support it. */
  setEnabled(id: string, enabled: boolean): Promise<boolean>;
  /** How many times the extension `id` was loaded; undefined where that is unknown: each push then reads what is there. */
  loads(id: string): Promise<number | undefined>;
  /** Evaluates in a page with `chrome.developerPrivate` and `chrome.management`; undefined where there is none. */
  evaluateOnExtensionsPage<E extends Expression>(call: E): Promise<Answer<E> | undefined>;
  /** Shows the icon of the extension `id` in the toolbar, where the browser supports that. */
  pin(id: string): Promise<void>;
  /** Pauses the reports of errors for a reload of the extension `id`, where there are any. */
  pauseErrors(id: string): Promise<void>;
}
