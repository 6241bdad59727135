import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartError } from '../../src/console/extensionErrors';
import { silentLogger } from '../../src/service/logger';
import { ErrorEvents } from '../support/errorEvents';
import { eventually } from '../support/eventually';
import { TestEngine } from '../support/testEngine';
import { DevTools } from './devtools';
import { byUpload, pushOnce } from './pushes';
import { PushStage } from './pushStage';

/** How long errors may take to be reported, in milliseconds. */
const SOON_MS = 30_000;

/** An extension whose worker stays awake, and throws at each start another error. */
const SECOND = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Second',
    version: '1',
    background: { service_worker: 'worker.js' },
  }),
  'worker.js': [
    'setInterval(() => chrome.runtime.getPlatformInfo(), 5000);',
    'setTimeout(() => { throw new Error(`started at ${performance.timeOrigin}`); });',
  ].join('\n'),
};

describe('a restart of the browser by the push of an extension', function () {
  this.timeout(90_000);
  const stage = PushStage.forSuite();
  let second: string;

  beforeEach(async () => {
    second = await mkdtemp(join(tmpdir(), 'sideload-stage-'));
    for (const [name, text] of Object.entries(SECOND)) await writeFile(join(second, name), text);
  });
  afterEach(async () => {
    await rm(second, { recursive: true, force: true });
  });

  /** An engine of a window, and the errors of an extension that it knows. */
  function openWindow(): { engine: TestEngine; errorsOf: (extensionId: string) => readonly PartError[] } {
    const { found, events } = new ErrorEvents();
    const engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, eventsOf: () => events });
    return { engine, errorsOf: (id) => found.get(id)?.all ?? [] };
  }

  it('hides no error of another one: neither of its start after that, nor those from then on', async () => {
    const at = stage();
    const { engine, errorsOf } = openWindow();
    at.engine.dispose();
    at.engine = engine;
    const order = { service: at.client, browser: at.browser, folder: second };
    const pushed = await pushOnce(engine, order, { folderName: 'second', ...byUpload });
    assert(pushed.kind === 'running', JSON.stringify(pushed));
    const { extensionId } = pushed;
    const textsOf = (errors: readonly PartError[]): string[] => errors.map(({ text }) => text);
    await eventually('its error', () => errorsOf(extensionId).length > 0, SOON_MS);
    const before = textsOf(errorsOf(extensionId));

    await at.mustRun(byUpload);
    const isNew = ({ text }: PartError): boolean => !before.includes(text);
    await eventually(
      () => `the error of its start: ${JSON.stringify(errorsOf(extensionId))}`,
      () => errorsOf(extensionId).some(isNew),
      SOON_MS,
    );
    assert.deepEqual(
      errorsOf(extensionId)
        .filter(isNew)
        .map(({ part, isWarning, location, count }) => [part, isWarning, location?.line, count]),
      [[{ kind: 'worker' }, false, 1, 1]],
    );

    const devtools = await DevTools.connect(at.browser.devToolsUrl);
    const throwLater = "setTimeout(() => { throw new Error('later'); })";
    await devtools.askWorker(`location.host === '${extensionId}' ? ${throwLater} : undefined`, SOON_MS);
    devtools.close();
    await eventually(
      () => `a later error: ${JSON.stringify(errorsOf(extensionId))}`,
      () => errorsOf(extensionId).some(({ text, count }) => text.endsWith('later') && count === 1),
      SOON_MS,
    );

    const other = openWindow();
    try {
      const connections = other.engine.connections.of(at.client);
      connections.watchErrors(at.browser, extensionId);
      await connections.use(at.browser, () => Promise.resolve());
      const expected = textsOf(errorsOf(extensionId).filter(isNew)).sort();
      const seen = (): string[] => textsOf(other.errorsOf(extensionId)).sort();
      await eventually(
        () => `in another window: ${JSON.stringify(seen())}`,
        () => seen().length >= expected.length,
        SOON_MS,
      );
      assert.deepEqual(seen(), expected);
    } finally {
      other.engine.dispose();
    }
  });
});
