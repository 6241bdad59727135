import type { PageFrame } from '../../devtools/pages/pageModel';
import type { ScreenHostMessage } from '../../screen/screenMessages';
import type { Layer } from '../../screen/strokes';

/** Where frames come from, and where they are acknowledged. */
export interface SentScreen {
  page: (layer: Layer) => { acknowledge: (stream: number) => void } | undefined;
}

/** The frames that the page of a screen has not drawn yet. */
export class SentFrames {
  readonly #sent = new Map<number, { layer: Layer; stream: number; screen: SentScreen }>();
  #next = 1;

  /** The message with a frame, which counts as sent from then on. */
  messageOf(screen: SentScreen, layer: Layer, frame: PageFrame): Extract<ScreenHostMessage, { kind: 'frame' }> {
    const { stream, base64, width, height, scrollX, scrollY } = frame;
    const id = this.#next++;
    this.#sent.set(id, { layer, stream, screen });
    // VS Code sends the whole memory that an array is a part of, which for a Buffer may be shared.
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    return { kind: 'frame', layer, id, bytes, width, height, scrollX, scrollY };
  }

  /** The page has drawn a frame: the browser may send another one. */
  drawn(id: number): void {
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    sent?.screen.page(sent.layer)?.acknowledge(sent.stream);
  }

  clear(): void {
    this.#sent.clear();
  }
}
