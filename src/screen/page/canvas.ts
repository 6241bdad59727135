import { fitSize, fixedSize, type ShownSize } from '../pageSizes';
import type { Point, Screen } from '../protocol';
import type { ScreenHostMessage, StreamState } from '../screenMessages';
import type { Layer } from '../strokes';
import { format } from '../screenTexts';
import { element } from './elements';
import { post, stateNow, texts } from './host';

type Frame = Extract<ScreenHostMessage, { kind: 'frame' }>;

/** Size of a page before its first picture, in CSS pixels. */
const FIRST_SIZE = { width: 1280, height: 800 };

/** The least height of the picture, in CSS pixels. */
const LEAST_HEIGHT = 120;

/** Distance of a popup from the edges of its page, in CSS pixels. */
const MARGIN = 6;

/** Least time between two sizes that are asked for, in milliseconds. */
const SIZE_MS = 250;

/** How long a push is marked on the picture, in milliseconds. */
const MARK_MS = 4000;

/** A point of a layer, in CSS pixels of its viewport. */
export interface LayerPoint extends Point {
  layer: Layer;
}

/** One picture: its canvas, the size of its viewport, and the newest frame that is not drawn yet. */
class LayerPicture {
  size: { width: number; height: number } | undefined;
  #waiting: ImageBitmap | undefined;
  #isScheduled = false;
  #isResized = false;
  #newest = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    /** Called after each picture. `isResized`: the size of the viewport has changed. */
    private readonly onDrawn: (isResized: boolean) => void,
  ) {}

  /**
   * Draws a picture with the next frame of the screen; an older one that is not drawn yet is skipped. `given`: the size of the viewport that it
   * shows; its own pixels otherwise.
   */
  async draw(bytes: Uint8Array, type: string, order: number, given?: { width: number; height: number }): Promise<void> {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type }));
    const size = given ?? { width: bitmap.width, height: bitmap.height };
    if (order < this.#newest) {
      bitmap.close();
      return;
    }
    this.#newest = order;
    this.#waiting?.close();
    this.#waiting = bitmap;
    this.#isResized ||= this.size?.width !== size.width || this.size.height !== size.height;
    this.size = size;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => this.#paint());
  }

  /**
   * To be called when its place has another size. A picture with a pixel for each of the display is not smoothed: the editor may show the panel
   * between two of them, as at 150 %, which would blur it.
   */
  align(): void {
    const { canvas } = this;
    const isExact = Math.abs(canvas.clientWidth * devicePixelRatio - canvas.width) < 1;
    canvas.style.imageRendering = isExact ? 'pixelated' : 'auto';
  }

  /** Hides it. Pictures up to `order` are not shown any more, also when they are being decoded or wait for the next frame of the screen. */
  clear(order: number): void {
    this.#newest = order + 1;
    this.#waiting?.close();
    this.#waiting = undefined;
    this.size = undefined;
    this.canvas.hidden = true;
  }

  #paint(): void {
    this.#isScheduled = false;
    const bitmap = this.#waiting;
    this.#waiting = undefined;
    if (!bitmap) return;
    const { canvas } = this;
    const hasOtherPixels = canvas.width !== bitmap.width || canvas.height !== bitmap.height;
    if (hasOtherPixels) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0);
    bitmap.close();
    canvas.hidden = false;
    this.onDrawn(this.#isResized);
    if (hasOtherPixels) this.align();
    this.#isResized = false;
  }
}

/** A size in CSS pixels. */
interface Size {
  width: number;
  height: number;
}

/** A box in the frame of the canvas. */
export interface Box extends Size {
  x: number;
  y: number;
}

/** The picture of the browser, as large as there is room for and never larger than it is, and what is shown on it. */
export class ScreenCanvas {
  readonly pad = element('pad', HTMLElement);
  readonly #frame = element('stage', HTMLElement);
  readonly #cover = element('cover', HTMLElement);
  readonly #marker = element('marker', HTMLElement);
  readonly #mark = element('mark', HTMLElement);
  readonly #close = element('closeSurface', HTMLButtonElement);
  readonly #fps = element('fps', HTMLElement);
  readonly #shownSize = element('shownSize', HTMLElement);
  readonly picture: LayerPicture;
  readonly #surface: LayerPicture;
  #surfaceKind: '' | 'popup' | 'sidePanel' = '';
  #order = 0;
  #drawn = 0;
  #area = '';
  #size = '';
  #wanted: ShownSize | undefined;
  #wantedArea = { width: 0, height: 0 };
  #isByService = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #tellTimer: number | undefined;
  #markTimer: number | undefined;
  #point: { at: Point; screen: Screen } | undefined;

  constructor() {
    this.picture = new LayerPicture(element('picture', HTMLCanvasElement), (isResized) => {
      this.#drawn += 1;
      if (isResized) this.layOut();
    });
    this.#surface = new LayerPicture(element('surface', HTMLCanvasElement), (isResized) => {
      if (isResized) this.layOut();
    });
    new ResizeObserver(() => this.layOut()).observe(this.#frame);
    setInterval(() => {
      // Still pictures have no rate.
      const text = this.#drawn > 0 && this.pad.dataset['state'] === 'live' ? format(texts.fps, this.#drawn) : '';
      this.#drawn = 0;
      if (this.#fps.textContent !== text) this.#fps.textContent = text;
    }, 1000);
    this.layOut();
  }

  /** Draws a frame of the live picture, and says so to the host. */
  async showFrame({ layer, id, bytes, width, height }: Frame): Promise<void> {
    try {
      // Not by its id: pictures of the service have none, and come in between.
      this.#order += 1;
      await this.#layer(layer).draw(bytes, 'image/jpeg', this.#order, { width, height });
    } finally {
      post({ kind: 'drawn', layer, id });
    }
  }

  /** Shows a still picture of the service. */
  async showStill(bytes: Uint8Array): Promise<void> {
    this.#order += 1;
    await this.picture.draw(bytes, 'image/png', this.#order);
  }

  /** Shows why there is no picture, or an old one. */
  showState(state: StreamState, reason: string): void {
    const isCovered = state !== 'live' && state !== 'whole' && state !== 'still';
    this.#cover.textContent = isCovered ? reason : '';
    this.#cover.hidden = !isCovered || reason === '';
    this.pad.dataset['state'] = state;
    this.#isByService = state === 'still' || state === 'whole' || state === 'controls';
    this.layOut();
    if (state !== 'live' && state !== 'waiting') this.showSurface('');
  }

  get surfaceKind(): '' | 'popup' | 'sidePanel' {
    return this.#surfaceKind;
  }

  showSurface(kind: '' | 'popup' | 'sidePanel'): void {
    this.#surfaceKind = kind;
    this.#close.hidden = kind === '';
    const label = kind === 'sidePanel' ? texts.sidePanel : texts.popup;
    this.#surface.canvas.setAttribute('aria-label', label);
    if (kind === '') this.#surface.clear(this.#order);
    this.layOut();
  }

  /** Marks the picture with a push for a moment. */
  showMark(text: string): void {
    if (text === '') return;
    this.#mark.textContent = text;
    this.#mark.hidden = false;
    clearTimeout(this.#markTimer);
    this.#markTimer = setTimeout(() => {
      this.#mark.hidden = true;
    }, MARK_MS);
  }

  /** Shows the point of the form, in pixels of the browser's screen; undefined hides it. */
  showPoint(at: Point | undefined, screen?: Screen): void {
    this.#point = at && screen ? { at, screen } : undefined;
    this.#marker.hidden = !this.#point;
    if (!this.#point) return;
    this.#marker.style.left = `${(this.#point.at.x / this.#point.screen.width) * 100}%`;
    this.#marker.style.top = `${(this.#point.at.y / this.#point.screen.height) * 100}%`;
  }

  /** Whether there is a picture. */
  get isShown(): boolean {
    return this.picture.size !== undefined;
  }

  /** The size of a layer's viewport in CSS pixels. */
  sizeOf(layer: Layer): { width: number; height: number } {
    return this.#layer(layer).size ?? FIRST_SIZE;
  }

  /** The place of the mouse on a layer; on the one under it, unless it is `held` by another. Undefined beside the pictures. */
  pointOf(event: MouseEvent, held?: Layer): LayerPoint | undefined {
    const layer = held ?? (event.target === this.#surface.canvas ? 'surface' : 'page');
    const { canvas, size } = this.#layer(layer);
    const box = canvas.getBoundingClientRect();
    if (!size || box.width === 0 || box.height === 0) return undefined;
    const x = ((event.clientX - box.left) / box.width) * size.width;
    const y = ((event.clientY - box.top) / box.height) * size.height;
    const isInside = x >= 0 && y >= 0 && x < size.width && y < size.height;
    return isInside || held ? { layer, x, y } : undefined;
  }

  /** The nearest point of the picture. */
  inside({ layer, x, y }: LayerPoint): LayerPoint {
    const { width, height } = this.sizeOf(layer);
    return { layer, x: Math.min(Math.max(x, 0), width - 1), y: Math.min(Math.max(y, 0), height - 1) };
  }

  /** A box of a layer's viewport, in CSS pixels of the frame. */
  boxOf(layer: Layer, { x, y, width, height }: Box): Box {
    const { canvas, size } = this.#layer(layer);
    const [frame, shown] = [this.#frame.getBoundingClientRect(), canvas.getBoundingClientRect()];
    const scale = size ? shown.width / size.width : 1;
    return {
      x: shown.left - frame.left + x * scale,
      y: shown.top - frame.top + y * scale,
      width: width * scale,
      height: height * scale,
    };
  }

  #layer(layer: Layer): LayerPicture {
    return layer === 'page' ? this.picture : this.#surface;
  }

  /**
   * Sizes and positions of the pictures. A page that is to fit gets the whole room. A popup over the top right corner of its page, and a side
   * panel at its right edge, have their own size as long as there is room for that.
   */
  layOut(): void {
    const page = this.picture.size ?? FIRST_SIZE;
    const surface = this.#surfaceKind === '' ? undefined : this.#surface.size;
    const isFit = stateNow().size === 'fit' && !this.#isByService;
    // No higher than the width allows, so that what is below stays beside the picture.
    const widest = Math.min(this.#frame.clientWidth / page.width, 1);
    const highest = Math.max(
      Math.ceil(page.height * widest),
      surface ? surface.height + 2 * MARGIN + this.#close.offsetHeight : 0,
    );
    this.#frame.style.maxHeight = isFit ? '' : `${highest}px`;
    const room = { width: this.#frame.clientWidth, height: Math.max(this.#frame.clientHeight, LEAST_HEIGHT) };
    const scale = Math.min(room.width / page.width, room.height / page.height, 1);
    const pad = place(this.pad, page, scale);
    place(this.picture.canvas, page, scale);
    if (surface) this.#layOutSurface(surface, room, { ...pad, x: (room.width - pad.width) / 2 });
    this.picture.align();
    this.#surface.align();
    this.#shownSize.textContent = this.isShown ? `${Math.round(page.width)} × ${Math.round(page.height)}` : '';
    // Pictures of the service show the window as it is.
    if (this.#isByService) return;
    this.#wanted = isFit ? fitSize(room, devicePixelRatio) : fixedSize(stateNow().size, stateNow());
    const [area, ratio] = isFit && this.#wanted ? [this.#wanted, 1] : [page, scale];
    this.#wantedArea = {
      width: Math.round(area.width * ratio * devicePixelRatio),
      height: Math.round(area.height * ratio * devicePixelRatio),
    };
    this.#tellSoon();
  }

  #layOutSurface(surface: Size, room: Size, pad: Box): void {
    const isPopup = this.#surfaceKind === 'popup';
    const margin = isPopup ? MARGIN : 0;
    const button = this.#close;
    const scaleIn = (height: number): number => Math.min(room.width / surface.width, height / surface.height, 1);
    // As far to the right as its page, but never cut on the left.
    const leftOf = (width: number): number => Math.max(pad.x + pad.width - width - margin, 0);
    const whole = scaleIn(room.height - margin);
    // The button that closes it is outside of it: to the left where there is room, else below, where it is made.
    const isBeside = leftOf(surface.width * whole) > button.offsetWidth;
    const scale = isBeside ? whole : scaleIn(room.height - margin - button.offsetHeight);
    const { canvas } = this.#surface;
    const { width, height } = place(canvas, surface, scale);
    const x = leftOf(width);
    canvas.style.left = `${x - pad.x}px`;
    canvas.style.top = `${margin}px`;
    canvas.dataset['kind'] = this.#surfaceKind;
    button.style.left = `${isBeside ? x - button.offsetWidth : x + width - button.offsetWidth}px`;
    button.style.top = `${isBeside ? margin : margin + height}px`;
  }

  /** Asks for the size of the page and of its pictures, not too often while the place of the screen is being resized. */
  #tellSoon(): void {
    if (this.#tellTimer !== undefined) return;
    this.#tellTimer = setTimeout(
      () => {
        this.#tellTimer = undefined;
        this.#toldAt = performance.now();
        this.#tell();
      },
      Math.max(this.#toldAt + SIZE_MS - performance.now(), 0),
    );
  }

  #tell(): void {
    const size = this.#wanted ?? 'window';
    const text = JSON.stringify(size);
    if (this.#size !== text) post({ kind: 'size', size });
    this.#size = text;
    const { width, height } = this.#wantedArea;
    if (width < 1 || height < 1 || this.#area === `${width} ${height}`) return;
    this.#area = `${width} ${height}`;
    post({ kind: 'area', width, height });
  }
}

/** Gives an element the size of a picture, scaled. */
function place(target: HTMLElement, size: Size, scale: number): Box {
  const [width, height] = [Math.floor(size.width * scale), Math.floor(size.height * scale)];
  target.style.width = `${width}px`;
  target.style.height = `${height}px`;
  return { x: 0, y: 0, width, height };
}
