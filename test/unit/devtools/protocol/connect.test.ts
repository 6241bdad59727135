import assert from 'node:assert/strict';
import { connectDevTools, onDisconnected, type Connection } from '../../../../src/devtools/protocol/connect';
import { attach } from '../../../../src/devtools/protocol/attach';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { IN_MEMORY } from '../../../support/devToolsAddress';

describe('the end of a connection', () => {
  let browser: ScriptedBrowser;
  let connection: Connection;
  let calls: string[];

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    browser.show('page', 'https://site.test/');
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    calls = [];
  });

  afterEach(() => {
    browser.close();
  });

  it('reaches each listener once, also that of a session', async () => {
    const session = await attach(connection, 'page');
    assert.ok(session);
    onDisconnected(connection, () => calls.push('connection'));
    onDisconnected(session, () => calls.push('session'));
    browser.lose();
    browser.close();
    assert.deepEqual(calls.toSorted(), ['connection', 'session']);
  });

  it('is not told to who has taken that back', () => {
    const takeBack = onDisconnected(connection, () => calls.push('taken back'));
    onDisconnected(connection, () => calls.push('other'));
    takeBack();
    takeBack();
    browser.lose();
    assert.deepEqual(calls, ['other']);
  });
});
