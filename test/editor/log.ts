// Covers: src/editor/channelLog.ts, src/editor/plainText.ts, src/service/redact.ts, src/editor/commandRegistry.ts
import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { COMMANDS } from '../../src/ids';
import { TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { SideloadLog } from '../extensionHost/sideloadLog';
import { leaveService, useService } from '../extensionHost/editorBrowser';
import { FakeService } from '../standins/fakeService';

/** What the log has in front of an entry of that moment, in local time. */
function stamp(level: string): string {
  const [day, time] = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split('T');
  return `${day} ${time?.slice(0, -1)} [${level}] `;
}

describe('the log, beside a hostile service', () => {
  const token = process.env[TOKEN_VARIABLE] ?? assert.fail('the suite has started no service');
  let service: FakeService;

  before(async () => {
    service = await FakeService.start(token);
    await useService(service.baseUrl);
  });
  after(async () => {
    await leaveService();
    await service.stop();
  });

  it('has no entry that the service has written, no line that reads backwards, and no token', async () => {
    const breaks = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085\n', '\u000b\n'];
    const forged = breaks.map((end, at) => `${end}${stamp('error')}forged ${at}`).join('');
    service.fault = { status: 400, message: `refused${forged}\u202e\u001b[2J with ${token}, is the end` };
    const log = await SideloadLog.fromNow();
    // It asks the service, and says in the log why it has failed.
    await commands.executeCommand(COMMANDS.deleteBrowser);
    await log.find(/^sideload\.deleteBrowser: .*refused/);
    for (let at = 0; at < breaks.length; at++) assert(log.text.includes(`forged ${at}`), `${at} of ${log.text}`);
    assert.deepEqual(
      log.lines.filter((line) => line.startsWith('forged')),
      [],
    );
    assert.match(log.text, /^ {4}.*forged 0/m);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    assert.doesNotMatch(log.text, /[\u202e\u001b\u2028\u2029\r\u000b\u0085]/);
    assert(log.text.includes('is the end'), log.text);
    assert(!log.text.includes(token), 'the token is in the log');
  });
});
