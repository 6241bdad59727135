import { setTimeout as delay } from 'node:timers/promises';
import type { ComputerAction } from '../service/model';
import { ServiceError } from '../service/serviceErrors';
import { oneLine } from './bounds';
import { BROWSER, browserName, findBrowser } from './namedBrowsers';
import { errorText } from './errorText';
import { refusePrivatePages } from './webPages';
import { listOf, needs, oneOf, takes, whole, words, Input, type ObjectSchema } from './valueSchema';
import { ToolError, type Tool } from './tool';

/** The largest screen, in pixels. */
const MOST_PIXELS = 20_000;

/** Actions of one call, keys pressed at once, and characters typed at once. */
const MOST_ACTIONS = 20;
const MOST_KEYS = 5;
const MOST_TYPED = 2000;

/** The longest wait, and wheel ticks at once. */
const MOST_SLEEP_MS = 10_000;
const MOST_TICKS = 100;

/** Pause between two actions, in milliseconds, in which a page that the first has opened gets its address. */
const BETWEEN_MS = 100;

/** The largest picture that is answered, in bytes: models refuse larger ones. */
const MOST_IMAGE_BYTES = 4 * 1024 * 1024;

/** How an error of the service begins that is about an action. */
const NAMED = 'actions[0]: ';

/** Names of keys as X11 has them. */
const KEY = /^[A-Za-z0-9_]{1,32}$/;

/** Takes a picture of a browser. */
export const screenshotTool: Tool = {
  name: 'screenshot_extension_browser',
  title: 'Take Screenshot',
  description:
    'Takes a picture of the screen of a browser; on this machine and without a window, of the page in front alone, without toolbar and popups. Coordinates in the picture are those of act_in_extension_browser.',
  input: takes({ browser: BROWSER }),
  effect: 'none',
  reaches: 'browser',
  isOfScreen: true,
  isOpenWorld: true,
  intent: () => 'Take a picture of the browser.',
  run: async (input, window, signal) => {
    const browser = await findBrowser(window, input.text('browser'), signal);
    await refusePrivatePages(window, browser);
    const image = await (await window.client()).screenshot(browser.id, undefined, signal);
    // The picture may have been taken after a page was opened.
    await refusePrivatePages(window, browser);
    if (image.length > MOST_IMAGE_BYTES)
      throw new ToolError('The picture is too large. Create a browser with a smaller screen.');
    const { width, height } = sizeOf(image);
    const isPage = window.isLocal || browser.headless;
    const popups = isPage
      ? ' It shows the page in front alone; a popup is seen as the surface "page" with its path.'
      : '';
    const text = `The screen of ${browserName(browser)}, ${width} by ${height} pixels.${popups}`;
    return { isError: false, text, image };
  },
};

const COORDINATE = { type: 'integer', minimum: 0, maximum: MOST_PIXELS } as const;

const ACTION: ObjectSchema = {
  type: 'object',
  description: 'One action.',
  properties: {
    do: oneOf('What to do.', ['click', 'type', 'keys', 'scroll', 'wait']),
    x: { ...COORDINATE, description: 'For click and scroll: pixels from the left of the screenshot.' },
    y: { ...COORDINATE, description: 'For click and scroll: pixels from the top of the screenshot.' },
    button: oneOf('For click; "left" by default.', ['left', 'right', 'middle']),
    clicks: whole('For click; 2 is a double click.', 1, 3),
    text: words('For type.', MOST_TYPED),
    keys: listOf(
      'For keys: X11 names pressed together, such as ["Control_L", "a"] or ["Return"].',
      words('A key.', 32),
      MOST_KEYS,
    ),
    ticks: whole('For scroll: wheel ticks, positive is down.', -MOST_TICKS, MOST_TICKS),
    ticks_x: whole('For scroll: wheel ticks to the right.', -MOST_TICKS, MOST_TICKS),
    ms: whole('For wait: milliseconds.', 0, MOST_SLEEP_MS),
  },
  required: ['do'],
  additionalProperties: false,
};

/** Acts in a browser. */
export const actTool: Tool = {
  name: 'act_in_extension_browser',
  title: 'Act in Browser',
  description:
    'Clicks, types, presses keys and scrolls in a browser as its user would, one action after the other. Take a screenshot first to have the coordinates.',
  input: needs(['actions'], {
    actions: listOf('The actions, in this order.', ACTION, MOST_ACTIONS),
    browser: BROWSER,
  }),
  effect: 'replaces',
  reaches: 'browser',
  isOfScreen: true,
  isOpenWorld: true,
  intent: (input) =>
    `${oneLine(
      input
        .list('actions')
        .map((action) => describe(new Input(action)))
        .join(', '),
      500,
    )} in the browser.`,
  run: async (input, window, signal) => {
    const actions = input.list('actions').map((action) => actionOf(new Input(action)));
    if (actions.length === 0) throw new ToolError('"actions" is empty.');
    const browser = await findBrowser(window, input.text('browser'), signal);
    const client = await window.client();
    for (const [index, action] of actions.entries()) {
      // What an action before has opened, such as a file by an address that was typed, must not get the next one.
      if (index > 0) await delay(BETWEEN_MS, undefined, { signal });
      try {
        await refusePrivatePages(window, browser);
        await client.runBatch(browser.id, [action], signal);
      } catch (error) {
        if (signal.aborted || (index === 0 && error instanceof ToolError)) throw error;
        const where = whereText(index, actions.length);
        throw new ToolError(
          mayBeDone(error)
            ? `PERHAPS DONE: ${where} ${oneLine(error.message)} Take a screenshot before you do it again.`
            : `NOT DONE: ${where} ${failureText(error)}`,
        );
      }
    }
    const count = actions.length === 1 ? '1 action' : `${actions.length} actions`;
    return {
      isError: false,
      text: `DONE: ${count} in ${browserName(browser)}. See the effect with screenshot_extension_browser or read_extension_console.`,
    };
  },
};

/** Which of several actions has failed, so that those before it are not done again. */
function whereText(index: number, count: number): string {
  const done = index === 1 ? 'actions[0] was done' : `actions[0] to actions[${index - 1}] were done`;
  return `actions[${index}] of ${count}${index === 0 ? '' : `; ${done}`}.`;
}

/** Whether an action may have been done in spite of its error, whose answer was lost: a service names the action that it has not done. */
function mayBeDone(error: unknown): error is ServiceError {
  const isLost = error instanceof ServiceError && error.operation === 'runBatch' && error.mayHaveHappened;
  return isLost && !error.message.startsWith(NAMED);
}

/** Why an action was not done. Each is sent by itself, so the service calls all of them the first. */
function failureText(error: unknown): string {
  const text = errorText(error);
  return text.startsWith(NAMED) ? text.slice(NAMED.length) : text;
}

function describe(action: Input): string {
  const at = `at ${action.number('x') ?? 0}, ${action.number('y') ?? 0}`;
  switch (action.text('do')) {
    case 'click':
      return `click ${at}`;
    case 'type':
      return `type "${oneLine(action.text('text') ?? '', 100)}"`;
    case 'keys':
      return `press ${action.texts('keys').join('+')}`;
    case 'scroll':
      return `scroll ${at}`;
    default:
      return 'wait';
  }
}

/** What belongs to each kind of action. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  click: ['x', 'y', 'button', 'clicks'],
  type: ['text'],
  keys: ['keys'],
  scroll: ['x', 'y', 'ticks', 'ticks_x'],
  wait: ['ms'],
};

/** @throws ToolError when a member is missing, or would have no effect */
function actionOf(action: Input): ComputerAction {
  const kind = action.text('do') ?? '';
  const [x, y] = [action.number('x'), action.number('y')];
  const stray = action.names.find((name) => name !== 'do' && MEMBERS[kind]?.includes(name) !== true);
  if (stray !== undefined) throw new ToolError(`${kind} takes no "${stray}".`);
  switch (kind) {
    case 'click':
      if (x === undefined || y === undefined) throw new ToolError('click needs "x" and "y".');
      return {
        type: 'clickMouse',
        clickMouse: { x, y, button: buttonOf(action), numClicks: action.number('clicks') ?? 1 },
      };
    case 'type': {
      const text = action.text('text') ?? '';
      if (text === '') throw new ToolError('type needs "text".');
      return { type: 'typeText', typeText: { text } };
    }
    case 'keys': {
      const keys = [...action.texts('keys')];
      if (keys.length === 0 || !keys.every((key) => KEY.test(key))) {
        throw new ToolError('keys needs "keys": X11 names such as ["Control_L", "a"].');
      }
      // A service presses several keys one after the other: together are those that are held and the last one.
      const holdKeys = keys.splice(0, keys.length - 1);
      return { type: 'pressKey', pressKey: { keys, ...(holdKeys.length > 0 && { holdKeys }) } };
    }
    case 'scroll':
      if (x === undefined || y === undefined) throw new ToolError('scroll needs "x" and "y".');
      if ((action.number('ticks') ?? 0) === 0 && (action.number('ticks_x') ?? 0) === 0) {
        throw new ToolError('scroll needs "ticks" or "ticks_x" other than 0.');
      }
      return {
        type: 'scroll',
        scroll: { x, y, deltaX: action.number('ticks_x') ?? 0, deltaY: action.number('ticks') ?? 0 },
      };
    default:
      return { type: 'sleep', sleep: { durationMs: action.number('ms') ?? 500 } };
  }
}

function buttonOf(action: Input): 'left' | 'right' | 'middle' {
  const button = action.text('button');
  return button === 'right' || button === 'middle' ? button : 'left';
}

function sizeOf(png: Uint8Array): { width: number; height: number } {
  if (png.length < 24) return { width: 0, height: 0 };
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
