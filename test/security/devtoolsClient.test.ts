// Covers: src/local
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { DevTools } from '../contract/devtools';
import { TestService } from '../contract/service';
import { commandFault } from '../../src/local/devtools/commandLimits';

const DEPTH = 100_000;

/** A command whose parameter is nested as deep. */
function nested(depth: number, method = 'Runtime.evaluate'): string {
  return `{"id":1,"method":"${method}","params":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
}

/** Sends one text over a connection of its own; resolves to the answer, or to the code with which the connection was closed. */
async function answerTo(url: string, text: string | Buffer): Promise<unknown> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const answered = once(socket, 'message').then(([data]) => JSON.parse(String(data)) as unknown);
  const closed = once(socket, 'close').then(([code]) => code as unknown);
  socket.send(text);
  const answer = await Promise.race([answered, closed]);
  socket.terminate();
  return answer;
}

describe('a hostile program that is a client of DevTools', function () {
  this.timeout(90_000);
  let service: TestService;
  let urls: string[];

  before(async () => {
    service = await TestService.start();
    const sessions = await Promise.all([1, 2].map(() => service.client.browsers.create({ headless: true })));
    urls = sessions.map(({ cdp_ws_url }) => cdp_ws_url);
  });
  after(() => service.stop());

  async function bothLive(): Promise<void> {
    for (const url of urls) {
      const devtools = await DevTools.connect(url);
      devtools.close();
    }
  }

  for (const depth of [301, 3000, 5000, DEPTH, 10 * DEPTH]) {
    it(`ends no browser by a command that is nested ${depth} deep`, async () => {
      const [url = ''] = urls;
      for (const method of ['Runtime.evaluate', 'Extensions.loadUnpacked', 'DOM.setFileInputFiles']) {
        const answer = (await answerTo(url, nested(depth, method))) as { error?: { code: number; message: string } };
        assert.equal(answer.error?.code, -32_700, JSON.stringify(answer));
        assert.match(answer.error.message, /nested/);
      }
      assert.match(JSON.stringify(await answerTo(url, `{"id":1,"a":"${'['.repeat(depth)}`)), /JSON/);
      await bothLive();
    });
  }

  it('is answered in short by a frame of brackets or of small values, and cut off by a longer one', async () => {
    const [url = ''] = urls;
    const mebibytes = 30;
    const bytes = mebibytes * 1024 * 1024;
    assert.match(JSON.stringify(await answerTo(url, '['.repeat(bytes))), /nested/);
    assert.match(JSON.stringify(await answerTo(url, `[${'0,'.repeat(bytes / 2)}0]`)), /values/);
    assert.equal(await answerTo(url, Buffer.alloc(49 * 1024 * 1024, '[')), 1009);
    await bothLive();
  });

  it('still sends what clients send: a long expression, and one that looks nested', async () => {
    const devtools = await DevTools.connect(urls[0] ?? '');
    const page = await devtools.attachToPage();
    const text = '[{"'.repeat(DEPTH);
    assert.equal(await page.evaluate(`${JSON.stringify(text)}.length`), text.length);
    devtools.close();
  });
});

describe('the limits of a command', () => {
  it('are its nesting and the number of its values, not what its strings contain', () => {
    const fault = (text: string): string | undefined => commandFault(Buffer.from(text));
    assert.equal(fault(nested(298)), undefined);
    assert.match(fault(nested(300)) ?? '', /nested/);
    assert.equal(fault(JSON.stringify({ a: `"\\${'[,"'.repeat(2_000_000)}` })), undefined);
    assert.equal(fault(String.raw`{"a":"\\"}`), undefined);
    assert.match(fault(`{"\\\\":${'['.repeat(400)}`) ?? '', /nested/);
    assert.match(fault(`[${'1,'.repeat(1_000_001)}`) ?? '', /values/);
  });
});
