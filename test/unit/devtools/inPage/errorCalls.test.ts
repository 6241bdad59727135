import assert from 'node:assert/strict';
import type {
  CollectedError,
  ConfigurationChange,
  ExtensionInfo,
  ItemStateChange,
} from '../../../../src/devtools/inPage/chromeApi';
import {
  type ErrorLimits,
  listenForErrors,
  pauseErrorsOf,
  type ReportedErrors,
  watchErrorsOf,
} from '../../../../src/devtools/inPage/errorCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

const LIMITS: ErrorLimits = { text: 10, frames: 2, reports: 3, records: 3, pauseMs: 500 };

describe('the errors of extensions, in the page of chrome://extensions', () => {
  let page: FakePage;
  let event: FakeEvent<[ItemStateChange]>;
  /** What Chromium lists. */
  let errors: CollectedError[];
  let deleted: unknown[];
  /** Whether Chromium records errors of the extension. */
  let isRecording: boolean;
  /** How often it was asked to. */
  let switched: number;
  let reports: ReportedErrors[];

  beforeEach(async () => {
    event = new FakeEvent();
    errors = [];
    deleted = [];
    isRecording = true;
    switched = 0;
    reports = [];
    const getExtensionInfo = async (id: string): Promise<ExtensionInfo> => {
      // As it is when it is asked for.
      const info = infoOf(id);
      await page.clock.delay(10);
      if (id === 'gone') throw new Error('No such extension.');
      return info;
    };
    const developerPrivate = {
      onItemStateChanged: event,
      getExtensionInfo,
      deleteExtensionErrors: (which: object) => deleted.push({ ...which }),
      updateExtensionConfiguration: async ({ errorCollection = false }: ConfigurationChange): Promise<void> => {
        await page.clock.delay(10);
        isRecording = errorCollection;
        switched += 1;
      },
    };
    page = new FakePage({
      chrome: { developerPrivate },
      reportErrors: (json: string) => reports.push(JSON.parse(json) as ReportedErrors),
    });
    await page.call(listenForErrors, 'reportErrors', LIMITS);
  });

  const infoOf = (id: string): ExtensionInfo => ({
    id,
    views: [],
    manifestErrors: errors.filter(({ type }) => type === 'MANIFEST'),
    runtimeErrors: errors.filter(({ type }) => type === 'RUNTIME'),
    incognitoAccess: { isActive: false, isEnabled: false },
    fileAccess: { isActive: false, isEnabled: false },
    errorCollection: { isActive: isRecording, isEnabled: true },
    permissions: {},
  });

  const add = (error: Partial<CollectedError>): void => {
    const id = error.id ?? 1;
    errors = errors.filter((one) => one.id !== id);
    errors.push({ id, type: 'RUNTIME', message: `error ${id}`, source: 'a.js', ...error });
    event.fire({ event_type: 'ERROR_ADDED', extensionInfo: infoOf('a') });
  };

  const watch = async (isPushed = false, isByOther = false): Promise<void> => {
    await page.call(watchErrorsOf, 'a', isPushed, isByOther);
    await page.clock.advance(10);
  };

  /** The reports so far: which are first ones, and the errors with how often each has occurred. */
  const seen = (): unknown[] =>
    reports
      .splice(0)
      .map(({ isFirst, isOfPages, errors: list }) => [
        isFirst ? (isOfPages ? 'first of pages' : 'first') : 'later',
        ...list.map(({ id, count }) => `${id}: ${count}`),
      ]);

  it('are reported as Chromium describes them, cut to the limits', async () => {
    await watch();
    const frame = { url: 'chrome-extension://a/a.js', lineNumber: 3, columnNumber: 5 };
    add({
      message: 'more than ten',
      severity: 'WARN',
      contextUrl: 'page',
      isServiceWorker: true,
      stackTrace: [frame, frame, frame],
    });
    const shown = { url: 'chrome-ext', line: 3, column: 5 };
    assert.deepEqual(reports[1], {
      extensionId: 'a',
      isFirst: false,
      isOfPages: false,
      errors: [
        {
          id: 1,
          isOfManifest: false,
          text: 'more than ',
          isWarning: true,
          source: 'a.js',
          contextUrl: 'page',
          isWorker: true,
          count: 1,
          manifestKey: '',
          frames: [shown, shown],
        },
      ],
    });
  });

  it('of extensions that nobody watches, and other changes, are not reported', async () => {
    add({});
    assert.deepEqual(seen(), []);
    await watch();
    assert.deepEqual(seen(), [['first', '1: 1']]);
    event.fire({ event_type: 'LOADED', extensionInfo: infoOf('a') });
    event.fire({ event_type: 'ERROR_ADDED' });
    assert.deepEqual(seen(), []);
  });

  it('are reported once, and by how often they have occurred since', async () => {
    add({ occurrences: 2 });
    await watch();
    assert.deepEqual(seen(), [['first', '1: 2']]);
    add({ occurrences: 5 });
    add({ occurrences: 5 });
    assert.deepEqual(seen(), [['later', '1: 3']]);
  });

  it('are recorded from the first report on where Chromium did not, and none is lost meanwhile', async () => {
    isRecording = false;
    await page.call(watchErrorsOf, 'a', false, false);
    await page.clock.advance(19);
    assert.deepEqual(seen(), []);
    add({});
    await page.clock.advance(1);
    assert.equal(isRecording, true);
    await page.clock.advance(10);
    assert.deepEqual(seen(), [['first'], ['later', '1: 1']]);
    await watch(true);
    assert.equal(switched, 1);
  });

  it('that come while the first report is asked for come after it', async () => {
    await page.call(watchErrorsOf, 'a', false, false);
    await page.clock.advance(5);
    // The answer, which is under way, may have it or not: it is asked for again.
    add({});
    assert.deepEqual(seen(), []);
    await page.clock.advance(5);
    assert.deepEqual(seen(), [['first']]);
    await page.clock.advance(10);
    assert.deepEqual(seen(), [['later', '1: 1']]);
    await page.clock.advance(10);
    assert.equal(page.clock.pending, 0);
  });

  it('are reported once as the first ones when that is asked for twice at once', async () => {
    add({});
    await page.call(watchErrorsOf, 'a', false, false);
    await page.clock.advance(5);
    await page.call(watchErrorsOf, 'a', false, false);
    await page.clock.advance(20);
    assert.deepEqual(seen(), [['first', '1: 1']]);
    add({ occurrences: 2 });
    assert.deepEqual(seen(), [['later', '1: 1']]);
  });

  it('are those of the whole extension when that is asked for, and those of its pages before it is answered', async () => {
    await watch(true);
    await page.call(pauseErrorsOf, 'a');
    seen();
    await page.call(watchErrorsOf, 'a', true, false);
    add({});
    await page.call(watchErrorsOf, 'a', true, false);
    await page.clock.advance(20);
    assert.deepEqual(seen(), [['first', '1: 1']]);
    await watch(true);
    assert.deepEqual(seen(), [['first of pages']]);
  });

  it('are those since the last push; after one without a reload those that were not reported before', async () => {
    add({});
    await watch(true);
    assert.deepEqual(seen(), [['first', '1: 1']]);
    await watch(true);
    assert.deepEqual(seen(), [['first of pages']]);
    await watch(true, true);
    assert.deepEqual(seen(), [['first', '1: 1']]);
  });

  it('are deleted and not reported while an extension is reloaded', async () => {
    await watch(true);
    await page.call(pauseErrorsOf, 'a');
    assert.deepEqual(deleted, [{ extensionId: 'a', type: 'RUNTIME' }]);
    assert.equal(event.hasListeners(), false);
    seen();
    await watch(true);
    assert.deepEqual(seen(), [['first']]);
    assert.equal(event.hasListeners(), true);
  });

  it('are reported again after the time limit of a pause', async () => {
    await watch(true);
    await page.call(pauseErrorsOf, 'a');
    seen();
    add({});
    await page.clock.advance(499);
    assert.deepEqual(seen(), []);
    await page.clock.advance(11);
    assert.deepEqual(seen(), [['later', '1: 1']]);
  });

  it('that are too many in a second come together after another one', async () => {
    await watch();
    for (let occurrences = 1; occurrences <= 9; occurrences++) add({ occurrences });
    assert.deepEqual(seen(), [['first'], ['later', '1: 1'], ['later', '1: 1'], ['later', '1: 1'], ['later', '1: 1']]);
    await page.clock.advance(1010);
    assert.deepEqual(seen(), [['later', '1: 5']]);
  });

  it('are remembered up to a limit, the newest ones', async () => {
    await watch();
    for (let id = 1; id <= 2; id++) add({ id });
    errors = [];
    for (let id = 3; id <= 4; id++) {
      await page.clock.advance(1000);
      add({ id });
    }
    seen();
    await page.clock.advance(1000);
    add({ id: 1 });
    // The one that was forgotten counts as new; the others are known.
    assert.deepEqual(seen(), [['later', '1: 1']]);
  });

  it('of an extension that is gone are none', async () => {
    await page.call(watchErrorsOf, 'gone', true, false);
    await page.clock.advance(10);
    assert.deepEqual(reports, []);
  });

  it('cannot be watched in a page that does not listen', async () => {
    const other = new FakePage({ chrome: {} });
    await assert.rejects(async () => other.call(watchErrorsOf, 'a', true, false));
    await assert.rejects(async () => other.call(pauseErrorsOf, 'a'));
  });
});
