import type { Point, Screen } from '../scroll/protocol';
import type { ScreenHostMessage, StreamState } from '../scroll/screenMessages';
import type { Layer } from '../scroll/strokes';
import { format } from '../scroll/texts';
import { element } from './elements';
import { post, texts } from './host';

type Frame = Extract<ScreenHostMessage, { kind: 'frame' }>;

/** Size of a page before its first picture, in CSS pixels. */
const FIRST_SIZE = { width: 1280, height: 800 };

/** The least height of the picture, in CSS pixels. */
const LEAST_HEIGHT = 120;

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
    requestAnimationFrame(() => {
      this.#paint();
    });
  }

  clear(): void {
    this.size = undefined;
    this.canvas.hidden = true;
  }

  #paint(): void {
    this.#isScheduled = false;
    const bitmap = this.#waiting;
    this.#waiting = undefined;
    if (!bitmap) return;
    const { canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0);
    bitmap.close();
    canvas.hidden = false;
    this.onDrawn(this.#isResized);
    this.#isResized = false;
  }
}

/** The picture of the browser, as large as there is room for and never larger than it is, and what is shown on it. */
export class Stage {
  readonly pad = element('pad', HTMLElement);
  readonly #stage = element('stage', HTMLElement);
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
  #markTimer: number | undefined;
  #point: { at: Point; screen: Screen } | undefined;

  constructor() {
    this.picture = new LayerPicture(element('picture', HTMLCanvasElement), (isResized) => {
      this.#drawn += 1;
      if (isResized) this.#layOut();
    });
    this.#surface = new LayerPicture(element('surface', HTMLCanvasElement), (isResized) => {
      if (isResized) this.#layOut();
    });
    new ResizeObserver(() => {
      this.#layOut();
    }).observe(this.#stage);
    setInterval(() => {
      // Still pictures have no rate.
      const text = this.#drawn > 0 && this.pad.dataset['state'] === 'live' ? format(texts.fps, this.#drawn) : '';
      this.#drawn = 0;
      if (this.#fps.textContent !== text) this.#fps.textContent = text;
    }, 1000);
    this.#layOut();
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
    if (state !== 'live') this.showSurface('');
  }

  /** Shows that a popup or a side panel is open, or none. */
  showSurface(kind: '' | 'popup' | 'sidePanel'): void {
    this.#surfaceKind = kind;
    this.#close.hidden = kind === '';
    const label = kind === 'sidePanel' ? texts.sidePanel : texts.popup;
    this.#surface.canvas.setAttribute('aria-label', label);
    if (kind === '') this.#surface.clear();
    this.#layOut();
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

  #layer(layer: Layer): LayerPicture {
    return layer === 'page' ? this.picture : this.#surface;
  }

  /** Sizes and positions of the pictures: a popup over the top right corner of its page, a side panel to the right of it. */
  #layOut(): void {
    const page = this.picture.size ?? FIRST_SIZE;
    const surface = this.#surfaceKind === '' ? undefined : this.#surface.size;
    const beside = surface && this.#surfaceKind === 'sidePanel' ? surface : { width: 0, height: 0 };
    const whole = { width: page.width + beside.width, height: Math.max(page.height, beside.height) };
    // No higher than the width allows, so that what is below stays beside the picture.
    const widest = Math.min(this.#stage.clientWidth / whole.width, 1);
    this.#stage.style.maxHeight = `${Math.ceil(whole.height * widest)}px`;
    const room = { width: this.#stage.clientWidth, height: Math.max(this.#stage.clientHeight, LEAST_HEIGHT) };
    const scale = Math.min(room.width / whole.width, room.height / whole.height, 1);
    place(this.pad, whole, scale);
    place(this.picture.canvas, page, scale);
    if (surface) {
      place(this.#surface.canvas, surface, scale);
      this.#surface.canvas.dataset['kind'] = this.#surfaceKind;
    }
    this.#shownSize.textContent = this.isShown ? `${Math.round(page.width)} × ${Math.round(page.height)}` : '';
    const width = Math.round(page.width * scale * devicePixelRatio);
    const height = Math.round(page.height * scale * devicePixelRatio);
    if (width < 1 || height < 1 || this.#area === `${width} ${height}`) return;
    this.#area = `${width} ${height}`;
    post({ kind: 'area', width, height });
  }
}

function place(target: HTMLElement, size: { width: number; height: number }, scale: number): void {
  target.style.width = `${Math.floor(size.width * scale)}px`;
  target.style.height = `${Math.floor(size.height * scale)}px`;
}
