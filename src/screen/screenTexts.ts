import * as l10n from '@vscode/l10n';
import { objectOf } from '../base/fields';

/** Every text of the scroll page, in the language of the process: of the host it is the editor's, of the page itself English. */
export const scrollTexts = () => ({
  title: l10n.t('Screen'),
  back: l10n.t('Back'),
  forward: l10n.t('Forward'),
  reload: l10n.t('Reload'),
  address: l10n.t('Address'),
  tabs: l10n.t('Tabs'),
  closeTab: l10n.t('Close tab'),
  newTab: l10n.t('New Tab'),
  openPopup: l10n.t('Open Popup'),
  popupWord: l10n.t('Popup'),
  savePicture: l10n.t('Save Picture'),
  record: l10n.t('Record'),
  stopRecording: l10n.t('Stop recording'),
  stopWord: l10n.t('Stop'),
  size: l10n.t('Size of the page'),
  sizeFit: l10n.t('Fit'),
  sizeWindow: l10n.t('Window'),
  sizeLaptop: l10n.t('Laptop'),
  sizeDesktop: l10n.t('Desktop'),
  sizeTablet: l10n.t('Tablet'),
  sizePhone: l10n.t('Phone'),
  zoom: l10n.t('Zoom {0} %'),
  resetZoom: l10n.t('Show at 100 % ({0})'),
  rotate: l10n.t('Rotate'),
  popup: l10n.t('Popup of the extension'),
  sidePanel: l10n.t('Side panel of the extension'),
  closeSurface: l10n.t('Close'),
  accept: l10n.t('OK'),
  cancel: l10n.t('Cancel'),
  answer: l10n.t('Answer'),
  list: l10n.t('List of the page'),
  field: l10n.t('Field of the page'),
  leaveQuestion: l10n.t('The page asks whether it may be left.'),
  precise: l10n.t('Precise'),
  giveKeys: l10n.t('Give Tab and Escape to the page'),
  describe: l10n.t('Say what is there'),
  whole: l10n.t('Whole Screen'),
  wholeHelp: l10n.t('Show the whole screen: also the browser’s own toolbar, menus and permission prompts'),
  wholeState: l10n.t('Whole screen, as a still picture. It is renewed after each action.'),
  live: l10n.t('Live'),
  still: l10n.t('No live picture. Pictures come one at a time.'),
  controls: l10n.t('Without a picture. The wheel is turned by exact steps.'),
  fps: l10n.t('{0} fps'),
  position: l10n.t('Position {0}, {1}'),
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
  pad: l10n.t('Screen that can be used'),
  padHelp: l10n.t(
    'Mouse and keyboard act on the page. Tab leaves the screen, Escape goes back to the editor. These controls turn the wheel by exact steps at one point.',
  ),
  picture: l10n.t('Screen of the browser'),
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
  const known = Object.entries(objectOf(given)).filter(([key, text]) => key in texts && typeof text === 'string');
  return { ...texts, ...Object.fromEntries(known) };
}
