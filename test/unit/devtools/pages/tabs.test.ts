import assert from 'node:assert/strict';
import { BrowserLink } from '../../../../src/devtools/connection/link';
import { listExtensionPages } from '../../../../src/devtools/pages/tabs';
import type { MessageTransport } from '../../../../src/devtools/protocol/webSocket';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { eventually } from '../../../support/eventually';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const ID = 'a'.repeat(32);

type Command = Readonly<{ id: number; method: string; sessionId?: string; params?: Readonly<Record<string, unknown>> }>;

/** A browser in memory in which one page of the extension is open, and in which no navigation ends. */
class Browser implements MessageTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;

  send(message: string): void {
    const { id, method, sessionId, params } = JSON.parse(message) as Command;
    const answer = (result: object): void => this.#tell({ id, result, ...(sessionId !== undefined && { sessionId }) });
    switch (method) {
      case 'Target.setDiscoverTargets':
        this.#change('Target.targetCreated', 'options', 'page', `chrome-extension://${ID}/options.html`);
        return answer({});
      case 'Target.createTarget':
        this.#change('Target.targetCreated', 'hidden', 'other', 'about:blank');
        return answer({ targetId: 'hidden' });
      case 'Target.attachToTarget': {
        const targetInfo = { targetId: 'hidden', type: 'other', url: 'about:blank', title: '', attached: true };
        const opened = { sessionId: 'session', targetInfo, waitingForDebugger: false };
        this.#tell({ method: 'Target.attachedToTarget', params: opened });
        return answer({ sessionId: 'session' });
      }
      case 'Page.navigate':
        this.#change('Target.targetInfoChanged', 'hidden', 'other', String(params?.['url']));
        return undefined;
      default:
        return answer({});
    }
  }

  ping(): void {
    this.onmessage?.('{}');
  }

  close(): void {
    this.onclose?.();
  }

  #change(method: string, targetId: string, type: string, url: string): void {
    this.#tell({ method, params: { targetInfo: { targetId, type, url, title: '', attached: false } } });
  }

  #tell(message: object): void {
    setImmediate(() => this.onmessage?.(JSON.stringify(message)));
  }
}

describe('the pages of an extension', () => {
  it('are without the hidden page that keeps its process, also while that has an address of the extension', async () => {
    const browser = new Browser();
    const wiring = { open: () => Promise.resolve(browser), clock: new TestClock() };
    const link = await BrowserLink.open(IN_MEMORY, {}, undefined, new WorkerDebuggers(), wiring);
    void link.processes.keep(ID);
    await eventually(
      'the hidden page has an address of the extension',
      async () => (await link.targets.list()).some(({ url }) => url === `chrome-extension://${ID}/manifest.json`),
      10_000,
    );
    const pages = await listExtensionPages(link, ID);
    assert.deepEqual(
      pages.map(({ targetId }) => targetId),
      ['options'],
    );
    link.close();
  });
});
