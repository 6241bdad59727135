import assert from 'node:assert/strict';
import { decodeAccountLimits, decodeBrowser, decodeProjectLimit } from '../../../../src/service/decode/decode';

const SESSION = {
  session_id: 's1',
  created_at: '2026-05-01T12:00:00Z',
  cdp_ws_url: 'wss://a',
  webdriver_ws_url: '',
  headless: false,
  stealth: false,
  timeout_seconds: 600,
};

/** The same in the names of this program. */
const BROWSER = {
  id: 's1',
  createdAt: '2026-05-01T12:00:00Z',
  devToolsUrl: 'wss://a',
  webDriverUrl: '',
  headless: false,
  stealth: false,
  timeoutSeconds: 600,
};

describe('the newer fields of a session', () => {
  it('are decoded', () => {
    const newer = {
      proxy: { mode: 'direct' },
      region: 'eu-west',
      memory: '16GiB',
      network: { private_hosts: ['*.internal.test'] },
      profile_save_changes: false,
      usage_status: 'final',
    };
    assert.deepEqual(decodeBrowser({ ...SESSION, ...newer }), {
      ...BROWSER,
      proxy: { mode: 'direct' },
      region: 'eu-west',
      memory: '16GiB',
      network: { privateHosts: ['*.internal.test'] },
      profileSaveChanges: false,
      usageStatus: 'final',
    });
  });

  it('may be absent, null or empty, and have fields that nobody knows', () => {
    const absent = { region: null, memory: null, network: null, proxy: null, usage_status: null };
    assert.deepEqual(decodeBrowser({ ...SESSION, ...absent }), BROWSER);
    const empty = { network: { bandwidth: 1 }, proxy: { country: 'DE' } };
    assert.deepEqual(decodeBrowser({ ...SESSION, ...empty }), { ...BROWSER, network: {}, proxy: {} });
  });

  it('are ignored where a later service has changed their types, because a list must not fail for them', () => {
    const changed = {
      region: { id: 1 },
      memory: 16,
      network: 'none',
      proxy: 'x1',
      usage_status: {},
      profile_save_changes: 1,
    };
    assert.deepEqual(decodeBrowser({ ...SESSION, ...changed }), BROWSER);
  });
});

describe('the limits of an account', () => {
  it('are decoded, with null for none', () => {
    const limits = {
      max_concurrent_sessions: 10,
      default_project_max_concurrent_sessions: null,
      auth_connections_used: 0,
    };
    assert.deepEqual(decodeAccountLimits(limits), { account: 10 });
    assert.deepEqual(decodeAccountLimits({ default_project_max_concurrent_sessions: 2 }), { perProject: 2 });
    assert.equal(decodeProjectLimit({ max_concurrent_sessions: 3 }), 3);
    assert.equal(decodeProjectLimit({ max_concurrent_sessions: null }), undefined);
  });
});
