import type { HostMessage, PageMessage } from '../../scroll/protocol';
import type { ServiceClient } from '../../service/client';
import type { BrowserSession } from '../../service/model';
import { sentenceFor } from '../messages';
import { goToEnd, turnWheel } from './scrolling';

export interface ExactScrollOptions {
  client: () => Promise<ServiceClient>;
  post: (message: HostMessage) => Promise<void>;
  /** The browser was scrolled. */
  onScrolled: () => void;
  /** A request failed. `isTold`: the page knows it already. */
  onFailure: (error: unknown, isTold: boolean) => Promise<void>;
}

/** What the form of the page asks for, which goes through the service: whole ticks at a point, and the ends of the page. */
export class ExactScroll {
  constructor(private readonly options: ExactScrollOptions) {}

  async turn(session: BrowserSession, message: Extract<PageMessage, { kind: 'scroll' }>): Promise<void> {
    const { client, post, onScrolled, onFailure } = this.options;
    const { id, x, y, hold, ...ticks } = message;
    const started = performance.now();
    try {
      await turnWheel(await client(), session, { point: { x, y }, hold }, ticks);
      await post({ kind: 'scrolled', id, milliseconds: performance.now() - started });
      onScrolled();
    } catch (error) {
      await post({ kind: 'failed', id, message: sentenceFor(error) ?? String(error) });
      await onFailure(error, true);
    }
  }

  async jump(session: BrowserSession, { to }: Extract<PageMessage, { kind: 'jump' }>): Promise<void> {
    const { client, post, onScrolled, onFailure } = this.options;
    try {
      await goToEnd(await client(), session, to);
      await post({ kind: 'jumped', to });
      onScrolled();
    } catch (error) {
      await onFailure(error, false);
    }
  }
}
