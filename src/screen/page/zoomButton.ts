import { isResetZoom, resetZoomKey } from '../keyOwner';
import { format } from '../screenTexts';
import { element } from './elements';
import { IS_MAC, post, texts } from './host';

/** Says by how much the browser zooms the page, and goes back to 100 %: a button that is there as long as it does, and Ctrl+0 on the picture. */
export class ZoomButton {
  readonly #button = element('zoom', HTMLButtonElement);

  constructor(pad: HTMLElement) {
    this.#button.title = format(texts.resetZoom, resetZoomKey(IS_MAC));
    const reset = (): void => post({ kind: 'zoom', percent: 100 });
    this.#button.addEventListener('click', () => {
      // It goes away with the zoom.
      pad.focus();
      reset();
    });
    pad.addEventListener('keydown', (event) => {
      if (this.#button.hidden || !isResetZoom(event, IS_MAC)) return;
      // VS Code's own meaning of it is for pages that are not zoomed.
      event.preventDefault();
      event.stopPropagation();
      reset();
    });
  }

  /** In percent. */
  show(zoom: number): void {
    this.#button.hidden = zoom === 100;
    this.#button.textContent = format(texts.zoom, zoom);
  }
}
