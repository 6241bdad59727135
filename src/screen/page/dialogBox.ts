import type { ScreenHostMessage } from '../screenMessages';
import type { Layer } from '../strokes';
import { element } from './elements';
import { post, texts } from './host';

type Dialog = Extract<ScreenHostMessage, { kind: 'dialog' }>;

/** The dialog by which a page of the browser blocks itself, with its buttons. */
export class DialogBox {
  readonly #box = element('dialog', HTMLElement);
  readonly #speaker = element('speaker', HTMLElement);
  readonly #question = element('question', HTMLElement);
  readonly #answer = element('answer', HTMLInputElement);
  readonly #refuse = element('refuse', HTMLButtonElement);
  #layer: Layer = 'page';

  /** `leave` gives the focus back when the dialog had it. */
  constructor(private readonly leave: () => void) {
    element('answers', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(true);
    });
    this.#refuse.addEventListener('click', () => this.#send(false));
  }

  show({ layer, type, speaker, message, prompt }: Dialog): void {
    // A closed dialog of the other layer does not close this one.
    if (type === '' && layer !== this.#layer) return;
    this.#layer = layer;
    const hadFocus = document.hasFocus() && this.#box.contains(document.activeElement);
    this.#box.hidden = type === '';
    if (type === '') {
      if (hadFocus) this.leave();
      return;
    }
    this.#speaker.textContent = speaker;
    this.#question.textContent = type === 'beforeunload' && message === '' ? texts.leaveQuestion : message;
    this.#answer.hidden = type !== 'prompt';
    this.#answer.value = prompt;
    this.#refuse.hidden = type === 'alert';
    if (document.hasFocus()) (type === 'prompt' ? this.#answer : element('accept', HTMLButtonElement)).focus();
  }

  hide(): void {
    this.show({ kind: 'dialog', layer: this.#layer, type: '', speaker: '', message: '', prompt: '' });
  }

  #send(accept: boolean): void {
    post({ kind: 'answer', layer: this.#layer, accept, text: this.#answer.value });
  }
}
