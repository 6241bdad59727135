import type { RecordAct } from '../screenMessages';
import { element } from './elements';
import { post, texts } from './host';

/** Pictures of a recording, per second at most. */
const FRAMES_PER_SECOND = 30;

/** How often a part of the recording goes to the host, in milliseconds: what comes later is lost when the panel is hidden meanwhile. */
const PART_MS = 250;

/** Records what the page's picture shows as a WebM video, by the browser's own encoder. */
export class Recorder {
  readonly #button = element('record', HTMLButtonElement);
  #recorder: MediaRecorder | undefined;
  /** Parts go to the host in their order. */
  #sending = Promise.resolve();

  /** A recording was asked for before there was a live picture. */
  #isWanted = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly isLive: () => boolean,
  ) {
    this.#button.addEventListener('click', () => this.request('toggle'));
  }

  /** Begins or ends a recording; it begins when there is a live picture. */
  request(act: RecordAct): void {
    const isOn = this.#recorder !== undefined || this.#isWanted;
    const wanted = act === 'toggle' ? !isOn : act === 'start';
    this.#isWanted = wanted && !this.#recorder;
    if (wanted) this.begin();
    else this.stop();
  }

  /** There is a live picture: begins the recording that was asked for before. */
  begin(): void {
    if (!this.#isWanted || !this.isLive()) return;
    this.#isWanted = false;
    this.#start();
  }

  /** Ends a recording, which the host then saves. */
  stop(): void {
    this.#recorder?.stop();
  }

  #start(): void {
    const stream = this.canvas.captureStream(FRAMES_PER_SECOND);
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm' });
    this.#recorder = recorder;
    this.#show(true);
    recorder.addEventListener('dataavailable', ({ data }) => {
      this.#send(data.arrayBuffer(), { isLast: false });
    });
    recorder.addEventListener('stop', () => {
      this.#recorder = undefined;
      this.#show(false);
      for (const track of stream.getTracks()) track.stop();
      this.#send(Promise.resolve(new ArrayBuffer(0)), { isLast: true });
    });
    recorder.start(PART_MS);
  }

  #send(part: Promise<ArrayBuffer>, { isLast }: { isLast: boolean }): void {
    this.#sending = this.#sending.then(async () => {
      post({ kind: 'recorded', bytes: new Uint8Array(await part), isLast });
    });
  }

  #show(isRecording: boolean): void {
    this.#button.classList.toggle('recording', isRecording);
    this.#button.setAttribute('aria-pressed', String(isRecording));
    const label = isRecording ? texts.stopRecording : texts.record;
    this.#button.setAttribute('aria-label', label);
    this.#button.title = label;
    const word = this.#button.querySelector('.word');
    if (word) word.textContent = isRecording ? texts.stopWord : texts.record;
  }
}
