import assert from 'node:assert/strict';
import { sentenceFor } from '../../src/editor/messages';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import type { Logger } from '../../src/service/logger';
import { DocumentService, type DocumentFault } from '../standins/documentService';

const SILENT: Logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** An Error body with everything that the interface document knows. */
const WHOLE_ERROR = {
  code: 'bad_request',
  message: 'The archive was refused.',
  details: [
    { code: 'invalid_input', message: 'extensions[0] has no manifest.json' },
    { code: 'invalid_input', message: 'extensions[1] is not a zip archive' },
  ],
  inner_error: { code: 'unzip', message: 'unexpected end' },
};

const TEXT = 'Said by the service';

/** What the user reads about an answer: by status and body. */
const ANSWERS: readonly [what: string, fault: DocumentFault, sentence: RegExp][] = [
  [
    '400 with two details and an inner error',
    { status: 400, body: WHOLE_ERROR },
    /refused the request: The archive was refused \(bad_request\)\. extensions\[0\] has no manifest\.json \(invalid_input\)\. extensions\[1\] is not a zip archive \(invalid_input\)\. unexpected end \(unzip\)\.$/,
  ],
  [
    '401',
    { status: 401, body: error('unauthorized') },
    /did not accept the token \(Said .* Run "Sideload: Set Token…"/,
  ],
  [
    '403',
    { status: 403, body: error('plan') },
    /forbids this: Said by the service \(plan\)\. The token .* or the plan/,
  ],
  [
    '404',
    { status: 404, body: error('not_found') },
    /^Not found: Said by the service \(not_found\)\. It may have been/,
  ],
  ['409', { status: 409, body: error('conflict') }, /^Said by the service \(conflict\)\. Choose another name\.$/],
  ['413', { status: 413, body: error('too_large') }, /too large \(Said .* sideload\.exclude/],
  ['429', { status: 429, body: error('slow_down') }, /^Rate limit reached: Said .* Try again later\.$/],
  [
    '429 with the time to wait',
    { status: 429, body: error('slow_down'), headers: { 'retry-after': '7' } },
    /^Rate limit reached: Said by the service \(slow_down\)\. The service asks to wait 7 s\. Try again later\.$/,
  ],
  ['500', { status: 500, body: error('internal') }, /The service failed: Said by the service \(internal\)\. Try again/],
  ['500 without a body', { status: 500 }, /500: the answer has no body\. Try again/],
  [
    '400 that is no JSON',
    { status: 400, body: '{"code": ', type: 'application/json' },
    /400: the answer is broken JSON/,
  ],
  [
    'a log-in page with 200',
    { status: 200, body: '<html><title>Log in</title>Company network</html>', type: 'text/html' },
    /a web page that begins with "Log in ?Company network"; a log-in page or a proxy .* Check the address/,
  ],
  [
    'a redirect',
    { status: 302, headers: { location: 'http://127.0.0.1:9/steal' } },
    /redirect \(302\), which is not followed because the token would be sent along\. Check the address of the service\.$/,
  ],
  [
    'a body that is cut off',
    { status: 400, isCut: true },
    /was closed before the response was complete .* Check the connection/,
  ],
];

describe('a service with the five operations of the interface document', () => {
  let service: DocumentService;
  let client: ServiceClient;

  beforeEach(async () => {
    service = await DocumentService.start();
    client = clientOf(service);
  });

  afterEach(async () => {
    await client.close();
    await service.stop();
  });

  it('does each of the five, whatever the status of success', async () => {
    for (const success of [200, 201, 202] as const) {
      service.options = { success };
      const zip = new Uint8Array([1, 2, 3]);
      await client.uploadExtensionsToBrowser('brw-1', [
        { name: 'one', zip },
        { name: 'two', zip },
      ]);
      assert.deepEqual(
        service.uploads.at(-1)?.map(({ name, zip: sent }) => [name, sent.length]),
        [
          ['one', 3],
          ['two', 3],
        ],
      );
      await client.scroll('brw-1', { x: 1, y: 2, deltaY: 3 });
      assert.deepEqual(service.scrolls.at(-1), { x: 1, y: 2, delta_y: 3 });
      const created = await client.createProfile(`team-${success}`);
      assert.equal((await client.getProfile(`team-${success}`)).id, created?.id);
      service.stored.add('old');
      await client.deleteExtension('old');
      assert.equal(service.stored.size, 0);
    }
    assert.equal(service.count(/^GET \/(browsers|extensions|profiles\?)/), 0);
  });

  it('may answer without a body where the document shows none, and describe a profile by its id alone', async () => {
    service.options = { success: 204, bareProfiles: true };
    await client.uploadExtensionsToBrowser('brw-1', [{ name: 'one', zip: new Uint8Array([1]) }]);
    await client.scroll('brw-1', { x: 0, y: 0 });
    assert.equal(await client.createProfile('quiet'), undefined);
    assert.deepEqual(await client.getProfile('quiet'), { id: 'prf-1', name: 'quiet' });
  });

  it('has done what it says that it has done, also when the connection ends within its answer', async () => {
    for (const operation of ['uploadExtensionsToBrowser', 'scroll', 'deleteExtension', 'createProfile'] as const) {
      service.faults.set(operation, { status: 201, isCut: true });
    }
    await client.uploadExtensionsToBrowser('brw-1', [{ name: 'one', zip: new Uint8Array([1]) }]);
    await client.scroll('brw-1', { x: 0, y: 0 });
    await client.deleteExtension('old');
    await assert.rejects(client.createProfile('team'), { kind: 'unreachable' });
  });

  it('has browsers of which nothing but the id is known, and is asked for it once', async () => {
    for (let count = 0; count < 3; count++) {
      assert.deepEqual(await client.findBrowser('brw-1'), { id: 'brw-1', devToolsUrl: '' });
    }
    assert.equal(service.count(/^GET \/browsers\/brw-1/), 1);
    assert.equal(service.count(/^GET \/browsers\?/), 1);
    assert.ok(client.lacks('listBrowsers'));
    await assert.rejects(client.screenshot('brw-1'), { kind: 'unsupported' });
    await assert.rejects(client.screenshot('brw-1'), { kind: 'unsupported' });
    assert.equal(service.count(/screenshot/), 1);
  });

  it('is not taken for one without the browser when it repeats the path of an operation that it does not have', async () => {
    service.options = { missing: 'Cannot {path}' };
    assert.deepEqual(await client.findBrowser('brw-1'), { id: 'brw-1', devToolsUrl: '' });
    await assert.rejects(client.screenshot('brw-1'), { kind: 'unsupported', operation: 'screenshot' });
  });

  it('starts no browsers, which is found out by one request for the list', async () => {
    for (let count = 0; count < 2; count++) {
      await assert.rejects(client.createBrowser({}), { kind: 'unsupported', operation: 'createBrowser' });
    }
    assert.deepEqual(service.requests, ['POST /browsers', 'GET /browsers?limit=100&offset=0']);
  });

  it('stores no extensions, which is found out by the first try to store one', async () => {
    const store = (): Promise<unknown> => client.uploadExtension(new Uint8Array([1]), 'old');
    for (let count = 0; count < 2; count++) {
      await assert.rejects(store(), { kind: 'unsupported', operation: 'uploadExtension' });
    }
    assert.deepEqual(service.requests, ['POST /extensions']);
  });

  it('that does not have a browser says so for the documented operations', async () => {
    assert.ok(await client.findBrowser('brw-9'));
    await assert.rejects(client.scroll('brw-9', { x: 0, y: 0 }), {
      kind: 'notFound',
      message: 'There is no browser brw-9.',
    });
  });

  it('that lists no profiles and stored extensions has only the documented operations on them, unless an answer names one', async () => {
    for (const list of [client.pageOfProfiles({}, 0), client.pageOfExtensions({}, 0)]) {
      await assert.rejects(list, { kind: 'unsupported' });
    }
    await assert.rejects(client.deleteProfile('team'), { kind: 'unsupported', operation: 'deleteProfile' });
    await assert.rejects(client.downloadExtension('old'), { kind: 'unsupported', operation: 'downloadExtension' });
    await assert.rejects(client.getProfile('team'), { kind: 'notFound' });
    await assert.rejects(client.deleteExtension('old'), { kind: 'notFound' });
    service.faults.set('*', { status: 404, body: { code: 'not_found', message: 'There is no profile team.' } });
    await assert.rejects(client.renameProfile('team', 'crew'), { kind: 'notFound' });
  });

  for (const records of ['id', 'session_id'] as const) {
    it(`may list browsers by records with nothing but ${records}`, async () => {
      await service.stop();
      service = await DocumentService.start({ records });
      await client.close();
      client = clientOf(service);
      const { items } = await client.pageOfBrowsers({}, 0);
      assert.deepEqual(items, [{ id: 'brw-1', devToolsUrl: '' }]);
      assert.deepEqual(await client.findBrowser('brw-1'), items[0]);
      assert.equal(await client.findBrowser('brw-9'), undefined);
    });
  }

  for (const [what, fault, sentence] of ANSWERS) {
    it(`is understood when it answers ${what}`, async () => {
      service.faults.set('createProfile', fault);
      const failed = await client.createProfile('team').then(
        () => assert.fail('it succeeded'),
        (reason: unknown) => reason,
      );
      assert.ok(failed instanceof ServiceError);
      const said = sentenceFor(failed) ?? '';
      assert.match(said, sentence);
      assert.doesNotMatch(said, /call \w+_extension|list_extension_browsers/);
      assert.equal(service.count(/^POST \/profiles/), 1);
    });
  }

  it('is not said to have refused an id that it was never asked about', async () => {
    for (const id of ['a/b', 'a?b', 'a#b', 'a b', 'a\u0007b', 'x'.repeat(300)]) {
      const failed: unknown = await client.getProfile(id).catch((reason: unknown) => reason);
      assert.match(sentenceFor(failed) ?? '', /^"[^"]+" is not an id or a name: those have at most 255 characters/);
    }
    assert.deepEqual(service.requests, []);
  });

  it('that has done something and describes it in another way is not said to have failed', async () => {
    service.faults.set('createProfile', { status: 201, body: '{"profile":{"id":"p"}}' });
    await assert.rejects(client.createProfile('team'), {
      kind: 'invalidAnswer',
      mayHaveHappened: true,
      message: /says that it has done this \(201\).* profile\.id of the JSON type string is missing\. Look whether/,
    });
  });
});

function clientOf(service: DocumentService): ServiceClient {
  return new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: SILENT });
}

function error(code: string): { code: string; message: string } {
  return { code, message: TEXT };
}

function ignore(): void {
  // Nothing is logged.
}
