import assert from 'node:assert/strict';
import { ageText } from '../../../../src/editor/lists/labels';
import { browserNode, extensionNode, profileNode } from '../../../../src/editor/lists/nodes';
import { itemOf } from '../../../../src/editor/lists/row';
import type { BrowserSession } from '../../../../src/service/model';

const NOW = Date.parse('2026-05-01T12:00:00Z');

const SESSION: BrowserSession = {
  session_id: 'htzv5orfit78e1m2biiifpbv',
  created_at: '2026-05-01T11:57:30Z',
  cdp_ws_url: 'wss://proxy.example/cdp?jwt=secret',
  webdriver_ws_url: 'wss://proxy.example/wd?jwt=secret',
  browser_live_view_url: 'https://live.example/?jwt=secret',
  headless: true,
  stealth: false,
  timeout_seconds: 60,
};

describe('rows', () => {
  it('show state, mode and age in words, also for a screen reader', () => {
    const node = browserNode({ ...SESSION, name: 'b1' }, 'target', NOW);
    assert.equal(node.label, 'b1');
    assert.equal(node.description, 'running · push target · headless · 2 min');
    assert.equal(node.spoken, 'Browser b1, running, push target, headless, 2 minutes');
    assert.equal(node.id, SESSION.session_id);
  });

  it('of pinned browsers say so in words, and offer to unpin', () => {
    const node = browserNode({ ...SESSION, name: 'b1' }, 'pinned', NOW);
    assert.equal(node.description, 'running · pinned push target · headless · 2 min');
    assert.equal(node.spoken, 'Browser b1, running, pinned push target, headless, 2 minutes');
    assert.notEqual(node.contextValue, browserNode(SESSION, 'none', NOW).contextValue);
    assert.equal(itemOf(node, 'browser')?.name, 'b1');
  });

  it('stay short, however long the names of the service are', () => {
    const long = 'x'.repeat(100_000);
    const profile = { id: 'p', created_at: SESSION.created_at, name: long };
    const extension = { id: 'e', created_at: SESSION.created_at, size_bytes: 1, name: long };
    for (const { label, description, tooltip, spoken } of [
      browserNode({ ...SESSION, name: long, profile }, 'none', NOW),
      profileNode(profile, NOW),
      extensionNode(extension, NOW),
    ]) {
      assert.equal(label.length, 256);
      for (const text of [description, tooltip, spoken]) assert.ok(text.length < 1000, `${text.length} characters`);
    }
  });

  it('hold no address that carries a credential outside their item', () => {
    const { item: _item, ...shown } = browserNode(SESSION, 'none', NOW);
    assert.doesNotMatch(JSON.stringify(shown), /secret|wss:|live\.example/);
  });

  it('label an item without a name by its id', () => {
    assert.equal(browserNode(SESSION, 'none', NOW).label, 'htzv5orfit78');
    assert.equal(profileNode({ id: 'p1', created_at: SESSION.created_at, name: null }, NOW).label, 'p1');
    const extension = { id: 'e1', created_at: SESSION.created_at, size_bytes: 1200 };
    assert.equal(extensionNode(extension, NOW).description, '1.2 kB · 2 min old');
  });

  it('change at most once a minute', () => {
    assert.equal(ageText('2026-05-01T11:59:01Z', NOW), '<1 min');
    assert.equal(ageText('2026-05-01T12:00:30Z', NOW), '<1 min');
    assert.equal(ageText('2026-05-01T09:30:00Z', NOW), '2 h');
    assert.equal(ageText('2026-04-28T12:00:00Z', NOW), '3 d');
  });
});
