import assert from 'node:assert/strict';
import { keyAction, MouseReader } from '../../../../src/editor/screen/computerActions';
import { ComputerQueue, perform, type ComputerClient } from '../../../../src/editor/screen/computerQueue';
import { MODIFIER_BITS, type KeyStroke, type MouseStroke } from '../../../../src/screen/strokes';
import type { ComputerAction } from '../../../../src/service/model';

const STROKE: MouseStroke = { type: 'down', x: 10.6, y: 20.2, button: 0, buttons: 1, clicks: 1, modifiers: 0 };
const KEY: KeyStroke = {
  type: 'down',
  key: 'a',
  code: 'KeyA',
  keyCode: 65,
  location: 0,
  text: 'a',
  isRepeated: false,
  modifiers: 0,
};

const typed = (text: string): ComputerAction => ({ type: 'typeText', typeText: { text } });
const pressed = (...keys: string[]): ComputerAction => ({ type: 'pressKey', pressKey: { keys } });

describe('actions of the service', () => {
  it('are a click for a press and its release at nearly the same point, with button and keys', () => {
    const mouse = new MouseReader();
    const stroke = { ...STROKE, button: 2, modifiers: MODIFIER_BITS.ctrl | MODIFIER_BITS.shift };
    assert.equal(mouse.read(stroke), undefined);
    assert.deepEqual(mouse.read({ ...stroke, type: 'up', x: 12, modifiers: 0 }), {
      type: 'clickMouse',
      clickMouse: { x: 10, y: 20, button: 'right', holdKeys: ['Control_L', 'Shift_L'] },
    });
    assert.equal(mouse.read({ ...stroke, type: 'up' }), undefined, 'a release without a press');
  });

  it('are a drag along the path of the mouse otherwise', () => {
    const mouse = new MouseReader();
    mouse.read(STROKE);
    for (const x of [12, 30, 31, 60]) assert.equal(mouse.read({ ...STROKE, type: 'move', x }), undefined);
    const action = mouse.read({ ...STROKE, type: 'up', x: 64 });
    assert.equal(action?.type, 'dragMouse');
    assert.deepEqual(action.dragMouse.path, [
      [10, 20],
      [30, 20],
      [60, 20],
      [64, 20],
    ]);
    assert.equal(action.dragMouse.button, 'left');
  });

  it('are a movement for a mouse without a pressed button', () => {
    assert.deepEqual(new MouseReader().read({ ...STROKE, type: 'move', button: -1, buttons: 0 }), {
      type: 'moveMouse',
      moveMouse: { x: 10, y: 20 },
    });
  });

  it('type texts and press other keys by their X names, and take no notice of releases', () => {
    assert.deepEqual(keyAction({ ...KEY, key: 'ä', text: 'ä', modifiers: MODIFIER_BITS.shift }), typed('ä'));
    assert.deepEqual(keyAction({ ...KEY, key: 'Enter', text: '\r' }), pressed('Return'));
    assert.deepEqual(keyAction({ ...KEY, key: 'PageDown', text: '' }), pressed('Page_Down'));
    assert.deepEqual(keyAction({ ...KEY, key: 'Tab', text: '' }), pressed('Tab'));
    assert.deepEqual(keyAction({ ...KEY, key: 'A', text: '', modifiers: MODIFIER_BITS.ctrl }), {
      type: 'pressKey',
      pressKey: { keys: ['a'], holdKeys: ['Control_L'] },
    });
    assert.equal(keyAction({ ...KEY, type: 'up', text: '' }), undefined);
  });
});

describe('the queue of actions', () => {
  it('sends one request at a time, in order, and what waits as the next one', async () => {
    const sent: ComputerAction[][] = [];
    let underWay = 0;
    const answers: (() => void)[] = [];
    const queue = new ComputerQueue(async (actions) => {
      sent.push([...actions]);
      underWay += 1;
      assert.equal(underWay, 1);
      await new Promise<void>((answer) => answers.push(answer));
      underWay -= 1;
    });
    const first = queue.send(typed('a'));
    await tick();
    const later = [typed('b'), typed('c'), pressed('Return'), typed('d')].map((action) => queue.send(action));
    await tick();
    assert.deepEqual(sent, [[typed('a')]]);
    answers.shift()?.();
    await first;
    await tick();
    assert.deepEqual(sent[1], [typed('bc'), pressed('Return'), typed('d')]);
    answers.shift()?.();
    await Promise.all(later);
    assert.equal(sent.length, 2);
  });

  it('rejects what failed, and goes on with what comes after', async () => {
    let isBroken = true;
    const sent: string[] = [];
    const queue = new ComputerQueue((actions) => {
      sent.push(...actions.map(({ type }) => type));
      return isBroken ? Promise.reject(new Error('broken')) : Promise.resolve();
    });
    await assert.rejects(queue.send(pressed('Return')), /broken/);
    isBroken = false;
    await queue.send(typed('x'));
    assert.deepEqual(sent, ['pressKey', 'typeText']);
  });

  it('drops what waits', async () => {
    const sent: ComputerAction[] = [];
    const queue = new ComputerQueue((actions) => {
      sent.push(...actions);
      return Promise.resolve();
    });
    const waiting = queue.send(typed('x'));
    queue.drop();
    await waiting;
    assert.deepEqual(sent, []);
  });

  it('drops the rest of what takes several requests, and sends what comes after', async () => {
    const sent: number[] = [];
    const queue = new ComputerQueue((actions) => {
      sent.push(actions.length);
      if (sent.length === 1) queue.drop();
      return Promise.resolve();
    });
    await Promise.all(Array.from({ length: 120 }, () => queue.send(pressed('Return'))));
    assert.deepEqual(sent, [50]);
    await queue.send(typed('x'));
    assert.deepEqual(sent, [50, 1]);
  });

  it('uses the operation of a single action, and a batch for several', async () => {
    const calls: string[] = [];
    const note = (name: string) => (): Promise<void> => {
      calls.push(name);
      return Promise.resolve();
    };
    const client: ComputerClient = {
      scroll: note('scroll'),
      clickMouse: note('clickMouse'),
      moveMouse: note('moveMouse'),
      pressKey: note('pressKey'),
      runBatch: note('runBatch'),
    };
    const at = { x: 1, y: 2 };
    const scroll: ComputerAction = { type: 'scroll', scroll: { ...at, deltaY: 1 } };
    await perform(client, 'id', [scroll]);
    await perform(client, 'id', [{ type: 'clickMouse', clickMouse: at }]);
    await perform(client, 'id', [{ type: 'moveMouse', moveMouse: at }]);
    await perform(client, 'id', [pressed('Return')]);
    await perform(client, 'id', [typed('x')]);
    await perform(client, 'id', [scroll, typed('x')]);
    await perform(client, 'id', []);
    assert.deepEqual(calls, ['scroll', 'clickMouse', 'moveMouse', 'pressKey', 'runBatch', 'runBatch']);
  });
});

/** Lets promises that are settled go on. */
function tick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
