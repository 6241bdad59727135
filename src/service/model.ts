/**
 * The resources of the Browser Cloud Service as they stand on the wire: field names are the wire's own.
 * Shared by the client (`service/`) and the local service (`local/`); types and constants only, no behaviour.
 *
 * Source: the service's interface document, version 0.1.0, and the types of the official client 0.84.0.
 */

/** Where an uploaded extension folder is placed on a browser's machine. */
export const EXTENSIONS_ROOT = '/home/kernel/extensions';

/** Legal folder names of an uploaded extension (1 to 255 characters). `.` and `..` match but name no new folder. */
export const EXTENSION_NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;

/** Legal names of profiles: the same alphabet. */
export const PROFILE_NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;

/** The screen of a session that names no viewport, in pixels. */
export const DEFAULT_VIEWPORT = { width: 1920, height: 1080 } as const;

/** Seconds without activity after which a session ends, when its creator named no other number. */
export const DEFAULT_TIMEOUT_SECONDS = 60;
export const MIN_TIMEOUT_SECONDS = 10;
export const MAX_TIMEOUT_SECONDS = 259_200;

/** A browser profile: state that can be loaded into future sessions. Times are ISO 8601 in UTC. */
export interface Profile {
  id: string;
  created_at: string;
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
 * A browser session. It is active as long as there is no `deleted_at`.
 * The three addresses carry a credential: never log or show them.
 */
export interface BrowserSession {
  session_id: string;
  created_at: string;
  cdp_ws_url: string;
  webdriver_ws_url: string;
  headless: boolean;
  stealth: boolean;
  timeout_seconds: number;
  browser_live_view_url?: string | null;
  deleted_at?: string | null;
  name?: string | null;
  tags?: Record<string, string>;
  profile?: Profile | null;
  viewport?: Viewport | null;
  kiosk_mode?: boolean;
  start_url?: string | null;
}

/** What a new session is asked to be; everything is optional. */
export interface CreateBrowserRequest {
  name?: string;
  headless?: boolean;
  stealth?: boolean;
  kiosk_mode?: boolean;
  start_url?: string;
  tags?: Record<string, string>;
  timeout_seconds?: number;
  viewport?: Viewport;
  profile?: { id?: string; name?: string; save_changes?: boolean };
  extensions?: { id?: string; name?: string }[];
}

/** A stored extension of the account (not one that was pushed to a session). `checksum` is hex SHA-256 of the archive. */
export interface StoredExtension {
  id: string;
  created_at: string;
  size_bytes: number;
  name?: string | null;
  last_used_at?: string | null;
  checksum?: string;
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
  /** X keysym names, pressed in this order for the length of the scroll. */
  hold_keys?: string[];
}

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

/** Body of every error response. */
export interface ErrorBody {
  code: string;
  message: string;
  details?: ErrorDetail[];
  inner_error?: ErrorDetail;
}
