import assert from 'node:assert/strict';
import {
  decodeBrowserPool,
  decodeBrowser,
  decodeErrorBody,
  decodeFileInfo,
  decodeProfile,
  decodeStoredExtension,
} from '../../../../src/service/decode/decode';
import { DecodeError, listOf, longListOf } from '../../../../src/service/decode/decodeFields';
import { turnsDuring } from '../../../support/turns';

const PROFILE = {
  id: 'p1',
  created_at: '2026-05-01T12:00:00Z',
  name: 'work',
  updated_at: '2026-05-01T12:00:00Z',
  last_used_at: '2026-05-01T12:00:00Z',
};
const SESSION = {
  session_id: 's1',
  created_at: '2026-05-01T12:00:00Z',
  cdp_ws_url: 'wss://a',
  webdriver_ws_url: 'wss://b',
  browser_live_view_url: 'https://c',
  base_url: 'https://d',
  headless: false,
  stealth: true,
  timeout_seconds: 600,
  deleted_at: '2026-05-01T13:00:00Z',
  name: 'mine',
  tags: { team: 'blue' },
  profile: PROFILE,
  viewport: { width: 800, height: 600, refresh_rate: 60 },
  kiosk_mode: false,
  gpu: true,
  start_url: 'https://example.com/',
  proxy_id: 'x1',
  pool: { id: 'pool1', name: 'warm' },
  usage: { uptime_ms: 1 },
  telemetry: { enabled: true },
  chrome_policy: { A: 1 },
};
const STORED = {
  id: 'e1',
  created_at: '2026-05-01T12:00:00Z',
  size_bytes: 1,
  name: 'ext',
  last_used_at: '2026-05-01T12:00:00Z',
  checksum: 'ab',
};
const FILE = { name: 'a', path: '/a', is_dir: false, size_bytes: 1, mod_time: '2026-05-01T12:00:00Z', mode: '-rw' };

/** The fields of a browser with names of this program's own. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  session_id: 'id',
  cdp_ws_url: 'devToolsUrl',
  webdriver_ws_url: 'webDriverUrl',
  browser_live_view_url: 'liveViewUrl',
  is_dir: 'isFolder',
  mod_time: 'modifiedAt',
};

/** A record of the interface with the names of this program, those of others in tags, telemetry and policies unchanged. */
function ours(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  const named = Object.entries(record).map(([name, value]: [string, unknown]) => {
    const camel = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return [OWN_NAMES[name] ?? camel, ['tags', 'telemetry', 'chrome_policy'].includes(name) ? value : ours(value)];
  });
  return Object.fromEntries(named);
}

interface Resource {
  what: string;
  decode: (value: unknown) => unknown;
  whole: Record<string, unknown>;
  required: readonly string[];
}

const RESOURCES: readonly Resource[] = [
  { what: 'profile', decode: (value) => decodeProfile(value), whole: PROFILE, required: ['id'] },
  {
    what: 'browser',
    decode: (value) => decodeBrowser(value),
    whole: SESSION,
    required: ['session_id'],
  },
  {
    what: 'extension',
    decode: (value) => decodeStoredExtension(value),
    whole: STORED,
    required: ['id'],
  },
  { what: 'file', decode: (value) => decodeFileInfo(value), whole: FILE, required: Object.keys(FILE) },
];

/** Fields of a session for which there is a stand-in, so that a null does not take them away. */
const WITH_STAND_IN = new Set(['cdp_ws_url']);

for (const { what, decode, whole, required } of RESOURCES) {
  describe(`the ${what} record`, () => {
    it('keeps every field', () => {
      assert.deepEqual(decode(whole), ours(whole));
    });

    it('may have unknown fields', () => {
      assert.deepEqual(decode({ ...whole, brand_new: { deep: [1] } }), ours(whole));
    });

    it('requires the fields that are used, and the error names a missing one', () => {
      for (const name of required) {
        const { [name]: _removed, ...rest } = whole;
        assert.match(
          messageAbout(() => decode(rest)),
          new RegExp(`^${what}\\.${name} of the JSON type \\w+ is missing$`),
        );
        assert.match(
          messageAbout(() => decode({ ...whole, [name]: null })),
          new RegExp(`^${what}\\.${name} has the JSON type null instead of \\w+$`),
        );
      }
    });

    it('may have no or null values in all other fields', () => {
      for (const name of Object.keys(whole).filter((field) => !required.includes(field) && !WITH_STAND_IN.has(field))) {
        const { [name]: _removed, ...rest } = whole;
        assert.deepEqual(decode(rest), ours(rest));
        assert.deepEqual(decode({ ...whole, [name]: null }), ours(rest));
      }
    });

    it('has no field of a wrong type, and the error names it', () => {
      for (const [name, value] of Object.entries(whole)) {
        const wrong = typeof value === 'string' ? 7 : 'text';
        assert.match(
          messageAbout(() => decode({ ...whole, [name]: wrong })),
          new RegExp(`^${what}\\.${name} has the JSON type (number|string) instead of \\w+$`),
        );
      }
    });

    it('has to be an object', () => {
      for (const value of [undefined, null, 'text', 1, [whole]]) assert.throws(() => decode(value), DecodeError);
    });
  });
}

describe('a nested value', () => {
  it('is named by its full path', () => {
    const wrong: [object, RegExp][] = [
      [{ viewport: { width: 1 } }, /^browser\.viewport\.height of the JSON type number is missing$/],
      [{ tags: { a: 1 } }, /^browser\.tags\.a has the JSON type number instead of string$/],
      [{ profile: { name: 'p' } }, /^browser\.profile\.id of the JSON type string is missing$/],
      [{ pool: {} }, /^browser\.pool\.id of the JSON type string is missing$/],
      [{ usage: { uptime_ms: '1' } }, /^browser\.usage\.uptime_ms has the JSON type string instead of number$/],
      [{ telemetry: [] }, /^browser\.telemetry has the JSON type array instead of object$/],
    ];
    for (const [part, text] of wrong) {
      assert.match(
        messageAbout(() => decodeBrowser({ ...SESSION, ...part })),
        text,
      );
    }
  });

  it('is named with its index in a list', () => {
    assert.match(
      messageAbout(() => listOf([FILE, { ...FILE, mode: 1 }], 'files', decodeFileInfo)),
      /^files\[1\]\.mode has the JSON type number instead of string$/,
    );
    assert.throws(
      () => listOf({}, 'files', decodeFileInfo),
      /^DecodeError: files has the JSON type object instead of array$/,
    );
  });
});

describe('a list of very many entries', () => {
  it('is decoded with turns of the event loop in between, and an error names the entry', async () => {
    const file = { name: 'a', path: '/a', is_dir: false, size_bytes: 1, mod_time: '', mode: '-rw-r--r--' };
    const files = Array.from({ length: 60_000 }, () => file);
    const { turns, result } = await turnsDuring(() => longListOf(files, 'files', decodeFileInfo));
    assert.ok(turns > 1);
    assert.deepEqual(result, listOf(files, 'files', decodeFileInfo));
    const broken = [...files, { ...file, size_bytes: '1' }];
    await assert.rejects(longListOf(broken, 'files', decodeFileInfo), {
      name: 'DecodeError',
      message: /files\[60000\]\.size_bytes/,
    });
    await assert.rejects(longListOf({}, 'files', decodeFileInfo), DecodeError);
  });
});

describe('the body of an error response', () => {
  it('keeps the parts that have the shape of the interface', () => {
    assert.deepEqual(
      decodeErrorBody({
        code: 'c',
        message: 'm',
        details: [{ code: 'd' }, 'text', null, {}, { message: 'e', more: 1 }],
        inner_error: { message: 'i', code: 5 },
      }),
      { code: 'c', message: 'm', details: [{ code: 'd' }, { message: 'e' }], inner_error: { message: 'i' } },
    );
    assert.deepEqual(decodeErrorBody({ message: 'only this' }), { message: 'only this' });
    assert.deepEqual(decodeErrorBody({ message: 'm', code: 4, details: 'none', inner_error: [] }), { message: 'm' });
  });

  it('requires a message', () => {
    for (const value of [undefined, null, 'text', [], {}, { code: 'c' }, { message: 5 }]) {
      assert.equal(decodeErrorBody(value), undefined);
    }
  });
});

function messageAbout(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert(error instanceof DecodeError, String(error));
    return error.message;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

describe('a record with nothing but an identifier', () => {
  it('is enough, and the identifier of a session may be called id', () => {
    assert.deepEqual(decodeProfile({ id: 'p' }), { id: 'p' });
    assert.deepEqual(decodeStoredExtension({ id: 'e' }), { id: 'e' });
    const bare = { id: 'brw-1', devToolsUrl: '' };
    assert.deepEqual(decodeBrowser({ session_id: 'brw-1' }), bare);
    assert.deepEqual(decodeBrowser({ id: 'brw-1' }), bare);
  });

  it('of a pool has the extensions that its configuration names, and those that were found for them', () => {
    const config = { extensions: [{ name: 'notes' }, { id: 'e1' }, 7] };
    const pool = decodeBrowserPool({ id: 'p', browser_pool_config: config, extension_ids: ['e1', 'e2', null] });
    assert.deepEqual(pool, { id: 'p', extensions: ['notes', 'e1', 'e2'] });
  });
});
