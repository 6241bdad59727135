import { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import type { InBrowser } from '../../src/push/browserDelivery';
import { KnownBrowsers } from '../../src/push/known/knownBrowsers';
import { type Logger, silentLogger } from '../../src/service/logger';
import type { TestClock } from '../support/testClock';
import { REPLAYED } from '../transcripts/replayScenario';
import type { MemoryService } from './memoryService';

/** A browser of which there is only its machine, with files in memory: no connection to it can be opened. */
export function memoryMachine(service: MemoryService, clock: TestClock, log: Logger = silentLogger): InBrowser {
  const open = (): Promise<never> => Promise.reject(new Error('There is no browser here.'));
  const connections = new BrowserConnections(service.baseUrl, () => Infinity, {}, { open, clock });
  return { service, browser: REPLAYED, connections, known: new KnownBrowsers(connections), log };
}
