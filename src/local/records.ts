import type { BrowserSession, Profile, StoredExtension } from '../service/interface';

// The resources of the interface with all fields that the local service always sends.

/** A session of this service. */
export interface SessionRecord extends BrowserSession {
  created_at: string;
  webdriver_ws_url: string;
  headless: boolean;
  stealth: boolean;
  timeout_seconds: number;
}

/** A profile of this service. */
export interface ProfileRecord extends Profile {
  created_at: string;
}

/** A stored extension of this service. */
export interface ExtensionRecord extends StoredExtension {
  created_at: string;
  size_bytes: number;
}
