import assert from 'node:assert/strict';
import { texts } from '../../../src/service/decode/decodeFields';
import { statusError } from '../../../src/service/failure';
import { get } from '../../../src/service/operations/operation';
import { redact } from '../../../src/service/redact';
import type { HttpResponse } from '../../../src/service/wire/http';
import { isQuick, repeated } from '../../support/longTexts';
import { answer, deletion, failureOf, fault, read, requestsOver, type Answer } from './scriptedService';

describe('the error of a request', () => {
  it('has the kind of its status', async () => {
    const kinds: [number, string][] = [
      [400, 'badRequest'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'notFound'],
      [408, 'timeout'],
      [409, 'conflict'],
      [413, 'tooLarge'],
      [418, 'invalidAnswer'],
      [422, 'badRequest'],
      [429, 'rateLimited'],
      [500, 'server'],
      [599, 'server'],
    ];
    for (const [status, kind] of kinds) {
      const error = await failureOf([answer(status, { code: 'c', message: 'm' })]);
      assert.deepEqual([error.status, error.kind, error.code, error.message], [status, kind, 'c', 'm']);
    }
  });

  it('says whether the operation may have been done in spite of it', async () => {
    const outcomes: [Answer, boolean][] = [
      [answer(400), false],
      [answer(404), false],
      [answer(429), false],
      [answer(302), false],
      [answer(500), true],
      [answer(504), true],
      [answer(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }), true],
      [fault('ECONNREFUSED'), false],
      [fault('ENOTFOUND'), false],
      [fault('SELF_SIGNED_CERT_IN_CHAIN'), false],
      [Object.assign(fault('ETIMEDOUT'), { syscall: 'connect' }), false],
      [Object.assign(fault('ETIMEDOUT'), { syscall: 'read' }), true],
      [Object.assign(fault('EHOSTUNREACH'), { syscall: 'write' }), true],
      [fault('ECONNRESET'), true],
      [fault('UND_ERR_SOCKET', 'other side closed'), true],
      [new Error('something new'), true],
    ];
    for (const [given, mayHaveHappened] of outcomes) {
      assert.equal((await failureOf([given])).mayHaveHappened, mayHaveHappened, JSON.stringify(given));
    }
  });

  it('says so when an earlier attempt may have been done', async () => {
    const error = await failureOf([fault('ECONNRESET'), answer(403)], deletion);
    assert.deepEqual([error.kind, error.mayHaveHappened], ['forbidden', true]);
  });

  it('describes a failed connection', async () => {
    const texts: [Error, RegExp][] = [
      [fault('ECONNREFUSED'), /could not be reached: nothing answers at that address \(ECONNREFUSED\)\.$/],
      [fault('ENOTFOUND'), /could not be reached: its host name is unknown \(ENOTFOUND\)\.$/],
      [fault('UND_ERR_CONNECT_TIMEOUT'), /did not accept a connection in time/],
      [fault('UND_ERR_SOCKET'), /The connection to service\.test was closed before the response was complete/],
      [Object.assign(fault('ENETUNREACH'), { syscall: 'read' }), /was closed before the response .* \(ENETUNREACH\)/],
      [fault('DEPTH_ZERO_SELF_SIGNED_CERT'), /certificate is not trusted.*NODE_EXTRA_CA_CERTS/],
      [fault('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'), /the proxy wants a name/],
      [fault('UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling'), /the proxy refused .*\(502\)/],
      [fault('HPE_INVALID_CONSTANT'), /is not HTTP/],
      [new Error('outer', { cause: fault('ECONNRESET') }), /was closed/],
    ];
    for (const [cause, text] of texts) assert.match((await failureOf([cause])).message, text);
  });

  it('describes a body that is not an error of the interface', async () => {
    const html = { 'content-type': 'text/html' };
    const json = { 'content-type': 'application/json' };
    const page = '<html><style>p{}</style><title>413 Too large</title><script>x()</script></html>';
    const texts: [HttpResponse, RegExp][] = [
      [
        answer(413, page, html),
        /^413: the answer is a web page that begins with "413 Too large"; a log-in page or a proxy may/,
      ],
      [answer(502), /^502: the answer has no body\.$/],
      [answer(500, '{"code":"x","mess', json), /^500: the answer is broken JSON \(application\/json\)/],
      [answer(500, { error: 'x' }, json), /^500: the answer is JSON of another shape/],
      [answer(500, [1], json), /JSON of another shape/],
      [answer(500, 'null', json), /JSON of another shape/],
      [answer(500, '\u0000\u0007\ufffd', {}), /no content type/],
    ];
    for (const [given, text] of texts) assert.match((await failureOf([given])).message, text);
  });

  it('has the message of the service, whatever the content type', async () => {
    const error = await failureOf([
      answer(404, { code: 'c', message: 'no such thing' }, { 'content-type': 'text/plain' }),
    ]);
    assert.equal(error.message, 'no such thing');
  });

  it('is not about what a path names that the service only repeats', async () => {
    const missing = get('look', ['things', 'one', 'deep'], () => undefined);
    const said: [message: string, kind: string, isNamed: boolean][] = [
      ['Route GET:/base/things/one/deep?q=1 not found', 'unsupported', false],
      ['Cannot GET /things/one/deep', 'unsupported', false],
      ['There is no thing one.', 'notFound', true],
      ['GET /things/one/deep: one does not exist', 'notFound', true],
    ];
    for (const [message, kind, isNamed] of said) {
      const error = await failureOf([answer(404, { message })], { ...missing, notFoundIsMissing: true });
      assert.deepEqual([error.kind, error.namesSubject], [kind, isNamed], message);
    }
  });

  it('names the time that the service asks to wait', async () => {
    const error = await failureOf([answer(429, { code: 'c', message: 'too fast.' }, { 'retry-after': '90' })], read);
    assert.deepEqual(error.sentences, ['too fast (c).', 'The service asks to wait 90 s.']);
  });

  it('is the result of every redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { requests, sent } = requestsOver([answer(status, '', { location: 'https://other.test/' })]);
      await assert.rejects(requests.run(read), /redirect/);
      assert.equal(sent.length, 1);
    }
  });

  it('is bounded, however much the service says', async () => {
    const long = 'x'.repeat(100_000);
    const error = await failureOf([
      answer(
        400,
        {
          code: long,
          message: long,
          details: Array.from({ length: 50_000 }, (_, at) => ({ code: long.slice(0, 5), message: `detail ${at}` })),
          inner_error: { code: long, message: long },
        },
        { 'x-request-id': long },
      ),
    ]);
    assert.equal(error.details.length, 20);
    assert.equal(error.message.length, 2001);
    for (const text of [error.code, error.requestId, error.innerError?.code]) assert.equal(text?.length, 201);
    assert.equal(error.innerError?.message?.length, 2001);
    const page = await failureOf([answer(502, `<p>${long}`, { 'content-type': long })]);
    assert.ok(page.message.length < 500);
    const wrong = await failureOf([answer(200, { [long]: 1 })], { ...read, read: ({ bytes }) => tagsOf(bytes) });
    assert.ok(wrong.message.length < 2200);
  });

  it('is made in linear time: the worst body of 1 MB takes less than 50 ms', () => {
    const context = {
      operation: 'read',
      isRead: true,
      notFoundIsMissing: false,
      about: '',
      aboutPath: '/things',
      host: 'service.test',
      clean: (text: string) => redact(text, ['secret']),
    };
    const parts = ['<', '<a', '<script', '<script </script ', '</style', ' ', '-eyJaaaaaaaa'];
    for (const part of parts) {
      const text = repeated(part);
      assert.ok(
        isQuick(() => statusError(answer(500, text), context)),
        part,
      );
      const json = answer(400, { message: text });
      assert.ok(
        isQuick(() => statusError(json, context)),
        part,
      );
    }
    const details = answer(400, { message: '', details: Array.from({ length: 20_000 }, () => ({ message: 'a b c' })) });
    assert.ok(isQuick(() => statusError(details, context)));
  });
});

function tagsOf(bytes: Uint8Array): unknown {
  return texts({ tags: JSON.parse(new TextDecoder().decode(bytes)) as unknown }, 'tags', 'browser');
}
