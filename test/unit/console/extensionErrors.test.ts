import assert from 'node:assert/strict';
import { ExtensionErrors, WorkerLocations, type PartError } from '../../../src/console/extensionErrors';
import type { ErrorTrace } from '../../../src/devtools/errors/errorTrace';
import type { ExtensionError } from '../../../src/devtools/errors/errorReports';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const URL_OF_WORKER = `chrome-extension://${ID}/worker.js`;

function errorWith(changes: Partial<ExtensionError>): ExtensionError {
  return {
    id: 1,
    isOfManifest: false,
    text: 'Uncaught Error: boom',
    isWarning: false,
    source: URL_OF_WORKER,
    contextUrl: URL_OF_WORKER,
    isWorker: true,
    count: 1,
    manifestKey: '',
    frames: [{ url: URL_OF_WORKER, line: 3, column: undefined }],
    ...changes,
  };
}

function added(
  changes: Partial<ExtensionError>,
  { isFirst = false, to = new ExtensionErrors(ID), locations = new WorkerLocations() } = {},
): PartError {
  const [error] = to.add({ extensionId: ID, isFirst, errors: [errorWith(changes)], traces: [] }, locations);
  assert(error);
  return error;
}

describe('an error of an extension', () => {
  it('has the column that the worker has reported of the same error', () => {
    const locations = new WorkerLocations();
    const noted = { extensionId: ID, text: 'Uncaught Error: boom', url: URL_OF_WORKER, line: 3 };
    locations.note({ ...noted, column: 20 });
    locations.note({ ...noted, column: -1 });
    assert.deepEqual(added({}, { locations }).location, { url: URL_OF_WORKER, line: 3, column: 20 });
    assert.equal(added({ text: 'Uncaught Error: other' }, { locations }).location?.column, undefined);
  });

  it('is at the first location of the extension itself in its stack', () => {
    const frames = [
      { url: 'https://example.com/jquery.js', line: 1, column: 1 },
      { url: URL_OF_WORKER, line: 7, column: 2 },
    ];
    assert.equal(added({ frames }).location?.line, 7);
  });

  it('is at the location in its text when Chromium gives none, without the stack in the text', () => {
    const text = `Error in event handler: Error: boom\n    at f (${URL_OF_WORKER}:2:26)\n    at ${URL_OF_WORKER}:4:72`;
    const error = added({ text, source: '', frames: [] });
    assert.deepEqual(error.location, { url: URL_OF_WORKER, line: 1, column: 25 });
    assert.equal(error.text, 'Error in event handler: Error: boom');
  });

  it('has no location when nothing of the extension is named', () => {
    assert.equal(added({ source: '', frames: [] }).location, undefined);
  });

  it('is of the page or the content script whose context it has', () => {
    const page = `chrome-extension://${ID}/popup.html?x#y`;
    assert.deepEqual(added({ isWorker: false, contextUrl: page }).part, { kind: 'page', path: 'popup.html' });
    const web = added({ isWorker: false, contextUrl: 'https://example.com/a' });
    assert.deepEqual(web.part, { kind: 'content', host: 'example.com' });
    assert.deepEqual(added({ isOfManifest: true, manifestKey: 'icons' }).part, { kind: 'manifest', key: 'icons' });
  });

  it('is counted once for two policies that refuse the same', () => {
    const to = new ExtensionErrors(ID);
    const refusal = (policy: string): string =>
      `Executing inline script violates the following Content Security Policy directive '${policy}'. Blocked.`;
    added({ text: refusal("script-src 'self'") }, { to });
    added({ text: refusal("script-src 'self' 'wasm-unsafe-eval'") }, { to });
    assert.deepEqual(
      to.all.map(({ count }) => count),
      [2],
    );
  });
});

describe('an error that an inspector has seen', () => {
  const trace: ErrorTrace = {
    extensionId: ID,
    text: 'Uncaught Error: boom',
    locations: [{ url: URL_OF_WORKER, line: 3, column: 41 }],
    isListed: true,
    isWarning: false,
    isWorker: true,
    contextUrl: URL_OF_WORKER,
  };
  const see = (to: ExtensionErrors, ...traces: ErrorTrace[]): void => {
    to.add({ extensionId: ID, isFirst: false, errors: [], traces }, new WorkerLocations());
  };

  it('is at its column, whichever of the two reports comes first, and is one error', () => {
    for (const isSeenFirst of [true, false]) {
      const to = new ExtensionErrors(ID);
      if (isSeenFirst) see(to, trace);
      added({}, { to });
      if (!isSeenFirst) see(to, trace);
      assert.deepEqual(
        to.all.map(({ location, count }) => [location?.column, count]),
        [[41, 1]],
        String(isSeenFirst),
      );
    }
  });

  it('is at its location when the list has none, and not at that of another error, part or line', () => {
    const to = new ExtensionErrors(ID);
    see(to, trace);
    assert.equal(added({ source: '', frames: [] }, { to }).location?.column, 41);
    assert.equal(added({ text: 'other', source: '', frames: [] }, { to }).location, undefined);
    assert.equal(
      added({ isWorker: false, contextUrl: 'https://e.com/', source: '', frames: [] }, { to }).location,
      undefined,
    );
    assert.equal(
      added({ frames: [{ url: URL_OF_WORKER, line: 9, column: undefined }] }, { to }).location?.column,
      undefined,
    );
  });

  it('is an error by itself when the list will never have it, also one since the reload', () => {
    const to = new ExtensionErrors(ID);
    const own = { ...trace, isListed: false, isWorker: false, text: 'Error: caught', contextUrl: 'https://e.com/a' };
    to.add({ extensionId: ID, isFirst: true, errors: [], traces: [own, own] }, new WorkerLocations());
    assert.deepEqual(to.all, [
      {
        part: { kind: 'content', host: 'e.com' },
        text: 'Error: caught',
        isWarning: false,
        location: trace.locations[0],
        count: 2,
      },
    ]);
  });

  it('is an error by itself when the list may never have it, unless the worker has such an error', () => {
    const to = new ExtensionErrors(ID);
    added({}, { to });
    const unsure = { ...trace, isListed: 'unsure' as const };
    see(
      to,
      unsure,
      { ...unsure, text: 'Uncaught Error: at the start' },
      { ...unsure, text: 'Uncaught Error: at the start' },
    );
    const worker = { kind: 'worker' };
    assert.deepEqual(
      to.all.map(({ part, text, count }) => [part, text, count]),
      [
        [worker, 'Uncaught Error: boom', 1],
        [worker, 'Uncaught Error: at the start', 2],
      ],
    );
  });

  it('is known also after another connection to the browser, as all errors of the build are', () => {
    const to = new ExtensionErrors(ID);
    added({ text: 'listed', count: 2 }, { to });
    see(to, { ...trace, isListed: 'unsure' });
    // This one is seen again by another connection.
    see(to, { ...trace, isListed: false, isWorker: false, text: 'of a page' });
    const again = [errorWith({ text: 'listed', count: 3 }), errorWith({ text: 'new' })];
    to.add({ extensionId: ID, isFirst: true, isAgain: true, errors: again, traces: [] }, new WorkerLocations());
    assert.deepEqual(
      to.all.map(({ text, count }) => [text, count]),
      [
        ['Uncaught Error: boom', 1],
        ['listed', 3],
        ['new', 1],
      ],
    );
    added({ text: 'of the next push' }, { to, isFirst: true });
    assert.equal(to.all.length, 1);
  });

  it('is forgotten with the next push', () => {
    const to = new ExtensionErrors(ID);
    see(to, trace);
    added({ text: 'first' }, { to, isFirst: true });
    assert.equal(added({}, { to }).location?.column, undefined);
  });
});

describe('what Chromium lists about a manifest', () => {
  it('is a warning, unless a worker has failed to start', () => {
    const manifest = { isOfManifest: true, isWorker: false, manifestKey: 'background.scripts' };
    assert.equal(
      added({ ...manifest, text: "'background.scripts' requires manifest version of 2 or lower." }).isWarning,
      true,
    );
    assert.equal(added({ ...manifest, text: 'Service worker registration failed. Status code: 15' }).isWarning, false);
  });
});

describe('the errors of an extension', () => {
  it('are those since the last push', () => {
    const to = new ExtensionErrors(ID);
    added({}, { to });
    added({}, { to });
    assert.deepEqual(
      to.all.map(({ count }) => count),
      [2],
    );
    added({ text: 'new' }, { to, isFirst: true });
    assert.deepEqual(
      to.all.map(({ text }) => text),
      ['new'],
    );
  });

  it('are kept by a push that has reloaded pages alone, but those of pages', () => {
    const to = new ExtensionErrors(ID);
    added({ text: 'of the worker' }, { to });
    added({ text: 'of a content script', isWorker: false, contextUrl: 'https://example.com/' }, { to });
    added({ text: 'of a page', isWorker: false, contextUrl: `chrome-extension://${ID}/popup.html` }, { to });
    to.add({ extensionId: ID, isFirst: true, isOfPages: true, errors: [], traces: [] }, new WorkerLocations());
    assert.deepEqual(
      to.all.map(({ text }) => text),
      ['of the worker', 'of a content script'],
    );
    to.add({ extensionId: ID, isFirst: true, errors: [], traces: [] }, new WorkerLocations());
    assert.deepEqual(to.all, []);
  });

  it('are at most a hundred, the newest', () => {
    const to = new ExtensionErrors(ID);
    for (let index = 0; index < 150; index += 1) added({ text: `error ${index}` }, { to });
    assert.equal(to.all.length, 100);
    assert.equal(to.all.at(-1)?.text, 'error 149');
    assert.equal(to.all[0]?.text, 'error 50');
  });
});
