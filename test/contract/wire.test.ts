import Kernel from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { CALLS } from './client.operations';
import { startRecorder, type Recorded, type Recorder } from './client.recorder';

const TOKEN = 'token-of-the-test';

/** What a server can see of a request, apart from the ways in which two programs always differ. */
interface Seen {
  request: string;
  authorization: string | undefined;
  accept: string | undefined;
  contentType: string | undefined;
  hasLength: boolean;
  body: unknown;
}

function seen({ method, url, headers, body }: Recorded): Seen {
  const [path = '', query = ''] = url.split('?');
  const [contentType = ''] = (headers['content-type'] ?? '').split(';');
  return {
    request: `${method} ${path}?${query.split('&').sort().join('&')}`,
    authorization: headers.authorization,
    accept: headers.accept,
    contentType: headers['content-type'] === undefined ? undefined : contentType,
    hasLength: headers['content-length'] !== undefined || body.length === 0,
    body:
      contentType === 'multipart/form-data' ? partsOf(headers['content-type'] ?? '', body) : bodyOf(contentType, body),
  };
}

function bodyOf(contentType: string, body: Buffer): unknown {
  return contentType === 'application/json' ? JSON.parse(body.toString()) : body.toString('latin1');
}

/** The head and content of each part, in their order. */
function partsOf(contentType: string, body: Buffer): string[] {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
  assert(boundary, contentType);
  const text = body.toString('latin1');
  assert(text.startsWith(`--${boundary}\r\n`), 'the body begins with its boundary');
  assert(text.trimEnd().endsWith(`--${boundary}--`), 'the body ends with its last boundary');
  return text.split(`--${boundary}`).slice(1, -1);
}

describe('over the wire', () => {
  let recorder: Recorder;
  let ours: ServiceClient;
  let official: Kernel;

  before(async () => {
    recorder = await startRecorder();
    ours = new ServiceClient({ baseUrl: recorder.baseUrl, token: TOKEN, log: silentLogger });
    official = new Kernel({ baseURL: recorder.baseUrl.href, apiKey: TOKEN, maxRetries: 0 });
  });
  after(async () => {
    await ours.close();
    await recorder.close();
  });

  async function record(call: () => Promise<unknown>): Promise<Seen[]> {
    recorder.requests = [];
    await call();
    return recorder.requests.map(seen);
  }

  for (const call of CALLS) {
    it(`${call.name} is the same request with the official client`, async () => {
      recorder.responder = () => call.answer;
      const theirs = await record(() => call.official(official));
      const sent = await record(() => call.ours(ours));
      assert.equal(sent.length, 1);
      assert.deepEqual(sent, theirs);
    });
  }

  it('has one call here for each method of the client', () => {
    // Which are no operation of the interface.
    const own = new Set(['constructor', 'close', 'findBrowser', 'lacks', 'forgetMissing']);
    const methods = Object.getOwnPropertyNames(ServiceClient.prototype).filter((name) => !own.has(name));
    const called = new Set(CALLS.map(({ name }) => name.split(/[ ,]/)[0]));
    assert.deepEqual(
      methods.filter((name) => !called.has(name)),
      [],
    );
  });

  it('sends no path with dot segments', async () => {
    recorder.requests = [];
    for (const id of ['', '.', '..']) {
      await assert.rejects(ours.deleteExtension(id), { kind: 'badRequest', mayHaveHappened: false });
    }
    assert.equal(recorder.requests.length, 0);
  });
});
