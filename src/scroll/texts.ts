/** Every text of the scroll page in English; the host may pass translations of them. `{0}` and `{1}` are filled in. */
export const SCROLL_TEXTS = {
  title: 'Scroll Controls',
  where: 'Where',
  x: 'X (pixels)',
  y: 'Y (pixels)',
  amount: 'Amount',
  ticksSideways: 'Ticks sideways',
  ticksUpDown: 'Ticks up and down',
  direction: 'Direction',
  up: 'Scroll up',
  down: 'Scroll down',
  left: 'Scroll left',
  right: 'Scroll right',
  holdKeys: 'Hold keys',
  pad: 'Wheel pad with the browser’s screen',
  padHelp:
    'Turn the wheel, or use the arrow keys, Page Up and Page Down. A click sets the point. Tab leaves, Escape goes back to the editor.',
  picture: 'Screen of the browser',
  noPicture: 'No picture of the screen yet',
  refresh: 'Refresh picture',
  chooseAnother: 'Choose another browser',
  connecting: 'Connecting',
  ready: 'Ready',
  sending: 'Sending',
  roundTrip: 'Round trip {0} ms',
  outOfRange: 'Enter a whole number from {0} to {1}.',
  scrolledUp: 'Scrolled up {0}',
  scrolledDown: 'Scrolled down {0}',
  scrolledLeft: 'Scrolled left {0}',
  scrolledRight: 'Scrolled right {0}',
} as const;

export type ScrollTexts = Readonly<Record<keyof typeof SCROLL_TEXTS, string>>;

/** Fills `{0}`, `{1}` … of a text. */
export function format(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}

/** The texts in a JSON text, English where one is missing or no string. */
export function decodeTexts(json: string): ScrollTexts {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return SCROLL_TEXTS;
  }
  if (typeof given !== 'object' || given === null) return SCROLL_TEXTS;
  const known = Object.entries(given).filter(([key, text]) => key in SCROLL_TEXTS && typeof text === 'string');
  return { ...SCROLL_TEXTS, ...Object.fromEntries(known) };
}
