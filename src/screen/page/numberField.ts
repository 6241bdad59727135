import { parseWhole } from '../rememberedState';
import { format, type ScrollTexts } from '../screenTexts';
import { element } from './elements';

/** A field for a whole number with limits, and its error beside it. Keeps the last valid value while an invalid one is entered. */
export class NumberField {
  readonly #input: HTMLInputElement;
  readonly #error: HTMLElement;
  #value: number;
  #min: number;
  #max: number;

  /** `onChange` is called when the user has changed the text, also to an invalid one. */
  constructor(
    id: string,
    value: number,
    limits: { min: number; max: number },
    private readonly texts: ScrollTexts,
    onChange: () => void,
  ) {
    this.#input = element(id, HTMLInputElement);
    this.#error = element(`${id}Error`, HTMLElement);
    this.#value = value;
    this.#min = limits.min;
    this.#max = limits.max;
    this.limit(limits.min, limits.max);
    this.value = value;
    this.#input.addEventListener('input', () => {
      this.#read();
      onChange();
    });
  }

  get value(): number {
    return this.#value;
  }

  set value(value: number) {
    this.#value = value;
    this.#input.value = String(value);
    this.#show('');
  }

  /** False while the field holds an invalid value. */
  get isValid(): boolean {
    return this.#error.textContent === '';
  }

  /** The text of the field while it is invalid. */
  get draft(): string | undefined {
    return this.isValid ? undefined : this.#input.value;
  }

  /** Puts an invalid text back into the field. */
  set draft(text: string | undefined) {
    if (text === undefined) return;
    this.#input.value = text;
    this.#read();
  }

  set isEnabled(enabled: boolean) {
    this.#input.disabled = !enabled;
  }

  limit(min: number, max: number): void {
    this.#min = min;
    this.#max = max;
    this.#input.min = String(min);
    this.#input.max = String(max);
  }

  focus(): void {
    this.#input.focus();
  }

  #read(): void {
    const value = parseWhole(this.#input.value, this.#min, this.#max);
    this.#show(value === undefined ? format(this.texts.outOfRange, this.#min, this.#max) : '');
    if (value !== undefined) this.#value = value;
  }

  #show(error: string): void {
    this.#error.textContent = error;
    this.#input.setAttribute('aria-invalid', String(error !== ''));
  }
}
