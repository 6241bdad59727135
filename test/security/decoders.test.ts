// Covers: src
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dose, testSeed } from '../runner/seed';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';
import { type Chance, seededChance } from '../support/random';
import { DECODERS } from './decoders';
import { mutated, NESTED } from './mutations';

/** How many mutated messages each decoder gets. */
const MESSAGES = dose(300, 2000);
const SLOW_MESSAGES = dose(60, 500);

/** How long one message may hold the process, in milliseconds: of many attempts, and without the time in which other programs ran. */
const HOLD_LIMIT_MS = 400;

describe('messages of others', () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  let chance: Chance;

  beforeEach(() => {
    chance = seededChance(testSeed());
    faults.length = 0;
    process.on('unhandledRejection', onFault);
    process.on('uncaughtException', onFault);
  });
  afterEach(() => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  });

  for (const [name, { seeds, begin, mayThrow = () => false, isSlow }] of Object.entries(DECODERS)) {
    it(`cannot end or hold what reads ${name}, mutated or nested`, async function () {
      this.timeout(dose(60_000, 300_000));
      const feed = await begin();
      let longest = 0;
      const push = async (text: string): Promise<void> => {
        const began = performance.now();
        const before = process.cpuUsage();
        try {
          await feed.push(text);
        } catch (error) {
          if (!mayThrow(error)) throw new Error(`${text.slice(0, 300)}: ${String(error)}`, { cause: error });
        }
        const { user, system } = process.cpuUsage(before);
        // Threads beside this one use the processor, too, and do not hold it.
        longest = Math.max(longest, Math.min(performance.now() - began, (user + system) / 1000));
      };
      try {
        for (let count = 0; count < (isSlow ? SLOW_MESSAGES : MESSAGES); count++) {
          await push(mutated(chance.pick(seeds), chance));
        }
        for (const text of [NESTED, NESTED.slice(0, -1), '['.repeat(100_000)]) await push(text);
        for (const seed of seeds) {
          if (typeof seed === 'object' && seed !== null && !Array.isArray(seed)) {
            await push(`${JSON.stringify(seed).slice(0, -1)},"params":${NESTED},"sessionId":"page","title":${NESTED}}`);
          }
        }
        await nextTurn();
      } finally {
        await feed.end?.();
      }
      assert.deepEqual(faults, []);
      assert(longest < HOLD_LIMIT_MS, `one message took ${Math.round(longest)} ms`);
    });
  }
});

/** Where else JSON is read, and why that is no message of others: texts of Sideload itself, or code that runs in a page of the browser. */
const OWN: Readonly<Record<string, string>> = {
  'src/editor/publish/updateQuestions.ts':
    'a file of at most 64 MiB that the person has chosen, within try; `exportedStorage` reads its fields',
  'src/programs/updateCommand.ts': 'the same, named on the command line',
  'src/publish/extensionData.ts': 'what code of Sideload has written in a page of a browser that this test has started',
  'src/publish/projectPackage.ts': 'a file of the workspace of at most 1 MiB, within try, of which one field is read',
  'src/debugger/servedScripts.ts': 'source maps, within limits and try: test/unit/debugger/servedScripts.test.ts',
  'src/sources/trace.ts': 'source maps, in a thread with limits: test/security/workspace.test.ts',
  'src/local/chromium/flaggedExtensions.ts': 'a manifest in the data folder, within try',
  'src/local/chromium/chromium.ts': 'what the service itself sends',
  'src/local/sessions/installation.ts': 'a manifest in the data folder, within try',
  'src/local/store/recordFolder.ts': 'a record in the data folder of the user, within try',
  'src/bridge/heldEvents.ts': 'an event that the bridge itself has written',
  'src/devtools/inPage/panelCalls.ts': 'runs in a page of the browser',
  'src/devtools/inPage/socketCalls.ts': 'runs in a page of the browser',
  'src/devtools/inPage/storageCalls.ts': 'runs in a page of the browser, on what Sideload has written',
  'src/devtools/errors/errorReports.ts':
    'what a page of Sideload in the browser has written; whatever it throws ends in webSocket.ts',
  'src/screen/screenTexts.ts': 'what Sideload has written into its page',
};

describe('everything that reads JSON', () => {
  it('is in the table of decoders, or reads texts of Sideload itself', () => {
    const listed = Object.values(DECODERS).flatMap(({ files }) => files);
    const reading = sourceFiles('src').filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('JSON.parse('));
    assert.deepEqual(
      reading.filter((file) => !listed.includes(file) && !(file in OWN)),
      [],
    );
  });
});
