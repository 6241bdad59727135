import assert from 'node:assert/strict';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import type { ConnectionTransport } from 'puppeteer-core/internal/common/ConnectionTransport.js';
import { fieldOf } from '../../../../src/base/fields';
import type { PageSession } from '../../../../src/local/chromium/chromium';
import { drag, moveSmoothly } from '../../../../src/local/input/gestures';
import { click, move, scroll, type MouseButton } from '../../../../src/local/input/input';
import { jsonOf } from '../../../support/json';

describe('the mouse of a session', () => {
  let page: PageSession;
  let pressed: Set<MouseButton>;
  /** Types of mouse events, with the button and the buttons of each. */
  let events: unknown[][];
  /** What the page answers to the next events of a type: nothing but an error. */
  let failing: string | undefined;

  beforeEach(async () => {
    pressed = new Set();
    events = [];
    failing = undefined;
    const transport: ConnectionTransport = {
      send: (text) => queueMicrotask(() => answer(jsonOf(text))),
      close: () => undefined,
    };
    const answer = (command: unknown): void => {
      const [id, method, params] = ['id', 'method', 'params'].map((name) => fieldOf(command, name));
      if (method === 'Target.attachToTarget') {
        say({ method: 'Target.attachedToTarget', params: { sessionId: 's', targetInfo: { type: 'page' } } });
        return say({ id, result: { sessionId: 's' } });
      }
      const type = fieldOf(params, 'type');
      events.push([type, fieldOf(params, 'button'), fieldOf(params, 'buttons')]);
      say({ id, sessionId: 's', ...(type === failing ? { error: { message: 'busy' } } : { result: {} }) });
    };
    const say = (message: unknown): void => transport.onmessage?.(JSON.stringify(message));
    const target = { targetId: 't', type: 'page', title: '', url: '', attached: false, canAccessOpener: false };
    page = await new Connection('', transport).createSession(target);
  });

  const at = { x: 1, y: 1 };

  it('moves with the buttons that are down, over all requests until they are released', async () => {
    await move(page, at, pressed, []);
    await click(page, at, 'left', 'down', 1, pressed, []);
    await move(page, at, pressed, []);
    await moveSmoothly(page, at, { x: 5, y: 1 }, 0, pressed, []);
    await scroll(page, at, 0, 1, pressed, []);
    await click(page, at, 'left', 'up', 1, pressed, []);
    await move(page, at, pressed, []);
    assert.deepEqual(events, [
      ['mouseMoved', undefined, undefined],
      ['mouseMoved', undefined, undefined],
      ['mousePressed', 'left', 1],
      ['mouseMoved', 'left', 1],
      ['mouseMoved', 'left', 1],
      ['mouseMoved', 'left', 1],
      ['mouseWheel', undefined, undefined],
      ['mouseMoved', 'left', 1],
      ['mouseReleased', 'left', 0],
      ['mouseMoved', undefined, undefined],
    ]);
  });

  it('keeps one button down while another clicks or drags', async () => {
    await click(page, at, 'right', 'down', 1, pressed, []);
    await click(page, at, 'left', 'click', 1, pressed, []);
    await drag(page, [at, at], 'middle', { beforeMs: 0, steps: 1, stepMs: 0 }, pressed, []);
    assert.deepEqual(events.slice(2), [
      ['mouseMoved', 'right', 2],
      ['mousePressed', 'left', 3],
      ['mouseReleased', 'left', 2],
      ['mouseMoved', 'right', 2],
      ['mousePressed', 'middle', 6],
      ['mouseMoved', 'middle', 6],
      ['mouseReleased', 'middle', 2],
    ]);
  });

  it('has no button down after a click that a page did not take', async () => {
    failing = 'mousePressed';
    for (const kind of ['click', 'down'] as const) await assert.rejects(click(page, at, 'left', kind, 1, pressed, []));
    assert.deepEqual([...pressed], []);
  });
});
