import assert from 'node:assert/strict';
import { pausedRequestOf } from '../../../src/bridge/pausedRequest';
import { RequestLog } from '../../../src/bridge/requestLog';
import { TestClock } from '../../support/testClock';

describe('the requests of a bridge', () => {
  it('tell which servers listen, by their ports, also of an address without one', () => {
    const requests = new RequestLog(new TestClock());
    const ask = (url: string, outcome: number | 'refused'): void => {
      const request = pausedRequestOf({ requestId: '1', request: { url, method: 'GET' } });
      assert.ok(request);
      requests.begin(request, undefined)(outcome);
    };
    ask('http://localhost:80/', 'refused');
    ask('http://localhost:5173/', 200);
    assert.deepEqual([requests.isListening(80), requests.isListening(5173)], [false, true]);
    assert.deepEqual(requests.silent, [80]);
    ask('http://127.0.0.1/', 404);
    assert.deepEqual(requests.silent, []);
  });
});
