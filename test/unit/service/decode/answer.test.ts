import assert from 'node:assert/strict';
import { bytesOf, expectNoContent, pngOf } from '../../../../src/service/decode/answer';
import type { Operation } from '../../../../src/service/operations/operation';
import type { HttpResponse } from '../../../../src/service/wire/http';
import { answer, change, failureOf, read, requestsOver } from '../scriptedService';

describe('a successful response', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };

  it('may have any status 2xx, and any content type when it is JSON', async () => {
    for (const status of [200, 201, 202, 299]) {
      const { requests } = requestsOver([answer(status, [1], { 'content-type': 'text/plain' })]);
      assert.deepEqual(await requests.run(read), [1]);
    }
    await requestsOver([answer(204)]).requests.run(change);
    await requestsOver([answer(201, 'created', { 'content-type': 'text/plain' })]).requests.run(change);
  });

  it('is an error when it is a web page, empty or broken', async () => {
    const page = answer(200, '<h1>Log in to the network</h1>', html);
    const operations: [Operation<unknown>, HttpResponse][] = [
      [read, page],
      [read, answer(200)],
      [read, answer(200, '{"id": "p', { 'content-type': 'application/json' })],
      [{ ...change, read: expectNoContent }, page],
      [{ ...read, read: bytesOf }, page],
      [{ ...read, read: pngOf }, page],
      [{ ...read, read: pngOf }, answer(200, 'no picture', { 'content-type': 'image/png' })],
    ];
    for (const [operation, given] of operations) {
      const error = await failureOf([given], operation);
      assert.deepEqual([error.kind, error.status], ['invalidAnswer', 200]);
      assert.match(error.message, /does not conform to its interface: the answer (is|has) /);
    }
  });
});
