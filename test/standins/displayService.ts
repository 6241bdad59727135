import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { fieldOf } from '../../src/base/fields';
import type { ComputerAction } from '../../src/service/interface';
import type { Display } from './display';
import type { ServiceProxy } from './serviceProxy';

/** Buttons of X11, by the names of the service. */
const BUTTONS = { left: '1', middle: '2', right: '3', back: '8', forward: '9' } as const;

/** The buttons by which X11 turns a wheel. */
const WHEEL = { up: '4', down: '5', left: '6', right: '7' } as const;

/** Operations of a browser's screen that do one action, by the last part of their paths. */
const OPERATIONS = {
  click_mouse: 'click_mouse',
  drag_mouse: 'drag_mouse',
  move_mouse: 'move_mouse',
  press_key: 'press_key',
  scroll: 'scroll',
  type: 'type_text',
} as const;

/**
 * Lets a proxy act on a display as the machine of a cloud browser does: its pictures are those of the whole display, and mouse and keyboard
 * go to it by xdotool, which the machine uses, too.
 */
export function actOn(display: Display, proxy: ServiceProxy): void {
  proxy.answer = ({ path, body }) => {
    const operation = /\/computer\/(\w+)$/.exec(path)?.[1];
    if (operation === undefined) return undefined;
    return operation === 'screenshot' ? pictureOf(display) : acted(display, actionsOf(operation, body));
  };
}

async function pictureOf(display: Display): Promise<{ type: string; body: Buffer }> {
  return { type: 'image/png', body: await display.png() };
}

async function acted(display: Display, actions: readonly ComputerAction[]): Promise<{ type: string; body: string }> {
  for (const action of actions) await act(display, action);
  return { type: 'text/plain', body: '' };
}

function actionsOf(operation: string, body: Buffer): ComputerAction[] {
  const fields: unknown = JSON.parse(body.toString());
  if (operation === 'batch') {
    const actions = fieldOf(fields, 'actions');
    assert.ok(Array.isArray(actions));
    return actions as ComputerAction[];
  }
  const type = Object.entries(OPERATIONS).find(([name]) => name === operation)?.[1];
  assert.ok(type, operation);
  return [{ type, [type]: fields } as ComputerAction];
}

async function act(display: Display, action: ComputerAction): Promise<void> {
  switch (action.type) {
    case 'click_mouse': {
      const { x, y, button = 'left', num_clicks = 1, hold_keys } = action.click_mouse;
      const click = ['click', '--repeat', String(num_clicks), BUTTONS[button]];
      await display.tool(...held(hold_keys, [...moved(x, y), ...click]));
      return;
    }
    case 'drag_mouse': {
      const { path, button = 'left', hold_keys } = action.drag_mouse;
      const [first, ...rest] = path.map(([x, y]) => moved(x, y));
      const along = [...(first ?? []), 'mousedown', BUTTONS[button], ...rest.flat(), 'mouseup', BUTTONS[button]];
      await display.tool(...held(hold_keys, along));
      return;
    }
    case 'move_mouse':
      await display.tool(...held(action.move_mouse.hold_keys, moved(action.move_mouse.x, action.move_mouse.y)));
      return;
    case 'press_key': {
      const { keys, hold_keys } = action.press_key;
      await display.tool(...held(hold_keys, ['key', ...keys]));
      return;
    }
    case 'scroll': {
      const { x, y, delta_x = 0, delta_y = 0, hold_keys } = action.scroll;
      const turned = [...turns(delta_y, WHEEL.down, WHEEL.up), ...turns(delta_x, WHEEL.right, WHEEL.left)];
      await display.tool(...held(hold_keys, [...moved(x, y), ...turned]));
      return;
    }
    case 'type_text':
      await display.tool('type', '--delay', '30', action.type_text.text);
      return;
    case 'sleep':
      await delay(action.sleep.duration_ms);
  }
}

function moved(x: number, y: number): string[] {
  return ['mousemove', String(x), String(y)];
}

function turns(ticks: number, positive: string, negative: string): string[] {
  return ticks === 0 ? [] : ['click', '--repeat', String(Math.abs(ticks)), ticks > 0 ? positive : negative];
}

function held(keys: readonly string[] = [], commands: readonly string[]): string[] {
  return [...keys.flatMap((key) => ['keydown', key]), ...commands, ...keys.flatMap((key) => ['keyup', key])];
}
