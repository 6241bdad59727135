import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportedStorage } from '../../src/devtools/storage/exportFormat';
import type { UpdateCheckId, UpdateReport } from '../../src/publish/updateReport';
import { UpdateTestError } from '../../src/publish/updateStep';
import { runProgram, type ProgramEnd } from './shippedPrograms';
import { UpdateStage } from './updateStage';

const OLD_WORKER = `chrome.runtime.onInstalled.addListener(() => chrome.storage.local.set({ theme: 'dark', visits: 3 }));
chrome.alarms.create('refresh', { periodInMinutes: 5 });
`;

/** Loses what the user has chosen, and fails on line 4. */
const NEW_WORKER = `chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  const { theme } = await chrome.storage.local.get('theme');
  await chrome.storage.local.remove('theme');
  await chrome.storage.local.set({ settings: { theme: theme.colour.name } });
});
`;

const POPUP = {
  'popup.html': '<!doctype html><script src="popup.js"></script>',
  'popup.js': `chrome.storage.local.set({ opened: true }); indexedDB.open('notes', 2);`,
};

const OLD = {
  version: '1.0',
  permissions: ['storage', 'alarms'],
  background: { service_worker: 'worker.js' },
  action: { default_popup: 'popup.html' },
};

const OLD_REFUSED = /^The old version was refused, and nothing else was touched: manifest\.json:\d+:\d+: /;

/** Rulesets of the old version are judged by Chromium alone, those of the new build by the check. */
const OLD_RULES_REFUSED = /^The old version was refused, and nothing else was touched: rules\.json: Rule with id 1 /;
const NEW_RULES_REFUSED =
  /^The new build was refused, and nothing else was touched: rules\.json:\d+:\d+: .*Rule with id 1 /;

function stateOf({ checks }: UpdateReport, id: UpdateCheckId): string | undefined {
  return checks.find((check) => check.id === id)?.state;
}

describe('an update test', function () {
  this.timeout(120_000);
  let stage: UpdateStage;
  before(async () => {
    stage = await UpdateStage.start();
  });
  after(async () => {
    await stage.end();
  });
  afterEach(async () => {
    assert.deepEqual(await stage.left(), { browsers: 0, folders: [] });
  });

  it('reports a migration that loses data as a difference, with its error at its line', async () => {
    const path = await stage.extension('old', OLD, { 'worker.js': OLD_WORKER, ...POPUP });
    const next = { ...OLD, version: '1.1', minimum_chrome_version: '120' };
    const folder = await stage.extension('new', next, { 'worker.js': NEW_WORKER, ...POPUP });
    const steps: string[] = [];
    const report = await stage.run({ folder, from: { from: 'folder', path } }, { onStep: (step) => steps.push(step) });
    assert.deepEqual(steps, ['oldVersion', 'newBuild', 'browser', 'oldRuns', 'data', 'update', 'report']);
    assert.deepEqual(report.installed, { reason: 'update', previousVersion: '1.0' });
    const lost = report.differences.find(({ name }) => name === 'theme');
    assert.deepEqual(lost, { where: 'local', name: 'theme', before: '"dark"' });
    assert.equal(report.before.areas.get('local')?.get('opened'), true, 'the popup was not opened');
    assert.deepEqual(report.before.databases, [{ name: 'notes', version: 2 }]);
    assert.deepEqual(report.before.alarms, [{ name: 'refresh', period: 5 }]);
    assert.deepEqual(report.after.alarms, []);
    const [error] = report.errors;
    assert.deepEqual([error?.file, error?.line, error?.part], [join(folder, 'worker.js'), 4, 'worker']);
    assert.match(error?.text ?? '', /reading 'name'/);
    assert.deepEqual(
      report.checks.map(({ id, state }) => `${id} ${state}`),
      [
        'version passed',
        'id passed',
        'minimum passed',
        'permissions passed',
        'runs passed',
        'installed passed',
        'data passed',
        'errors failed',
      ],
    );
  });

  const WAYS = {
    'scripts that it imports': {
      background: { service_worker: 'js/worker.js' },
      files: { 'js/worker.js': "importScripts('part.js', '/lib.js'); started();", 'lib.js': 'self.started = () => 2;' },
    },
    'modules that it imports': {
      background: { service_worker: 'js/worker.js', type: 'module' },
      files: {
        'js/worker.js': "import '../lib.js'; import './part.js'; started();",
        'lib.js': 'self.started = () => 2;',
      },
    },
  };

  for (const [way, { background, files }] of Object.entries(WAYS)) {
    it(`notes runtime.onInstalled of a worker in ${way}`, async () => {
      const part = 'chrome.runtime.onInstalled.addListener(() => chrome.storage.local.set({ at: 1 }));';
      const all = { ...files, 'js/part.js': part };
      const manifest = { permissions: ['storage'], background };
      const path = await stage.extension('imports', { ...manifest, version: '1' }, all);
      const folder = await stage.extension('imported', { ...manifest, version: '2' }, all);
      const report = await stage.run({ folder, from: { from: 'folder', path } });
      assert.deepEqual(report.errors, []);
      assert.deepEqual(report.installed, { reason: 'update', previousVersion: '1' });
    });
  }

  it('quotes the permission warnings of Chromium, and names the line because of which users are asked again', async () => {
    const path = await stage.extension('few', { version: '1' });
    const folder = await stage.extension('more', {
      version: '2',
      permissions: ['history'],
      host_permissions: ['https://a.example/*'],
    });
    const report = await stage.run({ folder, from: { from: 'folder', path } });
    assert.deepEqual(report.old.warnings, []);
    assert.deepEqual(report.next.warnings, [
      'Read and change your data on a.example',
      'Read and change your browsing history on all your signed-in devices',
    ]);
    const check = report.checks.find(({ id }) => id === 'permissions');
    assert.deepEqual(
      [check?.state, check?.at],
      ['failed', { file: join(folder, 'manifest.json'), line: 9, column: 5 }],
    );
    assert.match(
      check?.message ?? '',
      /^manifest\.json:6:5 history: Read and change your browsing history on all your signed-in devices$/m,
    );
    assert.equal(stateOf(report, 'installed'), 'skipped');
  });

  it('gives the old version the storage of a file, in place of its own', async () => {
    const path = await stage.extension('stored', OLD, { 'worker.js': OLD_WORKER, ...POPUP });
    const folder = await stage.extension(
      'emptied',
      { ...OLD, version: '3' },
      {
        'worker.js': 'chrome.runtime.onInstalled.addListener(() => chrome.storage.local.clear());',
        ...POPUP,
      },
    );
    const storage: ExportedStorage = {
      extension: { id: 'a'.repeat(32), name: 'Updated', version: '1.0' },
      areas: new Map([['local', new Map([['theme', 'light']])]]),
    };
    const report = await stage.run({ folder, from: { from: 'folder', path }, storage });
    assert.deepEqual(report.before.areas.get('local'), new Map([['theme', 'light']]));
    assert.equal(stateOf(report, 'data'), 'failed');
    assert.equal(stateOf(report, 'permissions'), 'passed');
  });

  it('keeps the id of the old version by its key, and says what an equal version means', async () => {
    const key = Buffer.from('any bytes may be a key').toString('base64');
    const path = await stage.extension('keyed', { version: '1', key });
    const folder = await stage.extension('keyless', { version: '1' });
    const report = await stage.run({ folder, from: { from: 'folder', path } });
    assert.equal(stateOf(report, 'id'), 'passed');
    assert.equal(stateOf(report, 'version'), 'failed');
  });

  it('ends with a sentence at the step where it cannot go on', async () => {
    const old = await stage.extension('base', { version: '2' });
    const foreign: ExportedStorage = {
      extension: { id: 'b'.repeat(32), name: 'Another', version: '1' },
      areas: new Map(),
    };
    const lower = await stage.extension('lower', { version: '1.9' });
    const good = await stage.extension('good', { version: '3' });
    // The check knows no fault of it, and Chromium does.
    const broken = await stage.extension('broken', { version: '1', name: '' });
    const blocking = {
      version: '1',
      permissions: ['declarativeNetRequest'],
      declarative_net_request: { rule_resources: [{ id: 'main', enabled: true, path: 'rules.json' }] },
    };
    const rule = { id: 1, condition: { urlFilter: '' }, action: { type: 'block' } };
    const files = { 'rules.json': JSON.stringify([rule]) };
    const [oldRules, newRules] = [
      await stage.extension('oldRules', blocking, files),
      await stage.extension('newRules', { ...blocking, version: '3' }, files),
    ];
    const from = { from: 'folder', path: old } as const;
    const faults: [() => Promise<unknown>, string, RegExp][] = [
      [() => stage.run({ folder: lower, from }), 'newBuild', /Version 1\.9 of the new build is lower than 2/],
      [() => stage.run({ folder: good, from, storage: foreign }), 'data', /storage is of Another \(b{32}\)/],
      [() => stage.run({ folder: good, from: { from: 'folder', path: broken } }), 'oldVersion', OLD_REFUSED],
      [() => stage.run({ folder: good, from: { from: 'stored', idOrName: 'nothing' } }), 'oldVersion', /nothing/],
      [() => stage.run({ folder: good, from: { from: 'folder', path: oldRules } }), 'oldRuns', OLD_RULES_REFUSED],
      [() => stage.run({ folder: newRules, from }), 'newBuild', NEW_RULES_REFUSED],
    ];
    for (const [run, step, message] of faults) {
      const error: unknown = await run().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof UpdateTestError, String(error));
      assert.equal(error.step, step, error.message);
      assert.match(error.message, message);
    }
  });

  it('is a command of the program for terminals, with a report for pipelines', async () => {
    const old = await stage.extension('cliOld', OLD, { 'worker.js': OLD_WORKER, ...POPUP });
    await stage.extension('cliNew', { ...OLD, version: '1.1' }, { 'worker.js': NEW_WORKER, ...POPUP });
    const junit = join(stage.root, 'report.xml');
    const run = (from: string, ...more: string[]): Promise<ProgramEnd> =>
      runProgram(
        'cli',
        ['test', 'cliNew', '--update-from', from, '--service', stage.service.baseUrl, '--headless', ...more],
        { cwd: stage.root, env: { SIDELOAD_TOKEN: stage.service.token } },
      );
    const tested = await run(old, '--json', '--junit', junit);
    assert.equal(tested.code, 1, tested.stderr);
    const { passed, errors, differences } = JSON.parse(tested.stdout) as {
      passed: boolean;
      errors: { file: string; line: number; part: string }[];
      differences: { name: string; before?: string }[];
    };
    assert.deepEqual([passed, errors[0]?.file, errors[0]?.line], [false, 'cliNew/worker.js', 4]);
    assert.equal(differences.find(({ name }) => name === 'theme')?.before, '"dark"');
    const report = await readFile(junit, 'utf8');
    assert.match(report, /tests="8" failures="1"/);
    assert.match(report, /name="It has no error after the update"[^>]*><failure message="cliNew\/worker\.js:4:/);
    const stopped = await run('no-such-tag', '--junit', junit);
    assert.equal(stopped.code, 3, stopped.stdout);
    assert.match(stopped.stdout, /^STOPPED at the step "Getting the old version": .*git repository/);
    assert.match(await readFile(junit, 'utf8'), /<testsuite name="cliNew" tests="1" failures="1"/);
    const wrong = await run('published:nothing');
    assert.equal(wrong.code, 64, wrong.stdout);
  });
});
