import * as l10n from '@vscode/l10n';

/** Every text of the scroll page, in the language of the process: of the host it is the editor's, of the page itself English. */
export const scrollTexts = () => ({
  title: l10n.t('Scroll Controls'),
  where: l10n.t('Where'),
  x: l10n.t('X (pixels)'),
  y: l10n.t('Y (pixels)'),
  amount: l10n.t('Amount'),
  ticksSideways: l10n.t('Ticks sideways'),
  ticksUpDown: l10n.t('Ticks up and down'),
  direction: l10n.t('Direction'),
  up: l10n.t('Scroll up'),
  down: l10n.t('Scroll down'),
  left: l10n.t('Scroll left'),
  right: l10n.t('Scroll right'),
  top: l10n.t('Go to the top (Home)'),
  bottom: l10n.t('Go to the bottom (End)'),
  holdKeys: l10n.t('Hold keys'),
  pad: l10n.t('Wheel pad with the browser’s screen'),
  padHelp: l10n.t(
    'Turn the wheel, or use the arrow keys, Page Up, Page Down, Home and End. A click sets the point. Tab leaves, Escape goes back to the editor.',
  ),
  picture: l10n.t('Screen of the browser'),
  noPicture: l10n.t('No picture of the screen yet'),
  refresh: l10n.t('Refresh picture'),
  chooseAnother: l10n.t('Choose another browser'),
  connecting: l10n.t('Connecting'),
  ready: l10n.t('Ready'),
  sending: l10n.t('Sending'),
  roundTrip: l10n.t('Round trip {0} ms'),
  outOfRange: l10n.t('Enter a whole number from {0} to {1}.'),
  wentToTop: l10n.t('Pressed Home to go to the top'),
  wentToBottom: l10n.t('Pressed End to go to the bottom'),
  scrolledUp: l10n.t('Scrolled up {0}'),
  scrolledDown: l10n.t('Scrolled down {0}'),
  scrolledLeft: l10n.t('Scrolled left {0}'),
  scrolledRight: l10n.t('Scrolled right {0}'),
});

/** The texts of the scroll page; `{0}` and `{1}` are placeholders for {@link format}. */
export type ScrollTexts = Readonly<ReturnType<typeof scrollTexts>>;

/** Fills `{0}`, `{1}` … of a text. */
export function format(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}

/** The texts in a JSON text, English where one is missing or not a string. */
export function decodeTexts(json: string): ScrollTexts {
  const texts = scrollTexts();
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return texts;
  }
  if (typeof given !== 'object' || given === null) return texts;
  const known = Object.entries(given).filter(([key, text]) => key in texts && typeof text === 'string');
  return { ...texts, ...Object.fromEntries(known) };
}
