import type { End, Point, Screen } from '../scroll/protocol';
import type { ScrollTexts } from '../scroll/texts';
import { NOTCHES_PER_PAGE, WheelPad, type Ticks } from '../scroll/wheel';
import { element } from './elements';

export interface PadOptions {
  texts: ScrollTexts;
  /** Ticks of one press of an arrow key. */
  ticks: () => { sideways: number; upDown: number };
  onTurn: (ticks: Ticks) => void;
  onPoint: (point: Point) => void;
  onEnd: (end: End) => void;
}

const END_KEYS: Readonly<Record<string, End>> = { Home: 'top', End: 'bottom' };

/** The focusable picture of the browser's screen: takes the wheel, arrow and page keys, Home, End, and clicks. Other keys stay with the editor. */
export class Pad {
  readonly #pad = element('pad', HTMLElement);
  readonly #picture = element('picture', HTMLImageElement);
  readonly #marker = element('marker', HTMLElement);
  readonly #wheel = new WheelPad();
  readonly #options: PadOptions;
  #screen: Screen | undefined;

  constructor(options: PadOptions) {
    this.#options = options;
    this.#pad.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
    this.#pad.addEventListener('keydown', (event) => this.#onKey(event));
    this.#pad.addEventListener('click', (event) => this.#onClick(event));
  }

  /** Without a screen the pad handles no events. */
  set screen(screen: Screen | undefined) {
    this.#screen = screen;
    this.#pad.setAttribute('aria-disabled', String(!screen));
    this.#wheel.reset();
  }

  focus(): void {
    this.#pad.focus();
  }

  show(base64: string): void {
    this.#picture.src = `data:image/png;base64,${base64}`;
    this.#picture.alt = this.#options.texts.picture;
  }

  mark({ x, y }: Point): void {
    if (!this.#screen) return;
    this.#marker.hidden = false;
    this.#marker.style.left = `${(x / this.#screen.width) * 100}%`;
    this.#marker.style.top = `${(y / this.#screen.height) * 100}%`;
  }

  #onWheel(event: WheelEvent): void {
    // With Ctrl it is the editor's zoom.
    if (!this.#screen || event.ctrlKey) return;
    event.preventDefault();
    this.#options.onTurn(this.#wheel.turn(event, event.timeStamp));
  }

  #onKey(event: KeyboardEvent): void {
    if (!this.#screen || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const end = END_KEYS[event.key];
    const ticks = this.#ticksOf(event.key);
    if (!ticks && !end) return;
    event.preventDefault();
    if (end) this.#options.onEnd(end);
    if (ticks) this.#options.onTurn(ticks);
  }

  #ticksOf(key: string): Ticks | undefined {
    const { sideways, upDown } = this.#options.ticks();
    switch (key) {
      case 'ArrowUp':
        return { right: 0, down: -upDown };
      case 'ArrowDown':
        return { right: 0, down: upDown };
      case 'ArrowLeft':
        return { right: -sideways, down: 0 };
      case 'ArrowRight':
        return { right: sideways, down: 0 };
      case 'PageUp':
        return { right: 0, down: -NOTCHES_PER_PAGE };
      case 'PageDown':
        return { right: 0, down: NOTCHES_PER_PAGE };
      default:
        return undefined;
    }
  }

  #onClick(event: MouseEvent): void {
    const screen = this.#screen;
    const box = this.#picture.getBoundingClientRect();
    if (!screen || !this.#picture.naturalWidth || box.width === 0 || box.height === 0) return;
    this.#options.onPoint({
      x: pixel((event.clientX - box.left) / box.width, screen.width),
      y: pixel((event.clientY - box.top) / box.height, screen.height),
    });
  }
}

function pixel(share: number, size: number): number {
  return Math.min(Math.max(Math.floor(share * size), 0), size - 1);
}
