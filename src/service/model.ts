/**
 * The resources of the Browser Cloud Service as the rest of this program knows them: answers are decoded into these, requests are made of
 * them. Their names on the wire are in `interface.ts`, and nowhere outside of this room.
 */

/**
 * A browser profile: state for future browsers. Times are ISO 8601 in UTC. Which fields are always present is not shown in the interface
 * document, so only the id is relied on.
 */
export interface Profile {
  id: string;
  createdAt?: string;
  name?: string | null;
  updatedAt?: string | null;
  lastUsedAt?: string | null;
}

/** Screen size of a browser in CSS pixels, refresh rate in hertz. */
export interface Viewport {
  width: number;
  height: number;
  refreshRate?: number;
}

/**
 * A running browser, which the interface calls a session, or one that has ended, with `deletedAt`. The interface document shows no field beyond
 * the identifier, so the others may be missing. The three URLs contain a credential: never log or show them.
 */
export interface Browser {
  id: string;
  createdAt?: string;
  /** Empty where the service gives no DevTools address. */
  devToolsUrl: string;
  webDriverUrl?: string;
  headless?: boolean;
  stealth?: boolean;
  timeoutSeconds?: number;
  liveViewUrl?: string | null;
  deletedAt?: string | null;
  name?: string | null;
  tags?: Record<string, string>;
  profile?: Profile | null;
  viewport?: Viewport | null;
  kioskMode?: boolean;
  startUrl?: string | null;
  gpu?: boolean;
  /** Deprecated for `proxy`. */
  proxyId?: string | null;
  proxy?: ProxyChoice | null;
  /** Where its machine is, such as `us-east`. */
  region?: string | null;
  /** The memory of its machine, such as `8GiB`. */
  memory?: string | null;
  network?: NetworkConfig | null;
  /** Whether it saves its state to its profile. */
  profileSaveChanges?: boolean | null;
  /** URL of the browser's own machine; requests to it need the credential of the other URLs. */
  baseUrl?: string | null;
  /** The pool that it was acquired from. */
  pool?: PoolReference | null;
  usage?: BrowserUsage | null;
  /** The service's word for what is known of its usage. */
  usageStatus?: string | null;
  /** Sideload does not use it. */
  telemetry?: Record<string, unknown> | null;
  /** Chrome enterprise policies by name. */
  chromePolicy?: Record<string, unknown> | null;
}

/** The proxy of a browser: one of the account by id or name, or a mode: `direct` for none, `default` for the service's choice. */
export interface ProxyChoice {
  mode?: string;
  id?: string;
  name?: string;
}

/** Hosts that a browser reaches directly, through a network of its own. Absent: the private ranges of addresses. */
export interface NetworkConfig {
  privateHosts?: string[];
}

/** The most browsers that may run at the same time; undefined where there is no limit, or none is reported. */
export interface ConcurrencyLimits {
  /** Of the account, in all of its projects. */
  account?: number;
  /** Of each project without a limit of its own. */
  perProject?: number;
}

/** The pool of a browser. */
export interface PoolReference {
  id: string;
  name?: string | null;
}

/** A pool of browsers that have started already. */
export interface BrowserPool extends PoolReference {
  /** Its browsers that nobody has acquired. */
  availableCount?: number;
  /** Ids and names of the stored extensions that its browsers load. */
  extensions?: string[];
}

/** The usage of a browser so far. */
export interface BrowserUsage {
  uptimeMs: number;
}

/** Options of a new browser. */
export interface CreateBrowserRequest {
  name?: string;
  headless?: boolean;
  stealth?: boolean;
  kioskMode?: boolean;
  startUrl?: string;
  tags?: Record<string, string>;
  timeoutSeconds?: number;
  viewport?: Viewport;
  profile?: ProfileChoice;
  extensions?: { id?: string; name?: string }[];
  gpu?: boolean;
  /** Deprecated for `proxy`. */
  proxyId?: string;
  proxy?: ProxyChoice;
  region?: string;
  /** Only for a browser with a window and without a GPU. */
  memory?: string;
  network?: NetworkConfig;
  chromePolicy?: Record<string, unknown>;
}

/** A profile by id or name. With `saveChanges` the browser saves its state to it when it ends. */
export interface ProfileChoice {
  id?: string;
  name?: string;
  saveChanges?: boolean;
}

/** Changes to a running browser; absent fields do not change. */
export interface UpdateBrowserRequest {
  /** Empty removes the name. */
  name?: string;
  /** Replaces all tags. */
  tags?: Record<string, string>;
  /** Only for a browser without a profile. */
  profile?: ProfileChoice;
  /** Empty removes the proxy. */
  proxyId?: string;
  proxy?: ProxyChoice;
  startUrl?: string;
  /** With `force` even while the browser is watched or recorded. */
  viewport?: Viewport & { force?: boolean };
}

/** Options of a browser from a pool, and how long to wait for one. */
export interface AcquireBrowserRequest {
  acquireTimeoutSeconds?: number;
  name?: string;
  startUrl?: string;
  tags?: Record<string, string>;
}

/** Releases a browser to its pool. With `reuse` false it is replaced by a new one. */
export interface ReleaseBrowserRequest {
  /** Its id. */
  browser: string;
  reuse?: boolean;
}

/** An extension stored on the account, not in a browser. `checksum` is the hexadecimal SHA-256 of the archive. */
export interface StoredExtension {
  id: string;
  createdAt?: string;
  sizeBytes?: number;
  name?: string | null;
  lastUsedAt?: string | null;
  checksum?: string | null;
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

/** A wheel scroll at a point of the screen, in pixels; deltas are wheel ticks, positive is right and down. */
export interface ScrollRequest {
  x: number;
  y: number;
  deltaX?: number;
  deltaY?: number;
  /** X keysym names, pressed in this order during the scroll. */
  holdKeys?: string[];
}

/** A click at a point of the screen, in pixels. */
export interface ClickMouseRequest {
  x: number;
  y: number;
  button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
  clickType?: 'down' | 'up' | 'click';
  numClicks?: number;
  holdKeys?: string[];
}

/** A movement of the mouse to a point of the screen, in pixels and milliseconds. */
export interface MoveMouseRequest {
  x: number;
  y: number;
  smooth?: boolean;
  durationMs?: number;
  holdKeys?: string[];
}

/** Keys by their X keysym names, pressed together, for `duration` milliseconds. */
export interface PressKeyRequest {
  keys: string[];
  duration?: number;
  holdKeys?: string[];
}

/** A drag along a path of at least two points `[x, y]`, in pixels and milliseconds. */
export interface DragMouseRequest {
  path: [number, number][];
  button?: 'left' | 'right' | 'middle';
  /** Between the press of the button and the first step. */
  delay?: number;
  stepsPerSegment?: number;
  stepDelayMs?: number;
  holdKeys?: string[];
}

/** One step of a batch. */
export type ComputerAction =
  | { type: 'clickMouse'; clickMouse: ClickMouseRequest }
  | { type: 'dragMouse'; dragMouse: DragMouseRequest }
  | { type: 'moveMouse'; moveMouse: MoveMouseRequest }
  | { type: 'pressKey'; pressKey: PressKeyRequest }
  | { type: 'scroll'; scroll: ScrollRequest }
  | { type: 'typeText'; typeText: { text: string; delay?: number } }
  | { type: 'sleep'; sleep: { durationMs: number } };

/** A part of the screen, in pixels. */
export interface ScreenRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}
