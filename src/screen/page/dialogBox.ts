import type { ScreenHostMessage } from '../screenMessages';
import type { Layer } from '../strokes';
import { element } from './elements';
import { post, texts } from './host';

type Dialog = Extract<ScreenHostMessage, { kind: 'dialog' }>;

/** How long an answer may be on its way, in milliseconds; then the dialog can be answered again. */
const ANSWERED_MS = 2000;

/** How long a dialog that follows another one must have been there to be answered, in milliseconds. */
const SEEN_MS = 300;

/** The dialog by which a page of the browser blocks itself, with its buttons. */
export class DialogBox {
  readonly #box = element('dialog', HTMLElement);
  readonly #speaker = element('speaker', HTMLElement);
  readonly #question = element('question', HTMLElement);
  readonly #answer = element('answer', HTMLInputElement);
  readonly #refuse = element('refuse', HTMLButtonElement);
  /** What is open on each layer. */
  readonly #open = new Map<Layer, Dialog>();
  #layer: Layer = 'page';
  #answeredAt = -Infinity;
  #shownAt = -Infinity;

  /** `leave` gives the focus back when the dialog had it. */
  constructor(private readonly leave: () => void) {
    element('answers', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(true);
    });
    this.#refuse.addEventListener('click', () => this.#send(false));
  }

  show(dialog: Dialog): void {
    if (dialog.type === '') this.#open.delete(dialog.layer);
    else this.#open.set(dialog.layer, dialog);
    // A closed dialog of the other layer does not close this one, and the one below it shows again.
    if (dialog.type === '' && dialog.layer !== this.#layer) return;
    this.#draw([...this.#open.values()].at(-1) ?? dialog);
  }

  #draw({ layer, type, speaker, message, prompt }: Dialog): void {
    this.#layer = layer;
    const hadFocus = document.hasFocus() && this.#box.contains(document.activeElement);
    this.#box.hidden = type === '';
    if (type === '') {
      if (hadFocus) this.leave();
      return;
    }
    this.#shownAt = performance.now();
    this.#speaker.textContent = speaker;
    this.#question.textContent = type === 'beforeunload' && message === '' ? texts.leaveQuestion : message;
    this.#answer.hidden = type !== 'prompt';
    this.#answer.value = prompt;
    this.#refuse.hidden = type === 'alert';
    if (document.hasFocus()) (type === 'prompt' ? this.#answer : element('accept', HTMLButtonElement)).focus();
  }

  hide(): void {
    this.#open.clear();
    this.show({ kind: 'dialog', layer: this.#layer, type: '', speaker: '', message: '', prompt: '' });
  }

  #send(accept: boolean): void {
    const now = performance.now();
    const [sinceAnswered, sinceShown] = [now - this.#answeredAt, now - this.#shownAt];
    // The answer is on its way; or this is the second press of a double click, and the next dialog has come, which nobody has seen.
    const isAnswered = sinceAnswered <= sinceShown && sinceAnswered < ANSWERED_MS;
    const isUnseen = sinceShown < SEEN_MS && sinceAnswered < ANSWERED_MS;
    if (isAnswered || isUnseen) return;
    this.#answeredAt = now;
    post({ kind: 'answer', layer: this.#layer, accept, text: this.#answer.value });
  }
}
