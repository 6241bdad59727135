import { pngOf } from '../decode/answer';
import type {
  ClickMouseRequest,
  ComputerAction,
  MoveMouseRequest,
  PressKeyRequest,
  ScreenRegion,
  ScrollRequest,
} from '../model';
import { snakeCase } from '../wire/fieldNames';
import { command, DOWNLOAD_BYTES, send, type Operation } from './operation';

/** Operations on the mouse, keyboard and screen of a browser. Each is sent once, since a repeated scroll is another scroll. */

/** What the service takes of a drag that does not say it: steps between two points, and the time of each in milliseconds. */
const DRAG_STEPS = 10;
const DRAG_STEP_MS = 50;

const path = (id: string, operation: string): string[] => ['browsers', id, 'computer', operation];

/** `POST /browsers/{id}/computer/scroll` */
export function scroll(id: string, request: ScrollRequest, signal?: AbortSignal): Operation<void> {
  return { ...command('scroll', 'POST', path(id, 'scroll'), request), signal };
}

/** `POST /browsers/{id}/computer/move_mouse` */
export function moveMouse(id: string, request: MoveMouseRequest, signal?: AbortSignal): Operation<void> {
  return {
    ...command('moveMouse', 'POST', path(id, 'move_mouse'), request),
    durationMs: request.durationMs ?? 0,
    signal,
  };
}

/** `POST /browsers/{id}/computer/click_mouse` */
export function clickMouse(id: string, request: ClickMouseRequest, signal?: AbortSignal): Operation<void> {
  return { ...command('clickMouse', 'POST', path(id, 'click_mouse'), request), signal };
}

/** `POST /browsers/{id}/computer/press_key` */
export function pressKey(id: string, request: PressKeyRequest, signal?: AbortSignal): Operation<void> {
  return { ...command('pressKey', 'POST', path(id, 'press_key'), request), durationMs: request.duration ?? 0, signal };
}

/** `POST /browsers/{id}/computer/batch`: the actions in sequence until one fails. */
export function runBatch(id: string, actions: readonly ComputerAction[], signal?: AbortSignal): Operation<void> {
  // The names of the types are fields of the interface, too.
  const named = actions.map((action) => ({ ...action, type: snakeCase(action.type) }));
  return {
    ...command('runBatch', 'POST', path(id, 'batch'), { actions: named }),
    timeLimit: 'long',
    signal,
    durationMs: actions.reduce((sum, action) => sum + durationOf(action), 0),
  };
}

/** `POST /browsers/{id}/computer/screenshot`; it changes nothing, so it is retried like a read. */
export function screenshot(id: string, region?: ScreenRegion, signal?: AbortSignal): Operation<Uint8Array> {
  const operation = send('screenshot', 'POST', path(id, 'screenshot'), region ? { region } : {}, pngOf);
  return { ...operation, accept: 'image/png', idempotent: true, maxBytes: DOWNLOAD_BYTES, signal };
}

function durationOf(action: ComputerAction): number {
  switch (action.type) {
    case 'moveMouse':
      return action.moveMouse.durationMs ?? 0;
    case 'dragMouse': {
      const { path, delay = 0, stepsPerSegment = DRAG_STEPS, stepDelayMs = DRAG_STEP_MS } = action.dragMouse;
      return delay + (path.length - 1) * stepsPerSegment * stepDelayMs;
    }
    case 'pressKey':
      return action.pressKey.duration ?? 0;
    case 'typeText':
      return action.typeText.text.length * (action.typeText.delay ?? 0);
    case 'sleep':
      return action.sleep.durationMs;
    case 'clickMouse':
    case 'scroll':
      return 0;
  }
}
