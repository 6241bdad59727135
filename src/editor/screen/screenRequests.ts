import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import { webAddress } from '../../manifest/typedAddress';
import { handle, type Handlers } from '../../screen/messageGuard';
import type { HostMessage, PageMessage } from '../../screen/protocol';
import { MODIFIER_BITS } from '../../screen/strokes';
import { zoomedBy, type ZoomWheel } from '../../screen/zoom';
import type { ScreenPageMessage } from '../../screen/screenMessages';

/** What is needed to answer a request of the page. */
export interface RequestContext {
  screen: RemoteScreen;
  /** What the wheel with Control adds up to. */
  zoomWheel: ZoomWheel;
  post: (message: HostMessage) => Promise<unknown>;
  /** Lets the browser reach an address of this computer; false when the person does not want it. */
  reach: (address: string) => Promise<boolean>;
}

/** The requests that are about the browser, and not about the panel. */
export type BrowserRequest = Exclude<
  ScreenPageMessage,
  { kind: 'drawn' | 'look' | 'area' | 'size' | 'whole' | 'savePicture' | 'openPopup' | 'recorded' }
>;

/** What is done in the browser for each request. */
const ACTS: Handlers<BrowserRequest, [RequestContext]> = {
  wheel: turnWheel,
  zoom: ({ percent }, context) => zoomTo(percent, context),
  mouse: doInput,
  key: doInput,
  text: doInput,
  compose: doInput,
  clipboard: doInput,
  answer: doInput,
  pick: answerPicker,
  fill: answerPicker,
  closePicker: answerPicker,
  address: goTo,
  history: ({ by }, { screen }) => screen.page('page')?.go(by),
  tab: ({ act, id }, { screen }) => (act === 'show' ? screen.show(id) : screen.closeTab(id)),
  newTab: (_, { screen }) => screen.newTab(),
  closeSurface: (_, { screen }) => screen.closeSurface(),
  describe: async (point, { screen, post }) => {
    const page = screen.page('page');
    if (page) await post({ kind: 'say', text: await describe(page, point) });
  },
};

/** Whether a message of the page is about the browser, and not about the panel. */
export function isBrowserRequest(message: PageMessage): message is BrowserRequest {
  return Object.hasOwn(ACTS, message.kind);
}

/** Does what the page asks for in the browser that it shows. Rejects when the connection is lost, or a page was closed meanwhile. */
export async function doRequest(request: BrowserRequest, context: RequestContext): Promise<void> {
  await handle(ACTS, request, context);
}

async function goTo({ text }: { text: string }, { screen, post, reach }: RequestContext): Promise<void> {
  const url = webAddress(text);
  const page = screen.page('page');
  if (url !== undefined && !(await reach(url))) return;
  const reason =
    url === undefined
      ? l10n.t('“{0}” is not an address. Write one such as example.com.', text)
      : page && (await page.navigate(url));
  if (reason !== undefined) await post({ kind: 'notice', message: reason, gone: false });
}

/** Turns the wheel. With Control held, it zooms a page that does not handle that itself. */
async function turnWheel(request: Extract<BrowserRequest, { kind: 'wheel' }>, context: RequestContext): Promise<void> {
  const { screen, zoomWheel, post } = context;
  const started = performance.now();
  try {
    if (request.layer !== 'page' || request.modifiers !== MODIFIER_BITS.ctrl) {
      await screen.page(request.layer)?.turn(request);
      return;
    }
    if (await screen.turnWithControl(request)) return;
    const steps = zoomWheel.turn(request.down);
    if (steps !== 0) await zoomTo(zoomedBy(screen.page('page')?.zoom ?? 100, steps), context);
  } finally {
    await post({ kind: 'turned', id: request.id, milliseconds: performance.now() - started });
  }
}

async function zoomTo(percent: number, { screen, post }: RequestContext): Promise<void> {
  if (await screen.setZoom(percent)) return;
  await post({ kind: 'notice', message: l10n.t('This browser cannot be asked to zoom a page.'), gone: false });
}

type InputRequest = Extract<BrowserRequest, { kind: 'mouse' | 'key' | 'text' | 'compose' | 'clipboard' | 'answer' }>;

const INPUTS: Handlers<InputRequest, [PageScreen]> = {
  mouse: (stroke, page) => page.mouse(stroke),
  key: (stroke, page) => page.key(stroke),
  text: ({ text }, page) => page.type(text),
  compose: ({ text }, page) => page.compose(text),
  clipboard: async ({ act }, page) => {
    const exchanging = exchange(act, page);
    page.inputsWaitFor = exchanging.catch(() => undefined);
    await exchanging;
  },
  answer: ({ accept, text }, page) => page.answer(accept, text),
};

async function doInput(request: InputRequest, { screen, post }: RequestContext): Promise<void> {
  const page = screen.page(request.layer);
  if (!page) return;
  // A dialog may have come of what was chosen; its answer lets the page go on.
  if (request.kind !== 'answer') await page.inputsWaitFor;
  await handle(INPUTS, request, page);
  if (mayOpenPicker(request)) await showPicker(request, page, post);
}

/** The keys by which a list or the picker of a field is opened. */
const OPENING_KEYS = [' ', 'Enter', 'ArrowDown', 'ArrowUp', 'F4'];

/** Whether the browser may open a list by an input, which it does by a press, or the picker of a field, by a click. */
function mayOpenPicker(request: InputRequest): boolean {
  if (request.kind === 'mouse') return request.type !== 'move' && request.button === 0;
  return request.kind === 'key' && request.type === 'down' && OPENING_KEYS.includes(request.key);
}

/** Shows what the browser has opened by an input, if it has. */
async function showPicker(request: InputRequest, page: PageScreen, post: RequestContext['post']): Promise<void> {
  const { openPicker } = await import('../../devtools/screen/openPicker');
  const isClick = request.kind === 'mouse' && request.type === 'up';
  const picker = await openPicker(page, isClick ? request : undefined);
  // The list was shown when the button went down.
  const isShown = isClick && picker?.kind === 'list';
  if (picker && !isShown) await post({ kind: 'picker', layer: request.layer, picker });
}

type PickerRequest = Extract<BrowserRequest, { kind: 'pick' | 'fill' | 'closePicker' }>;

async function answerPicker(request: PickerRequest, { screen }: RequestContext): Promise<void> {
  const page = screen.page(request.layer);
  if (!page) return;
  const answering = answerOn(page, request);
  page.inputsWaitFor = answering.catch(() => undefined);
  await answering;
}

async function answerOn(page: PageScreen, request: PickerRequest): Promise<void> {
  const { closePicker, fillField, pickOption } = await import('../../devtools/screen/openPicker');
  if (request.kind === 'pick') await pickOption(page, request.index);
  else if (request.kind === 'fill') await fillField(page, request.value);
  else await closePicker(page);
}

/** Longest text that is taken from a page or given to it, in characters. */
const MAX_CLIPBOARD = 1_000_000;

async function exchange(act: 'copy' | 'cut' | 'paste', page: PageScreen): Promise<void> {
  if (act === 'paste') {
    const text = (await env.clipboard.readText()).slice(0, MAX_CLIPBOARD);
    if (text !== '') page.type(text);
    return;
  }
  const text = await page.selectedText();
  if (text === '') return;
  await env.clipboard.writeText(text.slice(0, MAX_CLIPBOARD));
  if (act === 'copy') return;
  const { CUT } = await import('../../devtools/screen/screenInput');
  for (const stroke of CUT) void page.key(stroke);
}

async function describe(page: PageScreen, point: { x: number; y: number }): Promise<string> {
  const { accessibleElement } = await import('../../devtools/pages/accessibleName');
  const element = await accessibleElement(page.session, { x: page.toCss(point.x), y: page.toCss(point.y) }).catch(
    () => undefined,
  );
  if (!element) return l10n.t('Nothing with a name is there');
  return element.name === '' ? element.role : `${element.name}, ${element.role}`;
}
