/**
 * The resources of the Browser Cloud Service as the rest of this program knows them: answers are decoded into these, requests are made of
 * them. What they hold is said once, in `interface.ts`, under the names on the wire, which are used nowhere outside of this room.
 */
import type * as wire from './interface';
import type { CamelCase } from './wire/fieldNames';

/** A value of the interface with the field names of this program. Those of a record with any names, such as tags, stay. */
type Named<T> = T extends readonly unknown[]
  ? { [Index in keyof T]: Named<T[Index]> }
  : T extends object
    ? string extends keyof T
      ? T
      : { [Name in keyof T as CamelCase<Name & string>]: Named<T[Name]> }
    : T;

export type Profile = Named<wire.Profile>;
export type Viewport = Named<wire.Viewport>;
export type PoolReference = Named<wire.PoolReference>;
export type ProfileChoice = Named<wire.ProfileChoice>;
export type StoredExtension = Named<wire.StoredExtension>;

/**
 * A running browser, which the interface calls a session, or one that has ended, with `deletedAt`. The interface document shows no field beyond
 * the identifier, so the others may be missing. The three URLs contain a credential: never log or show them.
 */
export interface Browser extends Omit<
  Named<wire.BrowserSession>,
  'sessionId' | 'cdpWsUrl' | 'webdriverWsUrl' | 'browserLiveViewUrl'
> {
  id: string;
  /** Empty where the service gives no DevTools address. */
  devToolsUrl: string;
  webDriverUrl?: string;
  liveViewUrl?: string | null;
}

/** The most browsers that may run at the same time; undefined where there is no limit, or none is reported. */
export interface ConcurrencyLimits {
  /** Of the account, in all of its projects. */
  account?: number;
  /** Of each project without a limit of its own. */
  perProject?: number;
}

/** A pool of browsers that have started already. */
export interface BrowserPool extends PoolReference {
  /** Its browsers that nobody has acquired. */
  availableCount?: number;
  /** Ids and names of the stored extensions that its browsers load. */
  extensions?: string[];
}

export type CreateBrowserRequest = Named<wire.CreateBrowserRequest>;
export type UpdateBrowserRequest = Named<wire.UpdateBrowserRequest>;
export type AcquireBrowserRequest = Named<wire.AcquireBrowserRequest>;

/** Releases a browser to its pool. With `reuse` false it is replaced by a new one. */
export interface ReleaseBrowserRequest {
  /** Its id. */
  browser: string;
  reuse?: boolean;
}

/** One entry of a folder on a browser's machine. */
export interface FileInfo {
  name: string;
  path: string;
  isFolder: boolean;
  sizeBytes: number;
  modifiedAt: string;
  mode: string;
}

export type ScrollRequest = Named<wire.ScrollRequest>;
export type ClickMouseRequest = Named<wire.ClickMouseRequest>;
export type MoveMouseRequest = Named<wire.MoveMouseRequest>;
export type PressKeyRequest = Named<wire.PressKeyRequest>;
export type DragMouseRequest = Named<wire.DragMouseRequest>;
export type ScreenRegion = wire.ScreenRegion;

/** One step of a batch. */
export type ComputerAction =
  | { type: 'clickMouse'; clickMouse: ClickMouseRequest }
  | { type: 'dragMouse'; dragMouse: DragMouseRequest }
  | { type: 'moveMouse'; moveMouse: MoveMouseRequest }
  | { type: 'pressKey'; pressKey: PressKeyRequest }
  | { type: 'scroll'; scroll: ScrollRequest }
  | { type: 'typeText'; typeText: { text: string; delay?: number } }
  | { type: 'sleep'; sleep: { durationMs: number } };
