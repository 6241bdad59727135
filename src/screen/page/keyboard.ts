import { textField } from '../../base/fields';
import { ownerOf } from '../keyOwner';
import type { KeyStroke, Layer, PhysicalKey } from '../strokes';
import { IS_MAC, post } from './host';

/** Chromium's interface for text input without a text field, as far as it is used here. */
interface TextInput extends EventTarget {
  readonly text: string;
  updateText: (start: number, end: number, text: string) => void;
  updateControlBounds: (bounds: DOMRect) => void;
  updateSelectionBounds: (bounds: DOMRect) => void;
}

declare const EditContext: (new () => TextInput) | undefined;

export interface KeyboardOptions {
  /** Whether keys go to the browser. */
  isUsable: () => boolean;
  /** The layer that the keys go to. */
  layer: () => Layer;
  givesAll: () => boolean;
  /** Closes the popup or side panel that Escape is for; false when there is none. */
  closesSurface: () => boolean;
}

/**
 * The keyboard of the picture: keys by their events, and what an input method composes by Chromium's EditContext, without which such texts
 * are lost. Tab and Escape stay with VS Code unless the page gets them.
 */
export class Keyboard {
  readonly #input = typeof EditContext === 'undefined' ? undefined : new EditContext();
  /** The keys that are pressed in the page, by the codes of those that are pressed here. */
  readonly #down = new Map<string, PhysicalKey>();
  #isComposing = false;
  /** What is being composed and was not sent yet. */
  #composed: string | undefined;
  /** The text that an input method has just finished. */
  #committed: string | undefined;

  constructor(
    private readonly pad: HTMLElement,
    private readonly options: KeyboardOptions,
  ) {
    pad.addEventListener('keydown', (event) => {
      if (options.isUsable()) this.#onDown(event);
    });
    pad.addEventListener('keyup', (event) => this.#onUp(event));
    pad.addEventListener('blur', () => this.release());
    if (this.#input) this.#listen(this.#input);
  }

  /** Lets an input method type, which is possible as long as keys go to the browser. */
  set isEnabled(isEnabled: boolean) {
    if (this.#input) Reflect.set(this.pad, 'editContext', isEnabled ? this.#input : null);
  }

  /** Releases all keys that are pressed in the page. */
  release(): void {
    for (const pressed of this.#down.values()) this.#send('up', pressed);
    this.#down.clear();
  }

  #onDown(event: KeyboardEvent): void {
    const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
    const isComposing = event.isComposing || this.#isComposing;
    const isAltGraph = event.getModifierState('AltGraph');
    const press = { key, ctrlKey, shiftKey, altKey, metaKey, isComposing, isAltGraph };
    if (key === 'Escape' && !isComposing && this.options.closesSurface()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const owner = ownerOf(press, { isMac: IS_MAC, givesAll: this.options.givesAll() });
    if (owner.to === 'editor' || owner.to === 'method') return;
    // VS Code would do it, too.
    event.preventDefault();
    event.stopPropagation();
    if (owner.to === 'clipboard') {
      post({ kind: 'clipboard', layer: this.options.layer(), act: owner.act });
      return;
    }
    const { code, keyCode, location, repeat: isRepeated } = event;
    const pressed = owner.as ?? { key, code, keyCode, location };
    this.#down.set(code, pressed);
    this.#send('down', pressed, { text: owner.text, modifiers: owner.modifiers, isRepeated });
  }

  #onUp(event: KeyboardEvent): void {
    // macOS reports no release of a key that is let go while Command is held.
    if (IS_MAC && event.key === 'Meta') this.release();
    const pressed = this.#down.get(event.code);
    if (!pressed) return;
    this.#down.delete(event.code);
    event.preventDefault();
    event.stopPropagation();
    this.#send('up', pressed);
  }

  #send(
    type: 'down' | 'up',
    pressed: PhysicalKey,
    stroke: Pick<KeyStroke, 'text' | 'modifiers' | 'isRepeated'> = { text: '', modifiers: 0, isRepeated: false },
  ): void {
    post({ kind: 'key', layer: this.options.layer(), type, ...pressed, ...stroke });
  }

  /** Once a frame, and not for a text that is finished within it: the page would get both at the same moment. */
  #composeSoon(text: string): void {
    const isScheduled = this.#composed !== undefined;
    this.#composed = text;
    if (isScheduled) return;
    requestAnimationFrame(() => {
      if (this.#composed === undefined) return;
      post({ kind: 'compose', layer: this.options.layer(), text: this.#composed });
      this.#composed = undefined;
    });
  }

  #listen(input: TextInput): void {
    const clear = (): void => input.updateText(0, input.text.length, '');
    input.addEventListener('compositionstart', () => {
      this.#isComposing = true;
      const box = this.pad.getBoundingClientRect();
      input.updateControlBounds(box);
      input.updateSelectionBounds(new DOMRect(box.left + box.width / 3, box.top + box.height / 3, 1, 16));
    });
    input.addEventListener('textupdate', (event) => {
      const text = textField(event, 'text');
      if (this.#isComposing) this.#composeSoon(text);
      else if (text !== '' && text !== this.#committed) {
        post({ kind: 'text', layer: this.options.layer(), text });
        clear();
      }
    });
    input.addEventListener('compositionend', (event) => {
      this.#isComposing = false;
      this.#composed = undefined;
      const text = textField(event, 'data');
      // Whatever else is reported of this text now is the same text.
      this.#committed = text;
      setTimeout(() => {
        this.#committed = undefined;
      });
      const layer = this.options.layer();
      post(text === '' ? { kind: 'compose', layer, text } : { kind: 'text', layer, text });
      clear();
    });
  }
}
