import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import { webAddress } from '../../manifest/typedAddress';
import type { HostMessage } from '../../screen/protocol';
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

/** Does what the page asks for in the browser that it shows. Rejects when the connection is lost, or a page was closed meanwhile. */
export async function doRequest(request: BrowserRequest, context: RequestContext): Promise<void> {
  const { screen, post } = context;
  switch (request.kind) {
    case 'wheel':
      await turnWheel(request, context);
      return;
    case 'zoom':
      await zoomTo(request.percent, context);
      return;
    case 'mouse':
    case 'key':
    case 'text':
    case 'compose':
    case 'clipboard':
    case 'answer': {
      const page = screen.page(request.layer);
      if (!page) return;
      await doInput(request, page);
      if (mayOpenPicker(request)) await showPicker(request, page, post);
      return;
    }
    case 'pick':
    case 'fill':
    case 'closePicker': {
      const page = screen.page(request.layer);
      if (page) await answerPicker(request, page);
      return;
    }
    case 'address': {
      const url = webAddress(request.text);
      const page = screen.page('page');
      if (url !== undefined && !(await context.reach(url))) return;
      const reason =
        url === undefined ? l10n.t('“{0}” is no address.', request.text) : page && (await page.navigate(url));
      if (reason !== undefined) await post({ kind: 'notice', message: reason, gone: false });
      return;
    }
    case 'history':
      await screen.page('page')?.go(request.by);
      return;
    case 'tab':
      await (request.act === 'show' ? screen.show(request.id) : screen.closeTab(request.id));
      return;
    case 'newTab':
      await screen.newTab();
      return;
    case 'closeSurface':
      await screen.closeSurface();
      return;
    case 'describe': {
      const page = screen.page('page');
      if (page) await post({ kind: 'say', text: await describe(page, request) });
      return;
    }
    default:
      request satisfies never;
  }
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

async function doInput(request: InputRequest, page: PageScreen): Promise<void> {
  switch (request.kind) {
    case 'mouse':
      await page.mouse(request);
      return;
    case 'key':
      await page.key(request);
      return;
    case 'text':
      page.type(request.text);
      return;
    case 'compose':
      page.compose(request.text);
      return;
    case 'clipboard':
      await exchange(request.act, page);
      return;
    case 'answer':
      await page.answer(request.accept, request.text);
      return;
    default:
      request satisfies never;
  }
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

async function answerPicker(request: PickerRequest, page: PageScreen): Promise<void> {
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
