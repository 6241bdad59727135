import { MODIFIER_BITS } from '../strokes';
import { PixelWheel } from '../wheel/pixelWheel';
import type { Layer } from '../strokes';
import { post } from './host';
import type { LayerPoint, ScreenCanvas } from './canvas';

/** How long an answer to a turn of the wheel may take until the next one is sent, in milliseconds. */
const ANSWER_LIMIT_MS = 3000;

export interface PointerOptions {
  /** Whether the mouse acts in the browser. */
  isUsable: () => boolean;
  /** Whether the picture is one of the service, which takes no points outside of it and only whole ticks of the wheel. */
  isByService: () => boolean;
  turnByTicks: (event: WheelEvent, at: LayerPoint) => void;
}

/** Mouse and wheel on the picture, for what is shown there. */
export class Pointer {
  readonly #wheel = new PixelWheel();
  /** The layer on which a button is pressed. */
  #held: Layer | undefined;
  #move: { point: LayerPoint; event: MouseEvent } | undefined;
  #isMoveScheduled = false;
  #turnAt: { point: LayerPoint; modifiers: number } | undefined;
  #turnId = Math.floor(performance.timeOrigin);
  #limit: number | undefined;
  /** The layer that was clicked last, which the keyboard goes to. */
  layer: Layer = 'page';

  constructor(
    private readonly canvas: ScreenCanvas,
    private readonly options: PointerOptions,
  ) {
    const { pad } = canvas;
    pad.addEventListener('mousedown', (event) => this.#press(event));
    pad.addEventListener('mousemove', (event) => {
      if (this.#held === undefined) this.#moveTo(event);
    });
    window.addEventListener('mousemove', (event) => {
      if (this.#held !== undefined) this.#moveTo(event);
    });
    window.addEventListener('mouseup', (event) => this.#release(event));
    pad.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    // The page in the browser has a menu of its own.
    pad.addEventListener('contextmenu', (event) => {
      if (!this.options.isUsable()) return;
      event.preventDefault();
      event.stopPropagation();
    });
    // VS Code would scroll by it.
    pad.addEventListener('auxclick', (event) => event.preventDefault());
  }

  /** A batch of the wheel was handled. */
  turned(id: number): boolean {
    if (id !== this.#turnId) return false;
    this.#next();
    return true;
  }

  /** Forgets what is pressed and what waits. */
  drop(): void {
    this.#wheel.drop();
    this.#held = undefined;
    this.#move = undefined;
    clearTimeout(this.#limit);
  }

  #press(event: MouseEvent): void {
    const point = this.options.isUsable() ? this.canvas.pointOf(event) : undefined;
    if (!point) return;
    event.preventDefault();
    this.canvas.pad.focus();
    this.#held = point.layer;
    this.layer = point.layer;
    this.#sendMove();
    this.#send('down', point, event);
  }

  #release(event: MouseEvent): void {
    const point = this.#held && this.canvas.pointOf(event, this.#held);
    // Also when the layer has gone, as a popup that closes by the press: otherwise nothing would move any more.
    if (event.buttons === 0) this.#held = undefined;
    if (!point) return;
    event.preventDefault();
    this.#sendMove();
    this.#send('up', point, event);
  }

  /** Movements within a frame are sent as one. */
  #moveTo(event: MouseEvent): void {
    const point = this.options.isUsable() ? this.canvas.pointOf(event, this.#held) : undefined;
    if (!point) return;
    this.#move = { point, event };
    if (this.#isMoveScheduled) return;
    this.#isMoveScheduled = true;
    requestAnimationFrame(() => {
      this.#isMoveScheduled = false;
      this.#sendMove();
    });
  }

  #sendMove(): void {
    if (!this.#move) return;
    const { point, event } = this.#move;
    this.#move = undefined;
    this.#send('move', point, event);
  }

  #send(type: 'down' | 'up' | 'move', point: LayerPoint, event: MouseEvent): void {
    const { layer, x, y } = this.options.isByService() ? this.canvas.inside(point) : point;
    const { buttons, detail } = event;
    const held = [0, 2, 1].find((button) => (buttons & (1 << [0, 2, 1].indexOf(button))) !== 0) ?? -1;
    const button = type === 'move' ? held : event.button;
    const clicks = type === 'move' ? 0 : detail;
    post({ kind: 'mouse', layer, type, x, y, button, buttons, clicks, modifiers: modifiersOf(event) });
  }

  #turn(event: WheelEvent): void {
    const point = this.options.isUsable() ? this.canvas.pointOf(event) : undefined;
    if (!point) return;
    event.preventDefault();
    if (this.options.isByService()) {
      this.options.turnByTicks(event, point);
      return;
    }
    this.#turnAt = {
      point,
      modifiers: modifiersOf(event) & ~(event.deltaY !== 0 || event.deltaX !== 0 ? MODIFIER_BITS.shift : 0),
    };
    this.#wheel.add(event, this.canvas.sizeOf(point.layer));
    this.#take();
  }

  #next(): void {
    clearTimeout(this.#limit);
    this.#wheel.finish();
    this.#take();
  }

  #take(): void {
    const batch = this.#turnAt && !document.hidden ? this.#wheel.take() : undefined;
    if (!batch || !this.#turnAt) return;
    const { point, modifiers } = this.#turnAt;
    this.#turnId += 1;
    post({ kind: 'wheel', id: this.#turnId, ...point, ...batch, modifiers });
    this.#limit = setTimeout(() => this.#next(), ANSWER_LIMIT_MS);
  }
}

/** The modifier keys of an event, as bits. */
function modifiersOf(event: MouseEvent): number {
  const { alt, ctrl, meta, shift } = MODIFIER_BITS;
  return (
    (event.altKey ? alt : 0) | (event.ctrlKey ? ctrl : 0) | (event.metaKey ? meta : 0) | (event.shiftKey ? shift : 0)
  );
}
