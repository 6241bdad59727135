import assert from 'node:assert/strict';
import { actTool } from '../../../src/agents/screenTools';
import { runTool } from '../../../src/agents/runTool';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import type { BrowserService } from '../../../src/service/browserService';
import { silentLogger } from '../../../src/service/logger';
import { ServiceError, type ServiceErrorFields } from '../../../src/service/serviceErrors';
import { REPLAYED } from '../../transcripts/replayScenario';

/** The answer to an action in the browser of a service that does it so. */
async function act(
  action: Readonly<Record<string, unknown>>,
  runBatch: (id: string, actions: readonly unknown[]) => Promise<void>,
): Promise<{ text: string; isError: boolean }> {
  const service = {
    baseUrl: new URL('http://service.test/'),
    async *listBrowsers() {
      yield await Promise.resolve(REPLAYED);
    },
    runBatch,
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
    return await runTool(actTool, { actions: [action] }, window);
  } finally {
    await window.dispose();
  }
}

/** What is answered to a click on which the service fails so. */
async function answerTo(
  fields: Pick<ServiceErrorFields, 'kind' | 'message' | 'status' | 'mayHaveHappened'>,
): Promise<string> {
  const fail = (): Promise<never> => Promise.reject(new ServiceError({ ...fields, operation: 'runBatch' }));
  const { text, isError } = await act({ do: 'click', x: 1, y: 2 }, fail);
  assert.ok(isError);
  return text;
}

describe('an action in a browser', () => {
  it('presses keys together: a service presses those of a list one after the other', async () => {
    const pressed: unknown[] = [];
    for (const keys of [['Control_L', 'Shift_L', 'a'], ['Return']]) {
      await act({ do: 'keys', keys }, (_id, actions) => Promise.resolve(void pressed.push(...actions)));
    }
    assert.deepEqual(pressed, [
      { type: 'pressKey', pressKey: { keys: ['a'], holdKeys: ['Control_L', 'Shift_L'] } },
      { type: 'pressKey', pressKey: { keys: ['Return'] } },
    ]);
  });

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
