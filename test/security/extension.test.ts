import assert from 'node:assert/strict';
import { plainText } from '../../src/editor/plainText';
import { outcomeText } from '../../src/push/outcomeText';
import type { KnownOutcome } from '../../src/push/outcome';

/** What VS Code makes a link of in notifications, dialogs and prompts (source: `linkedText.ts` of VS Code 1.105). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

const RUN = '[Click to repair](command:workbench.action.terminal.new)';

describe('hostile extension', () => {
  it('cannot put a link into a message: by the error of its worker, its name, its paths or the words of Chromium', () => {
    const outcomes: KnownOutcome[] = [
      {
        kind: 'workerFailed',
        extensionId: 'a'.repeat(32),
        version: RUN,
        faults: [{ text: `Uncaught Error: ${RUN}`, url: '', line: 0, column: 0 }],
      },
      {
        kind: 'doubled',
        extensionId: 'a'.repeat(32),
        name: 'x',
        version: '1',
        others: [{ id: 'b', name: RUN, version: '1', path: RUN, enabled: true }],
      },
      { kind: 'leftOut', files: [{ path: RUN, reason: 'r' }] },
      { kind: 'refusedByBrowser', chromium: RUN },
      { kind: 'wrong', reason: RUN },
    ];
    for (const outcome of outcomes) {
      const text = outcomeText(outcome, 'browser');
      assert.match(text, LINK, 'the test would show nothing');
      assert.doesNotMatch(plainText(text), LINK);
    }
  });

  it('cannot complete a link with the words around its own', () => {
    const text = outcomeText({ kind: 'refusedByBrowser', chromium: '](command:workbench.action.quit)' }, 'browser');
    assert.doesNotMatch(plainText(`[${text}`), LINK);
    assert.match(`[${text}`, LINK);
  });
});
