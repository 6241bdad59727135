import assert from 'node:assert/strict';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import type { ConnectionTransport } from 'puppeteer-core/internal/common/ConnectionTransport.js';
import { numberField } from '../../../../src/base/fields';
import { refusalOf } from '../../../../src/local/chromium/chromium';

describe('an extension that is not loaded', () => {
  /** What a command fails with, whose answer is `answer`, if there is one. */
  async function failure(answer?: object): Promise<unknown> {
    const transport: ConnectionTransport = {
      send: (message) => {
        const command: unknown = JSON.parse(message);
        const id = numberField(command, 'id');
        if (answer) queueMicrotask(() => transport.onmessage?.(JSON.stringify({ id, ...answer })));
      },
      close: () => undefined,
    };
    const connection = new Connection('', transport, 0, 1);
    return connection.send('Extensions.loadUnpacked', { path: '/x' }).catch((error: unknown) => error);
  }

  it('was refused with the text of Chromium', async () => {
    const refused = await failure({ error: { code: -32_000, message: 'Manifest is not valid JSON. (1)' } });
    assert.equal(refusalOf(refused)?.message, 'Manifest is not valid JSON. (1)');
  });

  it('was not refused by a browser that did not answer in time', async () => {
    const late = await failure();
    assert.match(String(late), /timed out/);
    assert.equal(refusalOf(late), undefined);
  });
});
