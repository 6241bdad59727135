import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { TestService } from './service';

describe('the first page of a new browser', function () {
  this.timeout(60_000);

  it('need not come, since its server may be compiling or stopped', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    const service = await TestService.start();
    try {
      const url = `http://127.0.0.1:${address.port}/`;
      const { session_id: id } = await service.client.browsers.create({ start_url: url, headless: true });
      assert.equal((await service.client.browsers.retrieve(id)).deleted_at ?? null, null);
    } finally {
      server.closeAllConnections();
      server.close();
      await service.stop();
    }
  });
});
