import type { ServiceClient } from '../../src/service/client';
import type { Beacon } from './beacon';
import { PushWindow } from './pushWindow';
import type { Subject } from './subject';

/** First pushes to browsers of this machine. */
export class FirstPush {
  constructor(
    private readonly client: ServiceClient,
    private readonly subject: Subject,
    private readonly beacon: Beacon,
  ) {}

  /** Milliseconds from the push to a browser that was created a moment ago to the first statement of the worker. */
  async push(): Promise<number> {
    const browser = await this.client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const window = new PushWindow(this.client, true);
    try {
      const build = await this.subject.saveWorker();
      const started = performance.now();
      const pushing = window.push(browser, this.subject.folder, 'load');
      const [called] = await Promise.all([this.beacon.called(build), pushing]);
      return called - started;
    } finally {
      window.dispose();
      await this.client.deleteBrowser(browser.id);
    }
  }
}
