import assert from 'node:assert/strict';
import { EndRequests, endSignals } from '../../../src/programs/endSignals';

describe('the signals that end a program', () => {
  it('are those of a terminal where it has one, and Ctrl+Break on Windows', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      assert.deepEqual(endSignals({ platform, isTerminal: true }), ['SIGINT', 'SIGTERM', 'SIGHUP']);
      assert.deepEqual(endSignals({ platform, isTerminal: false }), ['SIGINT', 'SIGTERM'], 'as with nohup');
    }
    assert.deepEqual(endSignals({ platform: 'win32', isTerminal: true }), ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']);
  });

  it('end it once although npm passes them on, too, and at once for who asks again later', () => {
    let now = 5;
    const requests = new EndRequests(() => now);
    assert.equal(requests.add(), 'begin');
    now += 3;
    assert.equal(requests.add(), 'same');
    now += 2000;
    assert.equal(requests.add(), 'force');
  });
});
