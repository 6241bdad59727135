import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import type { Logger } from '../../src/service/logger';
import { CALLS, SECRET_MARK, SESSION } from './client.operations';
import { startRecorder, type Recorder, type Responder } from './client.recorder';

/** The beginning is what is searched for, so that also half a token is found. */
const TOKEN_MARK = 'tok-M4RK';
const TOKEN = `${TOKEN_MARK}-0123456789abcdef`;
const RETRY = { attempts: 2, firstDelayMs: 1, longestDelayMs: 1 };

/** Everything that a careless service could say. */
const CONFESSION = `no such thing for Bearer ${TOKEN} (${TOKEN}) at ${SESSION.cdp_ws_url} or ${SESSION.browser_live_view_url}`;
/** Puts the token across the place where a long body is cut. */
const LONG_PAGE = `<html><body>${'x'.repeat(100)}${TOKEN} ${SESSION.cdp_ws_url}</body></html>`;

/** Ways to fail, each with a service that gives away what it knows. */
const FAILURES: readonly [string, Responder][] = [
  [
    'an error that repeats the credentials in every field',
    () => ({
      status: 400,
      headers: { 'x-request-id': TOKEN },
      body: {
        code: TOKEN,
        message: CONFESSION,
        details: [{ code: TOKEN, message: CONFESSION }],
        inner_error: { code: TOKEN, message: CONFESSION },
      },
    }),
  ],
  ['a fault that is tried again', () => ({ status: 503, body: { code: 'x', message: CONFESSION } })],
  ['a page of a proxy', () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: LONG_PAGE })],
  ['a text that is no JSON', () => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: CONFESSION })],
  ['a page instead of an answer', () => ({ headers: { 'content-type': 'text/html' }, body: LONG_PAGE })],
  ['JSON of another shape', () => ({ status: 500, body: { ...SESSION, error: CONFESSION } })],
  ['a redirect', () => ({ status: 307, headers: { location: `https://example.test/?token=${TOKEN}` } })],
  [
    'an answer with fields of the wrong kind',
    () => ({ body: { ...SESSION, session_id: [TOKEN], id: 1, name: CONFESSION } }),
  ],
  [
    'JSON that breaks off',
    () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(SESSION).slice(0, 400) }),
  ],
  [
    'a connection that is cut in the answer',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
      response.write(CONFESSION, () => response.destroy());
      return undefined;
    },
  ],
  [
    'a connection that is cut before the answer',
    (_request, response) => {
      response.destroy();
      return undefined;
    },
  ],
];

class Written implements Logger {
  readonly lines: string[] = [];
  readonly trace = (line: string): void => void this.lines.push(line);
  readonly debug = this.trace;
  readonly info = this.trace;
  readonly warn = this.trace;
  readonly error = this.trace;
}

/** Everything that somebody could print of an error. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [inspect(error, { depth: null })];
  return [
    error.message,
    error.stack ?? '',
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: null, showHidden: true }),
    ...(error instanceof ServiceError ? error.reasons : []),
    ...(error.cause === undefined ? [] : textsOf(error.cause)),
  ];
}

describe('the credentials', () => {
  let recorder: Recorder;
  let log: Written;
  let client: ServiceClient;

  before(async () => {
    recorder = await startRecorder();
  });
  after(() => recorder.close());

  beforeEach(() => {
    log = new Written();
    client = new ServiceClient({ baseUrl: recorder.baseUrl, token: TOKEN, log, retry: RETRY });
  });
  afterEach(() => client.close());

  function assertClean(texts: readonly string[], what: string): void {
    for (const text of texts) {
      assert(!text.includes(TOKEN_MARK), `${what} gives the token away: ${text}`);
      assert(!text.includes(SECRET_MARK), `${what} gives a session away: ${text}`);
    }
  }

  it('went to the service, and are in none of the lines about a success', async () => {
    for (const call of CALLS) {
      recorder.requests = [];
      recorder.responder = () => call.answer;
      await call.ours(client);
      assert.equal(recorder.requests[0]?.headers.authorization, `Bearer ${TOKEN}`);
    }
    assert(log.lines.length >= CALLS.length);
    assertClean(log.lines, 'the log');
  });

  for (const [what, responder] of FAILURES) {
    it(`are in no error and no line about ${what}`, async () => {
      recorder.responder = responder;
      let failed = 0;
      for (const call of CALLS) {
        const error: unknown = await call.ours(client).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) continue;
        failed += 1;
        assert(error instanceof ServiceError, `${call.name}: ${inspect(error)}`);
        assertClean(textsOf(error), `${call.name}, at ${what},`);
      }
      // Operations without content do not look into what they get beside a 200, except for a page.
      assert(failed >= 10, `only ${failed} operations failed`);
      assertClean(log.lines, 'the log');
    });
  }

  it('are in no error about a service that is not there, even when an id holds one', async () => {
    await recorder.close();
    await assert.rejects(client.getBrowser(TOKEN), (error) => {
      assertClean(textsOf(error), 'the error');
      return true;
    });
    assertClean(log.lines, 'the log');
    recorder = await startRecorder();
  });
});
