import assert from 'node:assert/strict';
import { endSignals } from '../../../src/programs/endSignals';

describe('the signals that end a program', () => {
  it('are those of a terminal where it has one, and Ctrl+Break on Windows', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      assert.deepEqual(endSignals({ platform, isTerminal: true }), ['SIGINT', 'SIGTERM', 'SIGHUP']);
      assert.deepEqual(endSignals({ platform, isTerminal: false }), ['SIGINT', 'SIGTERM'], 'as with nohup');
    }
    assert.deepEqual(endSignals({ platform: 'win32', isTerminal: true }), ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']);
  });
});
