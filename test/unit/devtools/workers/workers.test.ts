import assert from 'node:assert/strict';
import { ReplayedBrowser } from '../../../transcripts/replayScenario';
import { told } from '../../../transcripts/scenario';
import { build, scenarioOf } from '../../../transcripts/scenarios';
import { edited, type Entry, type Transcript } from '../../../transcripts/transcript';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

/** The outcome of a first push, of whose transcript `change` changes entries; and how long it took, in milliseconds. */
async function firstPush(
  change: (entry: Entry) => Entry | undefined,
): Promise<{ outcome: string; ms: number; at: ReplayedBrowser }> {
  const edit = (transcript: Transcript): Transcript => edited(transcript, change);
  const at = new ReplayedBrowser(scenarioOf('worker'), { edit, isLoose: true });
  try {
    let outcome = '';
    await at.play(async (run) => {
      outcome = told(await run.push(build(1)));
    });
    return { outcome, ms: at.clock.now(), at };
  } finally {
    at.end();
  }
}

const isWorkersFirst = (entry: Entry): boolean => 'on' in entry && entry.on === 'session-3';

describe('the start of a worker', function () {
  this.timeout(LIMIT_MS);
  it('is awaited for thirty seconds when Chromium attaches to none, and then is none', async () => {
    const { outcome, ms } = await firstPush((entry) => {
      const isAttached = 'event' in entry && entry.event === 'Target.attachedToTarget';
      if (isAttached && entry.params?.['waitingForDebugger'] === true) return undefined;
      return isWorkersFirst(entry) ? undefined : entry;
    });
    assert.equal(outcome, 'wrong: The service worker did not start.');
    assert.ok(ms >= 30_000 && ms < 31_000, String(ms));
  });

  it('counts only when the worker runs the scripts of the build', async () => {
    const { outcome } = await firstPush((entry) =>
      'event' in entry &&
      entry.event === 'Debugger.scriptParsed' &&
      JSON.stringify(entry.params?.['url'] ?? '').endsWith('/worker.js"')
        ? { ...entry, params: { ...entry.params, url: `chrome-extension://${'a'.repeat(32)}/other.js` } }
        : entry,
    );
    assert.notEqual(outcome, 'running 1.0 by load, worker running');
  });

  it('lets the worker run, and leaves it afterwards', async () => {
    const { at } = await firstPush((entry) => entry);
    const methods = at.replay.sent.filter(({ on }) => on === 'session-3').map(({ method }) => method);
    assert.deepEqual(methods.slice(0, 4), [
      'Runtime.enable',
      'Debugger.enable',
      'Debugger.setSkipAllPauses',
      'Runtime.runIfWaitingForDebugger',
    ]);
    const left = at.replay.sent.some(
      ({ method, params }) => method === 'Target.detachFromTarget' && params['sessionId'] === 'session-3',
    );
    assert.ok(left);
  });
});

describe('what is verified of a build', function () {
  this.timeout(LIMIT_MS);
  const changed = (field: string, value: string | boolean) => (entry: Entry) =>
    'answer' in entry && entry.answer === 'Extensions.getExtensions' && entry.nth > 1
      ? { ...entry, result: { extensions: [{ ...LISTED, [field]: value }] } }
      : entry;
  const LISTED = {
    id: 'a'.repeat(32),
    name: 'Scenario',
    version: '1.0',
    path: '/home/kernel/extensions/sample',
    enabled: true,
  };

  const wrong: [field: string, value: string | boolean, outcome: RegExp][] = [
    ['path', '/home/kernel/extensions/other', /^wrong: The browser runs the extension from another folder/],
    ['version', '0.9', /^wrong: The browser runs version 0\.9, not 1\.0/],
    ['id', 'b'.repeat(32), /^wrong: The browser does not list the extension/],
  ];
  for (const [field, value, expected] of wrong) {
    it(`is its ${field} in the list of extensions`, async () => {
      const { outcome } = await firstPush(changed(field, value));
      assert.match(outcome, expected);
    });
  }

  it('takes 1 and 1.0.0 for the same version', async () => {
    const { outcome } = await firstPush(changed('version', '1'));
    assert.match(outcome, /^running/);
  });
});
