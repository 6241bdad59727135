import * as l10n from '@vscode/l10n';
import { KEY_NAMES, MODIFIERS, type Modifier, type Point, type Screen } from '../../screen/protocol';
import { DEFAULT_TICKS, parsePoint, parseWhole } from '../../screen/rememberedState';
import type { Ticks } from '../../screen/wheel/wheel';
import { askText, pick, pickMany } from '../notify';

const MAX_COMMAND_TICKS = 100;

/** Asks for a direction and a number of ticks; undefined when the user cancels. */
export async function askTicks(): Promise<Ticks | undefined> {
  const title = l10n.t('Scroll By');
  const direction = await pick(
    [
      { icon: 'arrow-down', label: l10n.t('Down'), right: 0, down: 1 },
      { icon: 'arrow-up', label: l10n.t('Up'), right: 0, down: -1 },
      { icon: 'arrow-right', label: l10n.t('Right'), right: 1, down: 0 },
      { icon: 'arrow-left', label: l10n.t('Left'), right: -1, down: 0 },
    ],
    { title, placeHolder: l10n.t('Select the direction') },
  );
  if (!direction) return undefined;
  const ticksOf = (text: string): number | undefined => parseWhole(text, 1, MAX_COMMAND_TICKS);
  const text = await askText({
    title,
    prompt: l10n.t('Number of wheel ticks. One tick is one notch of a mouse wheel.'),
    value: String(DEFAULT_TICKS),
    problemOf: (typed) =>
      ticksOf(typed) === undefined ? l10n.t('Enter a whole number from {0} to {1}.', 1, MAX_COMMAND_TICKS) : undefined,
  });
  const ticks = ticksOf(text ?? '');
  return ticks === undefined ? undefined : { right: direction.right * ticks, down: direction.down * ticks };
}

/** Asks for the point of a screen at which the wheel is turned; undefined when the user cancels. */
export function askScrollPoint(screen: Screen, { x, y }: Point): Promise<Point | undefined> {
  return askPoint(screen, {
    title: l10n.t('Scroll Point'),
    prompt: l10n.t('Where the wheel is turned: X and Y in pixels of the browser’s screen, for example “960, 540”.'),
    value: `${x}, ${y}`,
  });
}

/** Asks for a point of a screen; undefined when the user cancels. */
export async function askPoint(
  screen: Screen,
  question: { title: string; prompt: string; value?: string },
): Promise<Point | undefined> {
  const text = await askText({
    ...question,
    problemOf: (typed) =>
      parsePoint(typed, screen)
        ? undefined
        : l10n.t('Enter X from 0 to {0} and Y from 0 to {1}.', screen.width - 1, screen.height - 1),
  });
  return parsePoint(text ?? '', screen);
}

/** Asks for the keys to hold; undefined when the user cancels. */
export async function askKeys(held: readonly Modifier[]): Promise<Modifier[] | undefined> {
  const keys = MODIFIERS.map((modifier) => ({
    label: KEY_NAMES[modifier],
    picked: held.includes(modifier),
    modifier,
  }));
  const chosen = await pickMany(keys, { placeHolder: l10n.t('Select the keys to hold while scrolling') });
  return chosen?.map(({ modifier }) => modifier);
}
