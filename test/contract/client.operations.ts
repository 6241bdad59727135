import type Kernel from '@onkernel/sdk';
import { toFile } from '@onkernel/sdk';
import type { ServiceClient } from '../../src/service/client';
import type {
  ClickMouseRequest,
  CreateBrowserRequest,
  DragMouseRequest,
  MoveMouseRequest,
  PressKeyRequest,
  ScrollRequest,
} from '../../src/service/model';
import type { Reply } from './client.recorder';

/** Stands in every credential of an answer, so that one search finds them all. */
export const SECRET_MARK = 'S3CRETMARK';

/** A session with every field that the official client's types name. */
export const SESSION = {
  session_id: 'htzv5orfit78e1m2biiifpbv',
  created_at: '2026-05-01T12:00:00Z',
  cdp_ws_url: `wss://proxy.example.test:8443/browser/cdp?jwt=${SECRET_MARK}`,
  webdriver_ws_url: `wss://proxy.example.test:8443/browser/webdriver?jwt=${SECRET_MARK}`,
  browser_live_view_url: `https://proxy.example.test:8443/browser/live?jwt=${SECRET_MARK}&readOnly=true`,
  base_url: 'https://proxy.example.test:8443/browser/kernel',
  headless: false,
  stealth: true,
  timeout_seconds: 600,
  deleted_at: '2026-05-01T13:00:00Z',
  name: 'mine',
  tags: { team: 'blue' },
  profile: { id: 'p1', created_at: '2026-05-01T12:00:00Z', name: 'work' },
  viewport: { width: 800, height: 600, refresh_rate: 60 },
  kiosk_mode: false,
  gpu: true,
  start_url: 'https://example.com/',
  proxy_id: 'x1',
  pool: { id: 'pool1', name: 'warm' },
  usage: { uptime_ms: 1234 },
  telemetry: { enabled: true },
  chrome_policy: { HomepageLocation: 'https://example.com/' },
};

export const PROFILE = { id: 'p1', created_at: '2026-05-01T12:00:00Z', name: 'work' };
export const STORED = { id: 'e1', created_at: '2026-05-01T12:00:00Z', size_bytes: 12, name: 'ext', checksum: 'ab' };
export const FILE = {
  name: 'a.txt',
  path: '/tmp/a.txt',
  is_dir: false,
  size_bytes: 3,
  mod_time: '2026-05-01T12:00:00Z',
  mode: '-rw-r--r--',
};
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const ZIP = Buffer.from('PK\u0003\u0004 an archive');
const ZIP_TYPE = { type: 'application/zip' };
/** Paths and ids as awkward as they may be. */
const FOLDER = '/home/kernel/a b+c&d=é/#1';
const ID = 'sess-é~1';
const STORE_PAGE = 'https://chromewebstore.google.com/detail/a-b/cjpalhdlnbpafiamejdnhcphjbkeiagm';

/** One operation of the interface, called the same way with both clients. */
export interface Call {
  name: string;
  ours: (client: ServiceClient) => Promise<unknown>;
  official: (client: Kernel) => Promise<unknown>;
  /** What a service answers that has done it. */
  answer: Reply;
}

const done: Reply = { status: 200 };
const binary = (body: Buffer, type: string): Reply => ({ headers: { 'content-type': type }, body });

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** The parameters of the first page, which our client always names. */
const FIRST_PAGE = { limit: 100, offset: 0 };
const CREATE = {
  name: 'mine',
  headless: true,
  stealth: true,
  timeout_seconds: 600,
  viewport: { width: 800, height: 600 },
  profile: { name: 'work', save_changes: true },
  extensions: [{ id: 'e1' }, { name: 'ext' }],
  start_url: 'https://example.com/',
  tags: { team: 'blue' },
};
const CHANGES = { name: 'other', tags: {}, viewport: { width: 640, height: 480, force: true } };
const CLICK = { x: 1, y: 2, button: 'right' as const, num_clicks: 2, hold_keys: ['Shift_L'] };
const MOVE = { x: 3, y: 4, smooth: false, duration_ms: 20 };
const DRAG = {
  path: [
    [1, 2],
    [3, 4],
  ] satisfies [number, number][],
  button: 'left' as const,
  delay: 5,
  steps_per_segment: 1,
  step_delay_ms: 10,
};
const KEYS = { keys: ['Return'], duration: 30, hold_keys: ['Control_L'] };
const SCROLL = { x: 5, y: 6, delta_x: -1, delta_y: 2, hold_keys: ['Alt_L'] };
/** The same in the names of our client. */
const OUR: {
  CREATE: CreateBrowserRequest;
  CLICK: ClickMouseRequest;
  MOVE: MoveMouseRequest;
  DRAG: DragMouseRequest;
  KEYS: PressKeyRequest;
  SCROLL: ScrollRequest;
} = {
  CREATE: {
    name: 'mine',
    headless: true,
    stealth: true,
    timeoutSeconds: 600,
    viewport: { width: 800, height: 600 },
    profile: { name: 'work', saveChanges: true },
    extensions: [{ id: 'e1' }, { name: 'ext' }],
    startUrl: 'https://example.com/',
    tags: { team: 'blue' },
  },
  CLICK: { x: 1, y: 2, button: 'right', numClicks: 2, holdKeys: ['Shift_L'] },
  MOVE: { x: 3, y: 4, smooth: false, durationMs: 20 },
  DRAG: { path: DRAG.path, button: 'left', delay: 5, stepsPerSegment: 1, stepDelayMs: 10 },
  KEYS: { keys: ['Return'], duration: 30, holdKeys: ['Control_L'] },
  SCROLL: { x: 5, y: 6, deltaX: -1, deltaY: 2, holdKeys: ['Alt_L'] },
};
const REGION = { x: 0, y: 1, width: 2, height: 3 };

/** Every operation that the client has. */
export const CALLS: readonly Call[] = [
  {
    name: 'listBrowsers',
    ours: (client) => all(client.listBrowsers({ status: 'all', query: 'a b', tags: { 'k 1': 'v&2' } })),
    official: (client) =>
      all(client.browsers.list({ status: 'all', query: 'a b', tags: { 'k 1': 'v&2' }, ...FIRST_PAGE })),
    answer: { body: [SESSION], headers: { 'x-has-more': 'false' } },
  },
  {
    name: 'createBrowser',
    ours: (client) => client.createBrowser(OUR.CREATE),
    official: (client) => client.browsers.create(CREATE),
    answer: { status: 201, body: SESSION },
  },
  {
    name: 'getBrowser',
    ours: (client) => client.getBrowser(ID),
    official: (client) => client.browsers.retrieve(ID),
    answer: { body: SESSION },
  },
  {
    name: 'getBrowser, also deleted',
    ours: (client) => client.getBrowser(ID, undefined, true),
    official: (client) => client.browsers.retrieve(ID, { include_deleted: true }),
    answer: { body: SESSION },
  },
  {
    name: 'updateBrowser',
    ours: (client) => client.updateBrowser(ID, CHANGES),
    official: (client) => client.browsers.update(ID, CHANGES),
    answer: { body: SESSION },
  },
  {
    name: 'deleteBrowser',
    ours: (client) => client.deleteBrowser(ID),
    official: (client) => client.browsers.deleteByID(ID),
    answer: { status: 204 },
  },
  {
    name: 'uploadExtensionsToBrowser',
    ours: (client) =>
      client.uploadExtensionsToBrowser(ID, [
        { name: 'one', zip: ZIP },
        { name: 'two', zip: new Blob([ZIP]) },
      ]),
    official: async (client) =>
      client.browsers.loadExtensions(ID, {
        extensions: [
          { name: 'one', zip_file: await toFile(ZIP, 'one.zip', ZIP_TYPE) },
          { name: 'two', zip_file: await toFile(ZIP, 'two.zip', ZIP_TYPE) },
        ],
      }),
    answer: { status: 201 },
  },
  {
    name: 'listProfiles',
    ours: (client) => all(client.listProfiles({ name: 'work', query: 'or' })),
    official: (client) => all(client.profiles.list({ name: 'work', query: 'or', ...FIRST_PAGE })),
    answer: { body: [PROFILE] },
  },
  {
    name: 'createProfile',
    ours: (client) => client.createProfile('work'),
    official: (client) => client.profiles.create({ name: 'work' }),
    answer: { status: 201, body: PROFILE },
  },
  {
    name: 'createProfile without a name',
    ours: (client) => client.createProfile(undefined),
    official: (client) => client.profiles.create({}),
    answer: { status: 201, body: PROFILE },
  },
  {
    name: 'getProfile',
    ours: (client) => client.getProfile(ID),
    official: (client) => client.profiles.retrieve(ID),
    answer: { body: PROFILE },
  },
  {
    name: 'renameProfile',
    ours: (client) => client.renameProfile(ID, 'play'),
    official: (client) => client.profiles.update(ID, { name: 'play' }),
    answer: { body: PROFILE },
  },
  {
    name: 'deleteProfile',
    ours: (client) => client.deleteProfile(ID),
    official: (client) => client.profiles.delete(ID),
    answer: { status: 204 },
  },
  {
    name: 'listExtensions',
    ours: (client) => all(client.listExtensions({ name: 'ext' })),
    official: (client) => all(client.extensions.list({ name: 'ext', ...FIRST_PAGE })),
    answer: { body: [STORED] },
  },
  {
    name: 'uploadExtension',
    ours: (client) => client.uploadExtension(ZIP, 'ext'),
    official: async (client) => client.extensions.upload({ file: await toFile(ZIP, 'ext.zip', ZIP_TYPE), name: 'ext' }),
    answer: { status: 201, body: STORED },
  },
  {
    name: 'uploadExtension without a name',
    ours: (client) => client.uploadExtension(ZIP, undefined),
    official: async (client) => client.extensions.upload({ file: await toFile(ZIP, 'extension.zip', ZIP_TYPE) }),
    answer: { status: 201, body: STORED },
  },
  {
    name: 'getExtension',
    ours: (client) => client.getExtension(ID),
    official: (client) => client.extensions.get(ID),
    answer: { body: STORED },
  },
  {
    name: 'downloadExtension',
    ours: (client) => client.downloadExtension(ID),
    official: (client) => client.extensions.download(ID),
    answer: binary(ZIP, 'application/octet-stream'),
  },
  {
    name: 'downloadPublished',
    ours: (client) => client.downloadPublished(STORE_PAGE),
    official: (client) => client.extensions.downloadFromChromeStore({ url: STORE_PAGE }),
    answer: binary(ZIP, 'application/octet-stream'),
  },
  {
    name: 'deleteExtension',
    ours: (client) => client.deleteExtension(ID),
    official: (client) => client.extensions.delete(ID),
    answer: { status: 204 },
  },
  {
    name: 'scroll',
    ours: (client) => client.scroll(ID, OUR.SCROLL),
    official: (client) => client.browsers.computer.scroll(ID, SCROLL),
    answer: done,
  },
  {
    name: 'screenshot',
    ours: (client) => client.screenshot(ID),
    official: (client) => client.browsers.computer.captureScreenshot(ID),
    answer: binary(PNG, 'image/png'),
  },
  {
    name: 'screenshot of a region',
    ours: (client) => client.screenshot(ID, REGION),
    official: (client) => client.browsers.computer.captureScreenshot(ID, { region: REGION }),
    answer: binary(PNG, 'image/png'),
  },
  {
    name: 'moveMouse',
    ours: (client) => client.moveMouse(ID, OUR.MOVE),
    official: (client) => client.browsers.computer.moveMouse(ID, MOVE),
    answer: done,
  },
  {
    name: 'clickMouse',
    ours: (client) => client.clickMouse(ID, OUR.CLICK),
    official: (client) => client.browsers.computer.clickMouse(ID, CLICK),
    answer: done,
  },
  {
    name: 'pressKey',
    ours: (client) => client.pressKey(ID, OUR.KEYS),
    official: (client) => client.browsers.computer.pressKey(ID, KEYS),
    answer: done,
  },
  {
    name: 'runBatch',
    ours: (client) =>
      client.runBatch(ID, [
        { type: 'moveMouse', moveMouse: OUR.MOVE },
        { type: 'sleep', sleep: { durationMs: 5 } },
        { type: 'dragMouse', dragMouse: OUR.DRAG },
        { type: 'scroll', scroll: OUR.SCROLL },
      ]),
    official: (client) =>
      client.browsers.computer.batch(ID, {
        actions: [
          { type: 'move_mouse', move_mouse: MOVE },
          { type: 'sleep', sleep: { duration_ms: 5 } },
          { type: 'drag_mouse', drag_mouse: DRAG },
          { type: 'scroll', scroll: SCROLL },
        ],
      }),
    answer: done,
  },
  {
    name: 'listFiles',
    ours: (client) => client.listFiles(ID, FOLDER),
    official: (client) => client.browsers.fs.listFiles(ID, { path: FOLDER }),
    answer: { body: [FILE] },
  },
  {
    name: 'fileInfo',
    ours: (client) => client.fileInfo(ID, FOLDER),
    official: (client) => client.browsers.fs.fileInfo(ID, { path: FOLDER }),
    answer: { body: FILE },
  },
  {
    name: 'createDirectory',
    ours: (client) => client.createDirectory(ID, FOLDER, '755'),
    official: (client) => client.browsers.fs.createDirectory(ID, { path: FOLDER, mode: '755' }),
    answer: { status: 201 },
  },
  {
    name: 'deleteDirectory',
    ours: (client) => client.deleteDirectory(ID, FOLDER),
    official: (client) => client.browsers.fs.deleteDirectory(ID, { path: FOLDER }),
    answer: done,
  },
  {
    name: 'deleteFile',
    ours: (client) => client.deleteFile(ID, FOLDER),
    official: (client) => client.browsers.fs.deleteFile(ID, { path: FOLDER }),
    answer: done,
  },
  {
    name: 'moveFile',
    ours: (client) => client.moveFile(ID, FOLDER, '/tmp/b'),
    official: (client) => client.browsers.fs.move(ID, { src_path: FOLDER, dest_path: '/tmp/b' }),
    answer: done,
  },
  {
    name: 'readFile',
    ours: (client) => client.readFile(ID, FOLDER),
    official: (client) => client.browsers.fs.readFile(ID, { path: FOLDER }),
    answer: binary(ZIP, 'application/octet-stream'),
  },
  {
    name: 'writeFile',
    ours: (client) => client.writeFile(ID, FOLDER, ZIP, '644'),
    official: (client) => client.browsers.fs.writeFile(ID, ZIP, { path: FOLDER, mode: '644' }),
    answer: { status: 201 },
  },
  {
    name: 'uploadZip',
    ours: (client) => client.uploadZip(ID, ZIP, FOLDER),
    official: async (client) =>
      client.browsers.fs.uploadZip(ID, { zip_file: await toFile(ZIP, 'files.zip', ZIP_TYPE), dest_path: FOLDER }),
    answer: { status: 201 },
  },
  {
    name: 'listPools',
    ours: (client) => all(client.listPools()),
    official: (client) => all(client.browserPools.list({ ...FIRST_PAGE })),
    answer: { body: [{ ...SESSION.pool, available_count: 2 }] },
  },
  {
    name: 'concurrencyLimit',
    ours: (client) => client.concurrencyLimit(),
    official: (client) => client.organization.limits.retrieve(),
    answer: { body: { max_concurrent_sessions: 5, default_project_max_concurrent_sessions: null } },
  },
  {
    name: 'pageOfBrowsers',
    ours: async (client) => (await client.pageOfBrowsers({ query: 'a b' }, 100)).items,
    official: async (client) => (await client.browsers.list({ query: 'a b', limit: 100, offset: 100 })).items,
    answer: { body: [SESSION] },
  },
  {
    name: 'pageOfProfiles',
    ours: async (client) => (await client.pageOfProfiles({ query: 'or' }, 100)).items,
    official: async (client) => (await client.profiles.list({ query: 'or', limit: 100, offset: 100 })).items,
    answer: { body: [PROFILE] },
  },
  {
    name: 'pageOfExtensions',
    ours: async (client) => (await client.pageOfExtensions({ query: 'ex' }, 100)).items,
    official: async (client) => (await client.extensions.list({ query: 'ex', limit: 100, offset: 100 })).items,
    answer: { body: [STORED] },
  },
  {
    name: 'acquireBrowser',
    ours: (client) => client.acquireBrowser(ID, { acquireTimeoutSeconds: 1, name: 'mine', tags: { a: 'b' } }),
    official: (client) =>
      client.browserPools.acquire(ID, { acquire_timeout_seconds: 1, name: 'mine', tags: { a: 'b' } }),
    answer: { body: SESSION },
  },
  {
    name: 'releaseBrowser',
    ours: (client) => client.releaseBrowser(ID, { browser: 's1', reuse: false }),
    official: (client) => client.browserPools.release(ID, { session_id: 's1', reuse: false }),
    answer: done,
  },
];
