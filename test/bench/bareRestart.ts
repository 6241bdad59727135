import { startBareChromium, type BareChromium } from '../support/bareChromium';
import { atEnd } from '../support/cleanup';
import type { Beacon } from './beacon';
import type { Subject } from './subject';

/** The floor of a push with a restart: a Chromium with the extension on its command line, without service and archive. */
export class BareRestart {
  private constructor(
    private readonly begin: () => Promise<BareChromium>,
    private chromium: BareChromium,
    private readonly build: string,
    private readonly beacon: Beacon,
  ) {
    atEnd('the restarted browser', () => this.chromium.stop());
  }

  static async start(executable: string, profile: string, subject: Subject, beacon: Beacon): Promise<BareRestart> {
    const build = await subject.saveWorker();
    const begin = (): Promise<BareChromium> => startBareChromium(executable, profile, [subject.folder]);
    const chromium = await begin();
    await beacon.called(build);
    return new BareRestart(begin, chromium, build, beacon);
  }

  /** Milliseconds from SIGKILL to the first statement of the worker after the next start. */
  async restart(): Promise<number> {
    const started = performance.now();
    await this.chromium.stop();
    // Chromium may keep the worker's script of before under the same folder, so the same build calls each time.
    const calling = this.beacon.calledAgain(this.build);
    [this.chromium] = await Promise.all([this.begin(), calling]);
    return (await calling) - started;
  }
}
