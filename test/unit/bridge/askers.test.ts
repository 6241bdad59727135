import assert from 'node:assert/strict';
import { type Allowed, type Asker, isOwn, isOwnFrame, type Verdict, verdictOf } from '../../../src/bridge/askers';
import { pausedRequestOf, type PausedRequest } from '../../../src/bridge/pausedRequest';

const ID = 'abcdefghijklmnop'.repeat(2);
const OTHER = 'ponmlkjihgfedcba'.repeat(2);
const OWN = `chrome-extension://${ID}`;
const SERVER = 'http://localhost:5173';
const SITE = 'https://hostile.test';

const ALLOWED: Allowed = { extensionIds: new Set([ID]), origins: new Set([SERVER, 'https://allowed.test']) };

const TARGETS = new Map<string, Asker>([
  ['own page', { type: 'page', url: `${OWN}/page.html` }],
  ['own worker', { type: 'service_worker', url: `${OWN}/worker.js` }],
  ['other extension', { type: 'page', url: `chrome-extension://${OTHER}/page.html` }],
  ['site', { type: 'page', url: `${SITE}/` }],
  ['allowed', { type: 'page', url: 'https://allowed.test/' }],
  ['app', { type: 'page', url: `${SERVER}/app` }],
  ['app worker', { type: 'shared_worker', url: `blob:${SERVER}/1234` }],
  ['data worker', { type: 'shared_worker', url: 'data:text/javascript,1' }],
  ['server frame of own', { type: 'iframe', url: `${SERVER}/frame`, parentFrameId: 'own page' }],
  ['server frame of site', { type: 'iframe', url: `${SERVER}/frame`, parentFrameId: 'site' }],
  ['frame in that', { type: 'iframe', url: `${SERVER}/inner`, parentFrameId: 'server frame of site' }],
  ['own frame of site', { type: 'iframe', url: `${OWN}/frame.html`, parentFrameId: 'site' }],
  ['frame of unknown', { type: 'iframe', url: `${SERVER}/frame`, parentFrameId: 'within a page' }],
  ['frame without parent', { type: 'iframe', url: `${SERVER}/frame` }],
  ['circle', { type: 'iframe', url: `${SERVER}/frame`, parentFrameId: 'circle' }],
]);

function request(fields: { frameId: string; method?: string; origin?: string; type?: string }): PausedRequest {
  const { frameId, method = 'GET', origin, type = 'Script' } = fields;
  const headers = origin === undefined ? {} : { Origin: origin };
  const event = { requestId: '1', frameId, resourceType: type, request: { url: `${SERVER}/x`, method, headers } };
  return pausedRequestOf(event) ?? assert.fail('it is none');
}

describe('who may ask for the developer’s servers', () => {
  const verdicts: [what: string, fields: Parameters<typeof request>[0], verdict: Verdict][] = [
    ['a script of a page of the extension', { frameId: 'own page' }, 'forward'],
    ['a script of its worker', { frameId: 'own worker' }, 'forward'],
    ['a module of its page', { frameId: 'own page', origin: OWN }, 'forward'],
    ['a module of a frame in its page, which is no target', { frameId: 'within a page', origin: OWN }, 'forward'],
    ['a script of such a frame', { frameId: 'within a page' }, 'unknownFrame'],
    ['a picture of a server’s page', { frameId: 'app', type: 'Image' }, 'forward'],
    ['a request of its worker, which is a blob', { frameId: 'app worker', type: 'XHR' }, 'forward'],
    ['a page that the person has allowed', { frameId: 'allowed', origin: 'https://allowed.test' }, 'forward'],
    ['a frame of a server in a page of the extension', { frameId: 'server frame of own' }, 'forward'],
    ['the same in a page of others', { frameId: 'server frame of site' }, 'foreignFrame'],
    ['a frame in that', { frameId: 'frame in that' }, 'foreignFrame'],
    ['a frame of the extension in a page of others', { frameId: 'own frame of site' }, 'foreignFrame'],
    ['a frame within one that is no target', { frameId: 'frame of unknown' }, 'unknownFrame'],
    ['a frame without a parent', { frameId: 'frame without parent' }, 'unknownFrame'],
    ['a frame that is within itself', { frameId: 'circle' }, 'foreignFrame'],
    ['another extension', { frameId: 'other extension' }, 'foreignPage'],
    [
      'another extension, which says its origin',
      { frameId: 'other extension', origin: `chrome-extension://${OTHER}` },
      'foreignOrigin',
    ],
    ['a script of a page of others', { frameId: 'site' }, 'foreignPage'],
    ['a module of it', { frameId: 'site', origin: SITE }, 'foreignOrigin'],
    ['what it sends', { frameId: 'site', method: 'POST', origin: SITE, type: 'Ping' }, 'foreignOrigin'],
    ['a worker of data', { frameId: 'data worker', origin: 'null' }, 'foreignOrigin'],
    ['a worker of data that says no origin', { frameId: 'data worker' }, 'foreignPage'],
    ['something sent without an origin', { frameId: 'own page', method: 'POST' }, 'noOrigin'],
    ['the address of a server in a tab, opened from wherever', { frameId: 'site', type: 'Document' }, 'forward'],
    [
      'a form sent to it in a tab by a page of others',
      { frameId: 'site', method: 'POST', origin: SITE, type: 'Document' },
      'foreignOrigin',
    ],
    ['the same without an origin', { frameId: 'site', method: 'POST', type: 'Document' }, 'noOrigin'],
    [
      'a form of the server’s own page in a tab',
      { frameId: 'app', method: 'POST', origin: SERVER, type: 'Document' },
      'forward',
    ],
    ['the document of a frame in the own page', { frameId: 'server frame of own', type: 'Document' }, 'forward'],
    [
      'the document of a frame in a page of others',
      { frameId: 'server frame of site', type: 'Document' },
      'foreignFrame',
    ],
    ['the document of a frame that is new', { frameId: 'within a page', type: 'Document' }, 'unknownFrame'],
    [
      'a form into a frame that is new',
      { frameId: 'within a page', method: 'POST', origin: OWN, type: 'Document' },
      'unknownFrame',
    ],
  ];
  for (const [what, fields, verdict] of verdicts) {
    it(`${what}: ${verdict}`, () => {
      assert.equal(verdictOf(request(fields), TARGETS, ALLOWED), verdict);
    });
  }

  it('is decided by the origin of an address, and not by its first characters', () => {
    const own = [`${OWN}/a`, `${SERVER}/`, `blob:${SERVER}/1`, 'HTTP://LOCALHOST:5173/'];
    const foreign = [
      `${OWN}x/`,
      `${SERVER}0/`,
      'http://localhost.hostile.test:5173/',
      'http://localhost:5173@hostile.test/',
      'null',
      '',
      'about:blank',
    ];
    assert.deepEqual(
      own.filter((address) => !isOwn(address, ALLOWED)),
      [],
    );
    assert.deepEqual(
      foreign.filter((address) => isOwn(address, ALLOWED)),
      [],
    );
  });

  it('in a page of its own is each frame that it has made, and no other', () => {
    const of = (url: string): boolean => isOwnFrame({ id: '1', url }, ALLOWED);
    assert.deepEqual(['', ':', 'about:srcdoc', `${OWN}/inner.html`].map(of), [true, true, true, true]);
    assert.deepEqual([`${SITE}/`, 'data:text/html,1'].map(of), [false, false]);
  });
});

describe('a request that a browser has paused', () => {
  it('is none without an id or an address', () => {
    for (const params of [undefined, {}, { requestId: '1' }, { requestId: '1', request: { url: 'no address' } }]) {
      assert.equal(pausedRequestOf(params), undefined);
    }
  });

  it('has the headers that are texts', () => {
    const headers = { Origin: SITE, Odd: { toString: 'x' }, Accept: null };
    const request = pausedRequestOf({ requestId: '1', request: { url: `${SERVER}/`, headers } });
    assert.deepEqual([...(request?.headers ?? [])], [['origin', SITE]]);
  });

  it('has a body of all its parts, and says when one is a file', () => {
    const bytes = (text: string): { bytes: string } => ({ bytes: Buffer.from(text).toString('base64') });
    const of = (...entries: object[]): PausedRequest | undefined =>
      pausedRequestOf({ requestId: '1', request: { url: `${SERVER}/`, postDataEntries: entries, hasPostData: true } });
    assert.deepEqual(
      [of(bytes('a'), bytes('b'))?.body?.toString(), of(bytes('a'), bytes('b'))?.hasFile],
      ['ab', false],
    );
    assert.equal(of(bytes('a'), {})?.hasFile, true);
    assert.equal(pausedRequestOf({ requestId: '1', request: { url: `${SERVER}/` } })?.body, undefined);
  });
});
