import assert from 'node:assert/strict';
import { actTool } from '../../../src/agents/screenTools';
import { runTool } from '../../../src/agents/runTool';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import type { BrowserService } from '../../../src/service/browserService';
import { silentLogger } from '../../../src/service/logger';
import { ServiceError, type ServiceErrorFields } from '../../../src/service/serviceErrors';
import { REPLAYED } from '../../transcripts/replayScenario';

/** What is answered to a click on which the service fails so. */
async function answerTo(
  fields: Pick<ServiceErrorFields, 'kind' | 'message' | 'status' | 'mayHaveHappened'>,
): Promise<string> {
  const service = {
    baseUrl: new URL('http://service.test/'),
    async *listBrowsers() {
      yield await Promise.resolve(REPLAYED);
    },
    runBatch: () => Promise.reject(new ServiceError({ ...fields, operation: 'runBatch' })),
    close: () => Promise.resolve(),
  } as unknown as BrowserService;
  const window = new HeadlessWindow({
    roots: [],
    isLocal: true,
    allPages: true,
    connect: () => Promise.resolve(service),
    log: silentLogger,
  });
  try {
    const { text, isError } = await runTool(actTool, { actions: [{ do: 'click', x: 1, y: 2 }] }, window);
    assert.ok(isError);
    return text;
  } finally {
    await window.dispose();
  }
}

describe('an action in a browser', () => {
  it('counts as perhaps done when only its answer is missing', async () => {
    const lost = { kind: 'unreachable', message: 'The connection was closed.', mayHaveHappened: true } as const;
    assert.equal(
      await answerTo(lost),
      'PERHAPS DONE: actions[0] of 1. The connection was closed. Take a screenshot before you do it again.',
    );
    assert.match(
      await answerTo({ kind: 'server', status: 502, message: 'Bad gateway.', mayHaveHappened: true }),
      /^PERHAPS/,
    );
  });

  it('counts as not done when the service says so, or has not got it', async () => {
    const named = { kind: 'server', status: 500, message: 'actions[0]: no such key', mayHaveHappened: true } as const;
    assert.match(await answerTo(named), /^NOT DONE: actions\[0\] of 1\. no such key/);
    const refused = { kind: 'unreachable', message: 'Nothing answers.', mayHaveHappened: false } as const;
    assert.match(await answerTo(refused), /^NOT DONE: actions\[0\] of 1\. Nothing answers\./);
  });
});
