import type { Picker } from '../pickers';
import type { ScreenHostMessage } from '../screenMessages';
import type { Layer } from '../strokes';
import { element } from './elements';
import { post } from './host';
import type { ScreenCanvas } from './canvas';

type Message = Extract<ScreenHostMessage, { kind: 'picker' }>;

/** Most entries of a list that are seen at once. */
const MOST_ROWS = 12;

/** What a browser draws itself over its page, as controls of this page at the same place: the list of a field, or a field of its own. */
export class PickerBox {
  readonly #box = element('picker', HTMLFormElement);
  readonly #list = element('list', HTMLSelectElement);
  readonly #field = element('field', HTMLInputElement);
  readonly #fill = element('fill', HTMLButtonElement);
  #layer: Layer = 'page';

  constructor(private readonly canvas: ScreenCanvas) {
    this.#box.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#choose();
    });
    this.#list.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLOptionElement && !target.disabled) this.#choose();
    });
    this.#list.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#choose();
    });
    this.#box.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    });
    // The browser closes its own by the same.
    for (const type of ['mousedown', 'wheel'] as const) {
      canvas.pad.addEventListener(type, () => this.hide(), { capture: true, passive: true });
    }
  }

  show({ layer, picker }: Message): void {
    this.#layer = layer;
    const isList = picker.kind === 'list';
    this.#list.hidden = !isList;
    this.#field.hidden = isList;
    this.#fill.hidden = isList;
    this.#box.hidden = false;
    if (picker.kind === 'list') this.#showList(picker);
    else this.#showField(picker);
    this.#place(this.canvas.boxOf(layer, picker));
    if (document.hasFocus()) (isList ? this.#list : this.#field).focus();
  }

  /** Takes it away; the browser has closed its own, or does so by the same act. */
  hide(): void {
    if (this.#box.hidden) return;
    const hadFocus = document.hasFocus() && this.#box.contains(document.activeElement);
    this.#box.hidden = true;
    if (hadFocus) this.canvas.pad.focus();
  }

  #showList({ options, index }: Extract<Picker, { kind: 'list' }>): void {
    this.#list.replaceChildren();
    let group: HTMLOptGroupElement | undefined;
    for (const [at, { label, group: heading, isDisabled, isHidden }] of options.entries()) {
      if (isHidden) continue;
      if (heading === '') group = undefined;
      else if (group?.label !== heading) {
        group = document.createElement('optgroup');
        group.label = heading;
        this.#list.append(group);
      }
      const option = new Option(label, String(at), at === index, at === index);
      option.disabled = isDisabled;
      (group ?? this.#list).append(option);
    }
    const rows = options.filter(({ isHidden }) => !isHidden).length + this.#list.querySelectorAll('optgroup').length;
    // With one row, it would be closed.
    this.#list.size = Math.min(Math.max(rows, 2), MOST_ROWS);
  }

  #showField({ type, value, min, max, step }: Extract<Picker, { kind: 'field' }>): void {
    Object.assign(this.#field, { type, min, max, step });
    this.#field.value = value;
  }

  /** Below the element of the page, else above it, and within the place of the screen. */
  #place({ x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const box = this.#box;
    const room = box.offsetParent;
    if (!room) return;
    this.#list.style.minWidth = `${width}px`;
    box.style.maxWidth = `${room.clientWidth}px`;
    const left = Math.max(Math.min(x, room.clientWidth - box.offsetWidth), 0);
    const isBelow = y + height + box.offsetHeight <= room.clientHeight || y < box.offsetHeight;
    box.style.left = `${left}px`;
    box.style.top = `${isBelow ? y + height : y - box.offsetHeight}px`;
  }

  #choose(): void {
    const layer = this.#layer;
    const index = Number(this.#list.value);
    if (!this.#list.hidden)
      post(this.#list.value === '' ? { kind: 'closePicker', layer } : { kind: 'pick', layer, index });
    if (!this.#field.hidden) post({ kind: 'fill', layer, value: this.#field.value });
    this.hide();
  }

  #close(): void {
    post({ kind: 'closePicker', layer: this.#layer });
    this.hide();
  }
}
