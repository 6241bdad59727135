import assert from 'node:assert/strict';
import { Speaker } from '../../../src/screen/page/announcer';
import { isHostMessage, isPageMessage } from '../../../src/screen/protocol';

describe('messages of the live picture', () => {
  const bytes = new Uint8Array([1, 2]);
  const at = { layer: 'page', x: 1.5, y: 2 };
  const place = { x: 1, y: 2, width: 30, height: 4 };
  const option = { label: 'a', group: '', isDisabled: false, isHidden: false };
  const list = { ...place, kind: 'list', options: [option, { ...option, group: 'g' }], index: -1 };
  const field = { ...place, kind: 'field', type: 'date', value: '', min: '', max: '', step: '' };
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
      document: '',
      zoom: 110,
      surface: 'popup',
    },
    { kind: 'dialog', layer: 'page', type: 'alert', speaker: 's', message: 'm', prompt: '' },
    { kind: 'stream', state: 'paused', reason: 'r' },
    { kind: 'whole', isOffered: true, isOn: false },
    { kind: 'turned', id: 3, milliseconds: 1.5 },
    { kind: 'build', text: 'b', line: '', isRunning: true },
    { kind: 'size', size: 'phone', isRotated: true },
    { kind: 'picker', layer: 'page', picker: list },
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
    { kind: 'pick', layer: 'page', index: 2 },
    { kind: 'fill', layer: 'surface', value: '2020-01-02' },
    { kind: 'closePicker', layer: 'page' },
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

  it('pass with each kind of picker that is right in every detail', () => {
    const passes = (picker: unknown): boolean => isHostMessage({ kind: 'picker', layer: 'page', picker });
    for (const picker of [list, field]) assert.ok(passes(picker));
    for (const wrong of [
      { ...list, x: Number.NaN },
      { ...list, index: 0.5 },
      { ...list, options: [{ ...option, label: 'x'.repeat(301) }] },
      { ...list, options: Array.from({ length: 2001 }, () => option) },
      { ...list, options: [{ ...option, isDisabled: 0 }] },
      { ...field, type: 'text' },
      { ...field, step: 1 },
      { ...field, kind: 'other' },
      undefined,
    ]) {
      assert.ok(!passes(wrong), JSON.stringify(wrong));
    }
    assert.ok(!isPageMessage({ kind: 'fill', layer: 'page', value: 'x'.repeat(301) }));
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
