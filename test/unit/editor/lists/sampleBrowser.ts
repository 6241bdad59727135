import type { Browser } from '../../../../src/service/model';

/** The time at which rows are drawn, in milliseconds since the epoch. */
export const NOW = Date.parse('2026-05-01T12:00:00Z');

/** A browser that was created 150 s before. */
export const BROWSER: Browser = {
  id: 's1',
  createdAt: '2026-05-01T11:57:30Z',
  devToolsUrl: 'wss://proxy.example/cdp?jwt=secret',
  webDriverUrl: '',
  headless: true,
  stealth: false,
  timeoutSeconds: 60,
};
