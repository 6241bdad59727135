import assert from 'node:assert/strict';
import { ageText, secondsText } from '../../../../src/editor/lists/ages';
import {
  browserNode,
  extensionNode,
  profileNode,
  type BrowserRowState,
  type LastPush,
} from '../../../../src/editor/lists/nodes';
import { itemOf } from '../../../../src/editor/lists/row';
import type { Browser } from '../../../../src/service/model';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const MINUTE_MS = 60_000;

const CREATED = '2026-05-01T11:57:30Z';

const BROWSER: Browser = {
  id: 'htzv5orfit78e1m2biiifpbv',
  createdAt: CREATED,
  devToolsUrl: 'wss://proxy.example/cdp?jwt=secret',
  webDriverUrl: 'wss://proxy.example/wd?jwt=secret',
  headless: true,
  stealth: false,
  timeoutSeconds: 3600,
};

const RUNNING: LastPush = { state: 'running', at: NOW - MINUTE_MS, reason: '', version: '1.0.3' };
const NEW: BrowserRowState = { role: 'none', now: NOW };

describe('rows', () => {
  it('show the role first, then what the last push did, mode, age, profile and pool, also for a screen reader', () => {
    const profile = { id: 'p', createdAt: CREATED, name: 'work' };
    const node = browserNode(
      { ...BROWSER, name: 'b1', profile, pool: { id: 'l1', name: 'idle' } },
      { role: 'target', push: { ...RUNNING, name: 'Notes' }, now: NOW },
    );
    assert.equal(node.label, 'b1');
    assert.equal(
      node.description,
      'target · 1.0.3 running · 1 min ago · headless · 2 min · profile work · from the pool idle',
    );
    assert.equal(
      node.spoken,
      'Browser b1, push target, Notes 1.0.3 running, pushed 1 minute ago, headless, started 2 minutes ago, profile work, from the pool idle',
    );
    assert.equal(node.id, BROWSER.id);
  });

  it('say of each last push how it ended, and why in the tooltip', () => {
    const shown = (push?: LastPush): string | undefined =>
      browserNode(BROWSER, { ...NEW, push }).description.split(' · ', 1)[0];
    // Another window may have pushed to it, so nothing is said.
    assert.equal(shown(), 'headless');
    assert.equal(shown({ ...RUNNING, state: 'failed' }), 'last push failed');
    assert.equal(shown({ ...RUNNING, state: 'unverified' }), 'delivered, not verified');
    assert.equal(shown({ ...RUNNING, state: 'stopped' }), 'extension stopped');
    const byOther = browserNode({ ...BROWSER, name: 'b1' }, { ...NEW, push: { ...RUNNING, byOther: true } });
    assert.match(byOther.description, /^1\.0\.3 running · by another program 1 min ago · /);
    assert.match(byOther.spoken, /^Browser b1, version 1\.0\.3 running, pushed by another program 1 minute ago, /);
    const failed = browserNode(BROWSER, { ...NEW, push: { ...RUNNING, state: 'failed', reason: 'No manifest.' } });
    assert.match(failed.tooltip, /No manifest\./);
  });

  it('count the errors of what runs', () => {
    const node = (errors: number, push = RUNNING): string[] => {
      const { description, spoken } = browserNode({ ...BROWSER, name: 'b1' }, { ...NEW, push, errors });
      return [description, spoken];
    };
    assert.match(node(1)[0] ?? '', /^1\.0\.3 running · 1 min ago · 1 error · /);
    assert.match(node(3)[1] ?? '', /pushed 1 minute ago, 3 errors, /);
    assert.doesNotMatch(node(0).join(), /error/);
    assert.doesNotMatch(node(1, { ...RUNNING, state: 'stopped' }).join(), /error/);
  });

  it('of pinned browsers say so in words, and offer to unpin', () => {
    const node = browserNode({ ...BROWSER, name: 'b1' }, { ...NEW, role: 'pinned' });
    assert.equal(node.description, 'pinned · headless · 2 min');
    assert.equal(node.spoken, 'Browser b1, pinned push target, headless, started 2 minutes ago');
    assert.notEqual(node.contextValue, browserNode(BROWSER, NEW).contextValue);
    assert.equal(itemOf(node, 'browser')?.name, 'b1');
  });

  it('differ for a browser with a live view, and are rows of a browser all the same', () => {
    const seen = browserNode({ ...BROWSER, liveViewUrl: 'https://live.example/?jwt=secret' }, NEW);
    assert.match(seen.contextValue, /WithLiveView$/);
    assert.ok(itemOf(seen, 'browser'));
    assert.doesNotMatch(browserNode(BROWSER, NEW).contextValue, /WithLiveView$/);
  });

  it('of profiles say which browsers use them, else when they were used', () => {
    const profile = { id: 'p1', createdAt: CREATED, name: 'work' };
    const users = ['dev', 'second'].map((name) => ({ ...BROWSER, name }));
    assert.equal(profileNode(profile, users, { now: NOW }).description, 'in use by dev, second');
    assert.equal(profileNode(profile, [], { now: NOW }).description, 'not used yet');
    const used = profileNode({ ...profile, lastUsedAt: '2026-04-30T12:00:00Z' }, [], { now: NOW });
    assert.equal(used.description, 'used 1 d ago');
    assert.equal(used.spoken, 'Profile work, used 1 day ago');
  });

  it('stay short, however long the names of the service and the reasons are', () => {
    const long = 'x'.repeat(100_000);
    const profile = { id: 'p', createdAt: CREATED, name: long };
    const extension = { id: 'e', createdAt: CREATED, sizeBytes: 1, name: long };
    const push: LastPush = { ...RUNNING, state: 'failed', reason: long };
    for (const { label, description, tooltip, spoken } of [
      browserNode({ ...BROWSER, name: long, profile }, { ...NEW, push }),
      profileNode(profile, [{ ...BROWSER, name: long }], { now: NOW }),
      extensionNode(extension, { now: NOW }),
    ]) {
      assert.equal(label.length, 256);
      for (const text of [description, tooltip, spoken]) assert.ok(text.length < 1500, `${text.length} characters`);
    }
  });

  it('hold no address that carries a credential outside their item', () => {
    const browser = { ...BROWSER, liveViewUrl: 'https://live.example/?jwt=secret' };
    const { item: _item, ...shown } = browserNode(browser, NEW);
    assert.doesNotMatch(JSON.stringify(shown), /secret|wss:|live\.example/);
  });

  it('label an item without a name by its id', () => {
    assert.equal(browserNode(BROWSER, NEW).label, 'htzv5orfit78');
    assert.equal(profileNode({ id: 'p1', createdAt: CREATED, name: null }, [], { now: NOW }).label, 'p1');
    const extension = { id: 'e1', createdAt: CREATED, sizeBytes: 1200 };
    assert.equal(extensionNode(extension, { now: NOW }).description, '1.2 kB · stored 2 min ago');
  });

  it('change at most once a minute', () => {
    const age = (iso: string): string => ageText(Date.parse(iso), NOW);
    assert.equal(age('2026-05-01T11:59:01Z'), '<1 min');
    assert.equal(age('2026-05-01T12:00:30Z'), '<1 min');
    assert.equal(age('2026-05-01T09:30:00Z'), '2 h');
    assert.equal(age('2026-04-28T12:00:00Z'), '3 d');
  });

  it('name durations in the largest unit that divides them', () => {
    assert.deepEqual([60, 90, 3600, 259_200].map(secondsText), ['1 minute', '90 seconds', '1 hour', '72 hours']);
  });
});
