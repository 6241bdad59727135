import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/serviceErrors';
import { identifierProblem, isNamed } from '../../../src/service/identifier';
import { downloadPublished } from '../../../src/service/operations/extensionOperations';
import { get } from '../../../src/service/operations/operation';
import { jsonOf } from '../../../src/service/decode/answer';
import { answer, requestsOver } from './scriptedService';

const WRONG = ['a/b', 'a?b', 'a#b', 'a b', 'a\\b', 'a\u0000', 'a\n', 'x'.repeat(300), '.', '..', ''];

describe('an id or a name', () => {
  it('has at most 255 characters and none that would change a path', () => {
    for (const text of ['brw-1', 'team.profile_2', 'é', 'x'.repeat(255), 'a%2Fb', 'a:b@c']) {
      assert.equal(identifierProblem(text), undefined, text);
    }
    for (const text of WRONG) assert.match(identifierProblem(text) ?? '', /id or a name/, text);
    assert.match(identifierProblem('a/b') ?? '', /255 characters, without spaces/);
    assert.ok((identifierProblem('x'.repeat(300)) ?? '').length < 250);
  });

  it('stands for what has it', () => {
    const browser = { id: 'brw-1', name: 'one' };
    assert.deepEqual(
      ['brw-1', 'one', 'brw-2', ''].map((text) => isNamed(browser, text)),
      [true, true, false, false],
    );
    assert.ok(!isNamed({ id: 'brw-1', name: null }, 'null'));
  });

  it('is checked before any request', async () => {
    for (const text of WRONG) {
      const { requests, sent } = requestsOver([answer(200, {})]);
      const failing = requests.run(get('getProfile', ['profiles', text], jsonOf));
      await assert.rejects(failing, (error) => error instanceof ServiceError && error.kind === 'badRequest');
      assert.equal(sent.length, 0);
    }
  });
});

describe('an operation that the service does not have', () => {
  const list = { ...get('listBrowsers', ['browsers'], jsonOf), notFoundIsMissing: true };

  it('is found out once: by 404 of a list, by 405 and by 501 of anything', async () => {
    for (const [status, operation] of [
      [404, list],
      [405, get('getBrowser', ['browsers', 'a'], jsonOf)],
      [501, get('screenshot', ['browsers', 'a'], jsonOf)],
    ] as const) {
      const { requests, sent } = requestsOver([answer(status, { code: 'not_found', message: 'not shown' })]);
      for (let count = 0; count < 3; count++) {
        await assert.rejects(requests.run(operation), { kind: 'unsupported', status, message: 'not shown' });
      }
      assert.equal(sent.length, 1, String(status));
      assert.equal(requests.known(operation.name), 'missing');
      requests.forgetMissing();
      await assert.rejects(requests.run(operation), { kind: 'unsupported' });
      assert.equal(sent.length, 2);
    }
  });

  it('is not assumed for a 404 after an answer, as of a proxy during a deployment', async () => {
    const { requests, sent } = requestsOver([answer(200, []), answer(404, 'default backend'), answer(200, [])]);
    await requests.run(list);
    await assert.rejects(requests.run(list), { kind: 'notFound', status: 404 });
    assert.equal(requests.known(list.name), 'there');
    await requests.run(list);
    assert.equal(sent.length, 3);
  });

  it('is not assumed for a 404 of an extension that the store does not have', async () => {
    const { run } = requestsOver([answer(404, { message: 'The extension was not found.' }), answer(200, 'zip')]);
    const download = downloadPublished('https://store.test/one');
    await assert.rejects(run(download), { kind: 'notFound' });
    assert.equal(new TextDecoder().decode(await run(download)), 'zip');
  });

  it('is not assumed for a 404 of one resource, nor for a project that does not exist', async () => {
    const { requests } = requestsOver([answer(404, { code: 'not_found', message: 'no such browser' })]);
    await assert.rejects(requests.run(get('getBrowser', ['browsers', 'a'], jsonOf)), { kind: 'notFound' });
    const other = requestsOver([answer(404, { code: 'project_not_found', message: 'no such project' })]);
    await assert.rejects(other.requests.run(list), { kind: 'badRequest' });
  });

  it('is asked for by one request, however many want the list at the same time', async () => {
    const { requests, sent } = requestsOver([answer(404, { code: 'not_found', message: 'not shown' })]);
    const entry = {
      name: 'listBrowsers',
      path: ['browsers'],
      query: {},
      item: (value: unknown) => ({ id: String(value) }),
    };
    const all = await Promise.allSettled([1, 2, 3].map(() => requests.page(entry, 0)));
    assert.deepEqual(
      all.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(sent.length, 1);
  });
});
