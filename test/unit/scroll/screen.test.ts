import assert from 'node:assert/strict';
import { Speaker } from '../../../src/scroll/announcer';
import { isHostMessage, isPageMessage } from '../../../src/scroll/protocol';

describe('messages of the live picture', () => {
  const bytes = new Uint8Array([1, 2]);
  const at = { layer: 'page', x: 1.5, y: 2 };
  const host: Record<string, unknown>[] = [
    { kind: 'frame', layer: 'surface', id: 1, bytes, width: 800, height: 600, scrollX: 0, scrollY: 1.5 },
    {
      kind: 'view',
      tabs: [{ id: 'a', title: 't', isFront: true }],
      address: 'https://example.com/',
      title: 't',
      canGoBack: false,
      canGoForward: true,
      isLoading: false,
      zoom: 110,
      surface: 'popup',
    },
    { kind: 'dialog', layer: 'page', type: 'alert', speaker: 's', message: 'm', prompt: '' },
    { kind: 'stream', state: 'paused', reason: 'r' },
    { kind: 'whole', isOffered: true, isOn: false },
    { kind: 'turned', id: 3, milliseconds: 1.5 },
    { kind: 'build', text: 'b', line: '' },
    { kind: 'size', size: 'phone', isRotated: true },
    { kind: 'say', text: 's' },
  ];
  const page: Record<string, unknown>[] = [
    { kind: 'drawn', layer: 'page', id: 1 },
    { kind: 'area', width: 100, height: 50 },
    { kind: 'wheel', id: 1, ...at, right: 0, down: -137, modifiers: 2 },
    { kind: 'mouse', type: 'down', ...at, button: 0, buttons: 1, clicks: 2, modifiers: 0 },
    {
      kind: 'key',
      layer: 'page',
      type: 'up',
      key: 'a',
      code: 'KeyA',
      keyCode: 65,
      location: 0,
      text: '',
      isRepeated: false,
      modifiers: 15,
    },
    { kind: 'text', layer: 'page', text: '你' },
    { kind: 'compose', layer: 'surface', text: '' },
    { kind: 'clipboard', layer: 'page', act: 'paste' },
    { kind: 'address', text: 'example.com' },
    { kind: 'history', by: -1 },
    { kind: 'tab', act: 'close', id: 'a' },
    { kind: 'size', size: { width: 390, height: 844, ratio: 1.5 } },
    { kind: 'zoom', percent: 150 },
    { kind: 'whole', isOn: true },
    { kind: 'answer', layer: 'page', accept: true, text: '' },
    { kind: 'describe', x: 1, y: 2 },
    { kind: 'recorded', bytes, isLast: false },
  ];

  it('pass when they are right, and not when any of their fields is missing or of another kind', () => {
    for (const [messages, passes] of [
      [host, isHostMessage],
      [page, isPageMessage],
    ] as const) {
      for (const message of messages) {
        const kind = String(message['kind']);
        assert.ok(passes(message), kind);
        for (const field of Object.keys(message).filter((name) => name !== 'kind')) {
          assert.equal(passes({ ...message, [field]: undefined }), false, `${kind} without ${field}`);
          assert.equal(passes({ ...message, [field]: { toString: 'x' } }), false, `${kind} with another ${field}`);
        }
      }
    }
    for (const kind of ['look', 'newTab', 'closeSurface', 'savePicture', 'openPopup'])
      assert.ok(isPageMessage({ kind }), kind);
  });

  it('do not pass with sizes, sides and numbers that do not exist', () => {
    assert.equal(isPageMessage({ kind: 'size', size: 'toString', isRotated: false }), false);
    assert.equal(isPageMessage({ kind: 'history', by: 2 }), false);
    assert.equal(isPageMessage({ kind: 'toString' }), false);
    assert.equal(isPageMessage({ ...page[2], down: Number.NaN }), false);
    assert.equal(isPageMessage({ ...page[2], modifiers: 16 }), false);
    assert.equal(isPageMessage({ ...page[3], button: 7 }), false);
    assert.equal(isPageMessage({ kind: 'text', layer: 'page', text: 'x'.repeat(1_000_001) }), false);
  });
});

describe('speaker', () => {
  it('says the newest sentence at most once a second, and none twice in a row', () => {
    const said: string[] = [];
    const timers: (() => void)[] = [];
    const speaker = new Speaker(
      (sentence) => said.push(sentence),
      (run, ms) => {
        assert.equal(ms, 1000);
        timers.push(run);
        return () => undefined;
      },
    );
    for (const sentence of ['one', 'two', 'three']) speaker.offer(sentence);
    assert.deepEqual(said, ['one']);
    timers.shift()?.();
    assert.deepEqual(said, ['one', 'three']);
    speaker.offer('three');
    timers.shift()?.();
    assert.deepEqual([said.length, timers.length], [2, 0]);
    speaker.offer('four');
    assert.equal(said.at(-1), 'four');
  });
});
