import assert from 'node:assert/strict';
import { ExtensionErrors, WorkerPlaces, type PartError } from '../../../src/debug/extensionErrors';
import type { ExtensionError } from '../../../src/devtools/errorReports';

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
  { isFirst = false, to = new ExtensionErrors(ID), places = new WorkerPlaces() } = {},
): PartError {
  const [error] = to.add({ extensionId: ID, isFirst, errors: [errorWith(changes)] }, places);
  assert(error);
  return error;
}

describe('an error of an extension', () => {
  it('has the column that the worker has reported of the same error', () => {
    const places = new WorkerPlaces();
    const noted = { extensionId: ID, text: 'Uncaught Error: boom', url: URL_OF_WORKER, line: 3 };
    places.note({ ...noted, column: 20 });
    places.note({ ...noted, column: -1 });
    assert.deepEqual(added({}, { places }).place, { url: URL_OF_WORKER, line: 3, column: 20 });
    assert.equal(added({ text: 'Uncaught Error: other' }, { places }).place?.column, undefined);
  });

  it('is at the first place of the extension itself in its stack', () => {
    const frames = [
      { url: 'https://example.com/jquery.js', line: 1, column: 1 },
      { url: URL_OF_WORKER, line: 7, column: 2 },
    ];
    assert.equal(added({ frames }).place?.line, 7);
  });

  it('is at the place in its text when Chromium gives none, without the stack in the text', () => {
    const text = `Error in event handler: Error: boom\n    at f (${URL_OF_WORKER}:2:26)\n    at ${URL_OF_WORKER}:4:72`;
    const error = added({ text, source: '', frames: [] });
    assert.deepEqual(error.place, { url: URL_OF_WORKER, line: 1, column: 25 });
    assert.equal(error.text, 'Error in event handler: Error: boom');
  });

  it('has no place when nothing of the extension is named', () => {
    assert.equal(added({ source: '', frames: [] }).place, undefined);
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

  it('are at most a hundred, the newest', () => {
    const to = new ExtensionErrors(ID);
    for (let index = 0; index < 150; index += 1) added({ text: `error ${index}` }, { to });
    assert.equal(to.all.length, 100);
    assert.equal(to.all.at(-1)?.text, 'error 149');
    assert.equal(to.all[0]?.text, 'error 50');
  });
});
