import { COMMANDS, type CommandId } from '../../src/ids';

/** The first keys of a command without an argument and with one, as VS Code and as Playwright name them. Neither VS Code nor Sideload has them. */
const FIRST = {
  plain: { binding: 'ctrl+alt+shift+f9', press: 'Control+Alt+Shift+F9' },
  withArgument: { binding: 'ctrl+alt+shift+f10', press: 'Control+Alt+Shift+F10' },
} as const;

/** What may be held with the second key, as VS Code and as Playwright name it. */
const HELD = [
  ['', ''],
  ['shift+', 'Shift+'],
  ['alt+', 'Alt+'],
  ['ctrl+', 'Control+'],
] as const;

const SECOND = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** What the commands get that are run with an argument: names of a browser, a profile and a stored extension. */
export const NAMED = { browser: 'brw-1', profile: 'team', extension: 'old-build' } as const;

/** How a command is run. */
export type KeyedRun = keyof typeof FIRST;

/** The keys that run a command, in the order in which they are pressed. */
interface CommandKeys {
  readonly binding: string;
  readonly presses: readonly string[];
}

/** The keys of a command in windows of tests, by which also the commands run that the palette does not list. */
export function keysOf(id: CommandId, run: KeyedRun = 'plain'): CommandKeys {
  const index = Object.values(COMMANDS).indexOf(id);
  const [held, heldPress] = HELD[Math.floor(index / SECOND.length)] ?? HELD[0];
  const key = SECOND[index % SECOND.length] ?? '';
  const code = /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`;
  const { binding, press } = FIRST[run];
  return { binding: `${binding} ${held}${key}`, presses: [press, `${heldPress}${code}`] };
}

/** Commands of VS Code with keys of their own: they are needed often, and the palette takes a second. */
export const TIDY_KEYS = {
  clearNotifications: {
    binding: 'ctrl+alt+shift+f7',
    press: 'Control+Alt+Shift+F7',
    command: 'notifications.clearAll',
  },
  discardEditor: {
    binding: 'ctrl+alt+shift+f8',
    press: 'Control+Alt+Shift+F8',
    command: 'workbench.action.revertAndCloseActiveEditor',
  },
} as const;

/** A key binding of a user. */
export interface KeyBinding {
  readonly key: string;
  readonly command: string;
  readonly args?: unknown;
}

/**
 * The file of key bindings of a window of tests. Each runs its command by another one, so that neither menus nor the palette show keys that users
 * do not have.
 */
export function keyBindings(): readonly KeyBinding[] {
  const binding = (key: string, command: string, args?: unknown): KeyBinding => ({
    key,
    command: 'runCommands',
    args: { commands: [args === undefined ? command : { command, args }] },
  });
  return [
    ...Object.values(TIDY_KEYS).map(({ binding: key, command }) => binding(key, command)),
    ...Object.values(COMMANDS).flatMap((command) => [
      binding(keysOf(command).binding, command),
      binding(keysOf(command, 'withArgument').binding, command, NAMED),
    ]),
  ];
}
