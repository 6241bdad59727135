/**
 * The resources of the Browser Cloud Service in their wire format, with its field names.
 * Shared by the client, which gives out the types of `model.ts`, and the local service; types and constants only, no behaviour.
 *
 * Source: the service's interface document, version 0.1.0, the types of the official client 0.84.0, and for newer fields those of the
 * official Python client 0.93.0.
 */

/** Valid folder names of an uploaded extension (1 to 255 characters). `.` and `..` match, but are not valid. */
export const EXTENSION_NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;

/**
 * How the name of a file beside the folder of an extension begins, whose end is the name of that folder: the extension may not read files of
 * the machine, so the local service loads the folder at no start of the browser. Another service has no use for it.
 */
export const NO_FILES_MARK = '.sideload-no-files-';

/**
 * When an upload of extensions restarts the browser, where whoever has sent them loads them over DevTools: `without` – at once, and this start leaves
 * them out, since an extension that is loaded twice is installed and then updated; `later` – not for them, but each later start loads them.
 */
export type UploadRestart = 'without' | 'later';

export const UPLOAD_RESTARTS: readonly UploadRestart[] = ['without', 'later'];

/** Its name in the query of the upload, where the record of the browser has `restart_optional`. */
export const UPLOAD_RESTART = 'restart';

/** Valid names of profiles. */
export const PROFILE_NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;

/** The screen of a session without a viewport, in pixels. */
export const DEFAULT_VIEWPORT = { width: 1920, height: 1080 } as const;

/** Seconds of inactivity after which a session ends, by default. */
export const DEFAULT_TIMEOUT_SECONDS = 60;
export const MIN_TIMEOUT_SECONDS = 10;
export const MAX_TIMEOUT_SECONDS = 259_200;

/**
 * A browser profile: state for future sessions. Times are ISO 8601 in UTC. Which fields are always present is not shown in the interface
 * document, so only the id is relied on.
 */
export interface Profile {
  id: string;
  created_at?: string;
  name?: string | null;
  updated_at?: string | null;
  last_used_at?: string | null;
}

/** Screen size of a session in CSS pixels, refresh rate in hertz. */
export interface Viewport {
  width: number;
  height: number;
  refresh_rate?: number;
}

/**
 * A browser session. It is active as long as there is no `deleted_at`. The interface document shows no field beyond the identifier, so the
 * others may be missing. The three URLs contain a credential: never log or show them.
 */
export interface BrowserSession {
  session_id: string;
  created_at?: string;
  /** Empty where the service gives no DevTools address. */
  cdp_ws_url: string;
  webdriver_ws_url?: string;
  headless?: boolean;
  stealth?: boolean;
  timeout_seconds?: number;
  browser_live_view_url?: string | null;
  deleted_at?: string | null;
  name?: string | null;
  tags?: Record<string, string>;
  profile?: Profile | null;
  viewport?: Viewport | null;
  kiosk_mode?: boolean;
  start_url?: string | null;
  gpu?: boolean;
  /** Deprecated for `proxy`. */
  proxy_id?: string | null;
  proxy?: ProxyChoice | null;
  /** Where its machine is, such as `us-east`. */
  region?: string | null;
  /** The memory of its machine, such as `8GiB`. */
  memory?: string | null;
  network?: NetworkConfig | null;
  /** Whether it saves its state to its profile. */
  profile_save_changes?: boolean | null;
  /** URL of the session's own machine; requests to it need the credential of the other URLs. */
  base_url?: string | null;
  /** The pool that it was acquired from. */
  pool?: PoolReference | null;
  usage?: BrowserUsage | null;
  /** The service's word for what is known of its usage. */
  usage_status?: string | null;
  /** Sideload does not use it. */
  telemetry?: Record<string, unknown> | null;
  /** Chrome enterprise policies by name. */
  chrome_policy?: Record<string, unknown> | null;
  /** Of the local service: an upload of extensions may say what becomes of the restart; see `UploadRestart`. */
  restart_optional?: boolean;
}

/** The proxy of a session: one of the account by id or name, or a mode: `direct` for none, `default` for the service's choice. */
export interface ProxyChoice {
  mode?: string;
  id?: string;
  name?: string;
}

/** Hosts that a session reaches directly, through a network of its own. Absent: the private ranges of addresses. */
export interface NetworkConfig {
  private_hosts?: string[];
}

/** The places of the cloud service; each session stays where it was created. */
export const REGIONS = ['us-east', 'eu-west'] as const;

/** Sizes of a machine with a window that can be asked for, the default first. */
export const MEMORY_SIZES = ['8GiB', '16GiB'] as const;

/** The pool of a session. */
export interface PoolReference {
  id: string;
  name?: string | null;
}

/** The usage of a session so far. */
export interface BrowserUsage {
  uptime_ms: number;
}

/** Options of a new session. */
export interface CreateBrowserRequest {
  name?: string;
  headless?: boolean;
  stealth?: boolean;
  kiosk_mode?: boolean;
  start_url?: string;
  tags?: Record<string, string>;
  timeout_seconds?: number;
  viewport?: Viewport;
  profile?: ProfileChoice;
  extensions?: { id?: string; name?: string }[];
  gpu?: boolean;
  /** Deprecated for `proxy`. */
  proxy_id?: string;
  proxy?: ProxyChoice;
  region?: string;
  /** Only for a session with a window and without a GPU. */
  memory?: string;
  network?: NetworkConfig;
  chrome_policy?: Record<string, unknown>;
}

/** A profile by id or name. With `save_changes` the session saves its state to it when it ends. */
export interface ProfileChoice {
  id?: string;
  name?: string;
  save_changes?: boolean;
}

/** Changes to a running session; absent fields do not change. */
export interface UpdateBrowserRequest {
  /** Empty removes the name. */
  name?: string;
  /** Replaces all tags. */
  tags?: Record<string, string>;
  /** Only for a session without a profile. */
  profile?: ProfileChoice;
  /** Empty removes the proxy. */
  proxy_id?: string;
  proxy?: ProxyChoice;
  start_url?: string;
  /** With `force` even while the session is watched or recorded. */
  viewport?: Viewport & { force?: boolean };
}

/** Options of a session from a pool, and how long to wait for one. */
export interface AcquireBrowserRequest {
  acquire_timeout_seconds?: number;
  name?: string;
  start_url?: string;
  tags?: Record<string, string>;
}

/** Releases a session to its pool. With `reuse` false its browser is replaced by a new one. */
export interface ReleaseBrowserRequest {
  session_id: string;
  reuse?: boolean;
}

/** An extension stored on the account, not in a session. `checksum` is the hexadecimal SHA-256 of the archive. */
export interface StoredExtension {
  id: string;
  created_at?: string;
  size_bytes?: number;
  name?: string | null;
  last_used_at?: string | null;
  checksum?: string | null;
}

/** One entry of a folder on a browser's machine. */
export interface FileInfo {
  name: string;
  path: string;
  is_dir: boolean;
  size_bytes: number;
  mod_time: string;
  mode: string;
}

/** A wheel scroll at a point of the screen, in pixels; deltas are wheel ticks, positive is right and down. */
export interface ScrollRequest {
  x: number;
  y: number;
  delta_x?: number;
  delta_y?: number;
  /** X keysym names, pressed in this order during the scroll. */
  hold_keys?: string[];
}

/** A click at a point of the screen, in pixels. */
export interface ClickMouseRequest {
  x: number;
  y: number;
  button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
  click_type?: 'down' | 'up' | 'click';
  num_clicks?: number;
  hold_keys?: string[];
}

/** A movement of the mouse to a point of the screen, in pixels and milliseconds. */
export interface MoveMouseRequest {
  x: number;
  y: number;
  smooth?: boolean;
  duration_ms?: number;
  hold_keys?: string[];
}

/** Keys by their X keysym names, pressed one after the other, or held together for `duration` milliseconds, while `hold_keys` are held. */
export interface PressKeyRequest {
  keys: string[];
  duration?: number;
  hold_keys?: string[];
}

/** A drag along a path of at least two points `[x, y]`, in pixels and milliseconds. */
export interface DragMouseRequest {
  path: [number, number][];
  button?: 'left' | 'right' | 'middle';
  /** Between the press of the button and the first step. */
  delay?: number;
  steps_per_segment?: number;
  step_delay_ms?: number;
  hold_keys?: string[];
}

/** One step of a batch. */
export type ComputerAction =
  | { type: 'click_mouse'; click_mouse: ClickMouseRequest }
  | { type: 'drag_mouse'; drag_mouse: DragMouseRequest }
  | { type: 'move_mouse'; move_mouse: MoveMouseRequest }
  | { type: 'press_key'; press_key: PressKeyRequest }
  | { type: 'scroll'; scroll: ScrollRequest }
  | { type: 'type_text'; type_text: { text: string; delay?: number } }
  | { type: 'sleep'; sleep: { duration_ms: number } };

/** A part of the screen, in pixels. */
export interface ScreenRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ErrorDetail {
  code?: string;
  message?: string;
}

/** One fact about a search for a browser that found none: the file that was named, and by what, or a folder that was searched. */
export interface NoBrowserDetail extends ErrorDetail {
  code: 'named_by_setting' | 'named_by_variable' | 'searched_folder';
  message: string;
}

/** Body of every error response. */
export interface ErrorBody {
  code: string;
  message: string;
  details?: ErrorDetail[];
  inner_error?: ErrorDetail;
}
