import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/serviceErrors';
import { silentLogger } from '../../../src/service/logger';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse, request: Seen, count: number) => void;

const TOKEN = 'token-of-the-test';
/** Three attempts like the default, without its pauses. */
const RETRY = { attempts: 3, firstDelayMs: 1, longestDelayMs: 2 };

const PROFILE = { id: 'p1', created_at: '2026-05-01T12:00:00Z' };

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

describe('ServiceClient', () => {
  let server: Server;
  let client: ServiceClient;
  let seen: Seen[] = [];
  let answer: Answer;

  beforeEach((done) => {
    seen = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const entry = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString('latin1'),
        };
        seen.push(entry);
        answer(response, entry, seen.length);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      client = new ServiceClient({
        baseUrl: new URL(`http://127.0.0.1:${port}`),
        token: TOKEN,
        log: silentLogger,
        retry: RETRY,
      });
      done();
    });
  });

  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** The ServiceError that `promise` rejects with. */
  async function failure(promise: Promise<unknown>): Promise<ServiceError> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }

  it('uploads extensions in one request, each with its name before its archive', async () => {
    answer = (response) => response.writeHead(201).end();
    await client.uploadExtensionsToBrowser('id+1é', [
      { name: 'one', zip: Buffer.from('PK-one') },
      { name: 'two', zip: Buffer.from('PK-two') },
    ]);
    const [request] = seen;
    assert.equal(seen.length, 1);
    assert.equal(`${request?.method} ${request?.url}`, 'POST /browsers/id%2B1%C3%A9/extensions');
    assert.equal(request?.headers.authorization, `Bearer ${TOKEN}`);
    const names = [...(request?.body ?? '').matchAll(/name="([^"]+)"(?:; filename="([^"]+)")?/g)].map(
      ([, name, file]) => `${name} ${file ?? ''}`.trim(),
    );
    assert.deepEqual(names, [
      'extensions[0][name]',
      'extensions[0][zip_file] one.zip',
      'extensions[1][name]',
      'extensions[1][zip_file] two.zip',
    ]);
    assert.ok(Number(request?.headers['content-length']) > 0);
  });

  it('lets the local service leave the load of extensions to the caller', async () => {
    answer = (response) => response.writeHead(201).end();
    const uploads = [{ name: 'one', zip: Buffer.from('PK') }];
    await client.uploadExtensionsToBrowser('b', uploads, undefined, undefined, 'without');
    assert.equal(seen[0]?.url, '/browsers/b/extensions?restart=without');
  });

  it('sends an upload once, whatever the response', async () => {
    for (const respond of [
      (response: ServerResponse) => response.writeHead(503).end(),
      (response: ServerResponse) => response.socket?.destroy(),
    ]) {
      seen = [];
      answer = respond;
      await failure(client.uploadExtensionsToBrowser('b', [{ name: 'x', zip: Buffer.from('PK') }]));
      assert.equal(seen.length, 1);
    }
  });

  it('retries a read after a transient failure and respects Retry-After', async () => {
    answer = (response, _request, count) => {
      if (count === 1) json(response, 429, { code: 'rate_limited', message: 'slow down' }, { 'retry-after-ms': '30' });
      else if (count === 2) response.socket?.destroy();
      else json(response, 200, PROFILE);
    };
    assert.equal((await client.getProfile('p1')).id, 'p1');
    assert.equal(seen.length, 3);
  });

  it('accepts a 404 for a repeated deletion, but not for the first one', async () => {
    answer = (response, _request, count) => {
      if (count === 1) json(response, 502, { code: 'x', message: 'bad gateway' }, { 'retry-after-ms': '1' });
      else json(response, 404, { code: 'not_found', message: 'no such profile' });
    };
    await client.deleteProfile('p1');
    answer = (response) => {
      json(response, 404, { code: 'not_found', message: 'no such profile' });
    };
    const error = await failure(client.deleteProfile('p1'));
    assert.equal(error.kind, 'notFound');
  });

  it('reads a list page by page, even if the next offset never grows', async () => {
    answer = (response, request) => {
      const offset = Number(new URL(request.url, 'http://x').searchParams.get('offset'));
      const items = [0, 1].map((index) => ({ ...PROFILE, id: `p${offset + index}` }));
      json(response, 200, offset < 6 ? items : [], { 'x-has-more': 'true', 'x-next-offset': '2' });
    };
    const ids: string[] = [];
    for await (const profile of client.listProfiles()) ids.push(profile.id);
    assert.deepEqual(ids, ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
  });

  it('keeps the details of an error', async () => {
    answer = (response) => {
      json(response, 400, {
        code: 'bad_request',
        message: 'invalid extension',
        details: [{ code: 'invalid_input', message: 'Manifest is not valid JSON.' }],
        inner_error: { message: 'exit 1' },
      });
    };
    const error = await failure(client.createProfile('a'));
    assert.deepEqual([error.kind, error.status, error.code], ['badRequest', 400, 'bad_request']);
    assert.deepEqual(error.reasons, ['Manifest is not valid JSON.', 'exit 1']);
  });

  it('describes an error that is a page of a proxy, is empty, or is a redirect, which it does not follow', async () => {
    answer = (response) => response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>');
    const html = await failure(client.createProfile('a'));
    assert.equal(html.kind, 'tooLarge');
    assert.match(html.message, /a web page that begins with "Too large"/);
    answer = (response) => response.writeHead(400).end();
    assert.match((await failure(client.createProfile('a'))).message, /no body/);
    answer = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    assert.match((await failure(client.getProfile('p1'))).message, /redirect/);
  });

  it('names the field of a response that does not conform to the interface', async () => {
    answer = (response) => {
      json(response, 200, [{ name: 'p1' }]);
    };
    const first = client.listProfiles()[Symbol.asyncIterator]();
    const error = await failure(first.next());
    assert.equal(error.kind, 'invalidAnswer');
    assert.match(error.message, /listProfiles\[0\]\.id of the JSON type string is missing/);
  });

  it('rejects at once with the reason of the signal when aborted', async () => {
    const abort = new AbortController();
    answer = () => {
      abort.abort(new Error('enough'));
    };
    await assert.rejects(client.getProfile('p1', abort.signal), /enough/);
    assert.equal(seen.length, 1);
  });

  it('removes the token from an error that contains it', async () => {
    answer = (response) => {
      json(response, 401, {
        code: 'unauthorized',
        message: `bad token ${TOKEN}`,
        details: [{ message: `Bearer ${TOKEN}` }],
        inner_error: { message: `token ${TOKEN}` },
      });
    };
    const error = await failure(client.getProfile('p1'));
    assert.equal(error.kind, 'unauthorized');
    assert.doesNotMatch(JSON.stringify([error.message, error.reasons, error.stack]), new RegExp(TOKEN));
  });

  /** A client of the same server for a project. */
  const inProject = (project: string): ServiceClient =>
    new ServiceClient({ baseUrl: client.baseUrl, token: TOKEN, project, log: silentLogger, retry: RETRY });

  it('names the project in each request, and only when there is one', async () => {
    answer = (response) => json(response, 200, PROFILE);
    const project = inProject('my project');
    await project.getProfile('p1');
    await client.getProfile('p1');
    await project.close();
    assert.deepEqual(
      seen.map(({ headers }) => headers['x-kernel-project']),
      ['my project', undefined],
    );
  });

  it('reports the smaller limit of account and project, where it has one', async () => {
    const account = { max_concurrent_sessions: 10, default_project_max_concurrent_sessions: 4 };
    let ofProject: number | null = null;
    answer = (response, { url }) =>
      json(response, 200, url.includes('/projects/') ? { max_concurrent_sessions: ofProject } : account);
    // The default project may have a limit of its own, which is not known.
    assert.equal(await client.concurrencyLimit(), 10);
    const project = inProject('p+1');
    assert.equal(await project.concurrencyLimit(), 4);
    ofProject = 2;
    assert.equal(await project.concurrencyLimit(), 2);
    await project.close();
    assert.deepEqual(new Set(seen.map(({ url }) => url)), new Set(['/org/limits', '/org/projects/p%2B1/limits']));
  });

  it('reports the limit of the account where the service has no answer for the project, and the other way round', async () => {
    const limits = { max_concurrent_sessions: 10, default_project_max_concurrent_sessions: 4 };
    let refused = '/projects/';
    answer = (response, { url }) =>
      url.includes(refused) ? json(response, 403, { code: 'forbidden', message: 'no' }) : json(response, 200, limits);
    const project = inProject('p1');
    assert.equal(await project.concurrencyLimit(), 10);
    refused = '/org/limits';
    assert.equal(await project.concurrencyLimit(), 10);
    refused = '/org/';
    assert.equal((await failure(project.concurrencyLimit())).kind, 'forbidden');
    await project.close();
  });

  it('does not take a project that is not found for a thing that is gone', async () => {
    answer = (response) => json(response, 404, { code: 'project_not_found', message: 'no such project' });
    const error = await failure(client.getBrowser('s1'));
    assert.equal(error.kind, 'badRequest');
    assert.equal(error.code, 'project_not_found');
  });

  it('distinguishes an unreachable service from one that fails', async () => {
    const gone = new ServiceClient({ baseUrl: new URL('http://127.0.0.1:1'), token: TOKEN, log: silentLogger });
    const error = await failure(gone.createProfile('a'));
    assert.equal(error.kind, 'unreachable');
    await gone.close();
  });
});
