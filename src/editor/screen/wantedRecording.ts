import type { RecordAct } from '../../screen/screenMessages';

/** A recording that is asked for before the page of a panel is there, which then records as soon as it has a live picture. */
export class WantedRecording {
  #isShown = false;
  #isWanted = false;

  /** `post` sends to the page. */
  constructor(private readonly post: (act: RecordAct) => Promise<void>) {}

  /** Has the page begin or end a recording, at once or when it is there. */
  async ask(act: RecordAct): Promise<void> {
    if (this.#isShown) await this.post(act);
    else this.#isWanted = act === 'toggle' ? !this.#isWanted : act === 'start';
  }

  /** The page shows the browser. */
  async shown(): Promise<void> {
    this.#isShown = true;
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    if (isWanted) await this.post('start');
  }

  /** The page is dropped. */
  hidden(): void {
    this.#isShown = false;
  }

  /** Another browser is about to be shown, of which none was asked for: ends also what the page waits for. */
  async drop(): Promise<void> {
    this.#isWanted = false;
    if (this.#isShown) await this.post('stop');
  }
}
