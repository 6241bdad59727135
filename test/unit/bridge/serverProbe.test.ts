import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fieldOf } from '../../../src/base/fields';
import { whenListening } from '../../../src/bridge/serverProbe';
import { TestClock } from '../../support/testClock';

describe('a server that was not there', () => {
  it('is found when it listens again, and no longer looked for after the end', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = Number(fieldOf(server.address(), 'port'));
    server.close();
    await once(server, 'close');
    const clock = new TestClock();
    const end = new AbortController();
    let isFound = false;
    const found = whenListening(port, { host: '127.0.0.1', clock, signal: end.signal }).then(() => (isFound = true));
    await clock.advance(2000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isFound, false);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await clock.run(found);
    assert.equal(isFound, true);
    server.close();
    const ended = whenListening(port, { host: '127.0.0.1', clock, signal: end.signal });
    end.abort(new Error('ended'));
    await assert.rejects(ended);
  });
});
