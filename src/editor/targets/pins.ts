import type { Browser } from '../../service/model';
import type { ServiceParts } from '../service/connection';
import { Choice } from './rememberedChoice';
import { remembered, renamed, type RememberedBrowser } from './remembered';

/** The browsers that pushes of this workspace go to together, instead of the one target. Remembered per workspace. */
export class PushPins extends Choice<readonly RememberedBrowser[]> {
  constructor(parts: ServiceParts) {
    super('pinned', parts);
  }

  get browsers(): readonly RememberedBrowser[] {
    return this.chosen ?? [];
  }

  get isEmpty(): boolean {
    return this.browsers.length === 0;
  }

  has(sessionId: string): boolean {
    return this.browsers.some((pin) => pin.sessionId === sessionId);
  }

  async add(session: Browser): Promise<void> {
    if (!this.has(session.id)) await this.choose([...this.browsers, remembered(session)]);
  }

  async remove(sessionId: string): Promise<void> {
    if (this.has(sessionId)) await this.choose(this.browsers.filter((pin) => pin.sessionId !== sessionId));
  }

  /** Pins these browsers and no others. */
  async replace(sessions: readonly Browser[]): Promise<void> {
    if (sessions.length > 0 || !this.isEmpty) await this.choose(sessions.map(remembered));
  }

  /** Takes the names over that the service gives pinned browsers now, which are among these. */
  async follow(sessions: readonly Browser[]): Promise<void> {
    const now = renamed(this.browsers, sessions);
    if (now) await this.describe(now);
  }
}
