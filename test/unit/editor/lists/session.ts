import type { BrowserSession } from '../../../../src/service/model';

/** The time at which rows are drawn, in milliseconds since the epoch. */
export const NOW = Date.parse('2026-05-01T12:00:00Z');

/** A browser that was created 150 s before. */
export const SESSION: BrowserSession = {
  session_id: 's1',
  created_at: '2026-05-01T11:57:30Z',
  cdp_ws_url: 'wss://proxy.example/cdp?jwt=secret',
  webdriver_ws_url: '',
  headless: true,
  stealth: false,
  timeout_seconds: 60,
};
