import { pngOf } from '../decode/answer';
import type {
  ClickMouseRequest,
  ComputerAction,
  MoveMouseRequest,
  PressKeyRequest,
  ScreenRegion,
  ScrollRequest,
} from '../model';
import { command, DOWNLOAD_BYTES, type Operation } from './operation';

/** Operations on the mouse, keyboard and screen of a session. Each is sent once, since a repeated scroll is another scroll. */

/** What the service takes of a drag that does not say it: steps between two points, and the time of each in milliseconds. */
const DRAG_STEPS = 10;
const DRAG_STEP_MS = 50;

const path = (id: string, operation: string): string[] => ['browsers', id, 'computer', operation];

/** `POST /browsers/{id}/computer/scroll` */
export function scroll(id: string, request: ScrollRequest): Operation<void> {
  return command('scroll', 'POST', path(id, 'scroll'), request);
}

/** `POST /browsers/{id}/computer/move_mouse` */
export function moveMouse(id: string, request: MoveMouseRequest): Operation<void> {
  return { ...command('moveMouse', 'POST', path(id, 'move_mouse'), request), durationMs: request.duration_ms ?? 0 };
}

/** `POST /browsers/{id}/computer/click_mouse` */
export function clickMouse(id: string, request: ClickMouseRequest): Operation<void> {
  return command('clickMouse', 'POST', path(id, 'click_mouse'), request);
}

/** `POST /browsers/{id}/computer/press_key` */
export function pressKey(id: string, request: PressKeyRequest): Operation<void> {
  return { ...command('pressKey', 'POST', path(id, 'press_key'), request), durationMs: request.duration ?? 0 };
}

/** `POST /browsers/{id}/computer/batch`: the actions in sequence until one fails. */
export function runBatch(id: string, actions: readonly ComputerAction[]): Operation<void> {
  return {
    ...command('runBatch', 'POST', path(id, 'batch'), { actions }),
    timeLimit: 'long',
    durationMs: actions.reduce((sum, action) => sum + durationOf(action), 0),
  };
}

/** `POST /browsers/{id}/computer/screenshot`; it changes nothing, so it is retried like a read. */
export function screenshot(id: string, region: ScreenRegion | undefined): Operation<Uint8Array> {
  return {
    name: 'screenshot',
    method: 'POST',
    path: path(id, 'screenshot'),
    body: { kind: 'json', value: region ? { region } : {} },
    accept: 'image/png',
    idempotent: true,
    maxBytes: DOWNLOAD_BYTES,
    read: pngOf,
  };
}

function durationOf(action: ComputerAction): number {
  switch (action.type) {
    case 'move_mouse':
      return action.move_mouse.duration_ms ?? 0;
    case 'drag_mouse': {
      const { path, delay = 0, steps_per_segment = DRAG_STEPS, step_delay_ms = DRAG_STEP_MS } = action.drag_mouse;
      return delay + (path.length - 1) * steps_per_segment * step_delay_ms;
    }
    case 'press_key':
      return action.press_key.duration ?? 0;
    case 'type_text':
      return action.type_text.text.length * (action.type_text.delay ?? 0);
    case 'sleep':
      return action.sleep.duration_ms;
    case 'click_mouse':
    case 'scroll':
      return 0;
  }
}
