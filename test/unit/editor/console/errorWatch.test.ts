import assert from 'node:assert/strict';
import { ReportedErrors } from '../../../../src/console/reportedErrors';
import type { ErrorReport } from '../../../../src/devtools/errors/errorReports';
import { watchErrors } from '../../../../src/editor/console/errorWatch';
import { PushRecords } from '../../../../src/push/known/pushRecords';
import type { Browser } from '../../../../src/service/model';
import { eventually } from '../../../support/eventually';
import { BROWSER } from '../lists/sampleBrowser';
import { reportOf } from '../../../support/errorEvents';

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)] as const;

/** How long what reads the disk may take, in milliseconds. */
const SOON_MS = 5000;

describe('errors that connected browsers report', () => {
  /** What the console has written. */
  let lines: string[];
  /** The names of the browsers before its lines. */
  let names: (string | null | undefined)[];
  /** What the service lists. */
  let listed: Browser[];
  /** What paths in the lines begin with. */
  let prefix: string;
  /** The extension whose console is attached. */
  let attached: string | undefined;
  let records: PushRecords;
  let reported: ReportedErrors;
  let report: (event: { browser: Browser; report: ErrorReport }) => unknown;

  beforeEach(() => {
    lines = [];
    names = [];
    prefix = '';
    listed = [];
    attached = undefined;
    const disposable = { dispose: () => undefined };
    const nothing = (): typeof disposable => disposable;
    let changed: (browserId: string) => void = () => undefined;
    reported = new ReportedErrors(
      (id) => changed(id),
      () => 'local',
    );
    records = new PushRecords(() => 'local');
    for (const [name, extensionId] of [['first', FIRST] as const, ['second', SECOND] as const]) {
      const build = { browser: BROWSER, folder: `/nowhere/${name}/dist`, root: '/nowhere', extensionId };
      records.setBuild(build, 'local');
      reported.setBuild(BROWSER.id, 'One', build, []);
    }
    const onDidChange = (listener: typeof changed): typeof disposable => {
      changed = listener;
      return disposable;
    };
    records.set(BROWSER.id, { state: 'running', at: 1, reason: '', label: '', extensionId: SECOND });
    watchErrors({
      console: {
        isAttached: (_, id) => id === attached,
        prefixOf: () => prefix,
        write: ({ name }, { text }) => void (names.push(name), lines.push(text)),
      },
      devTools: {
        onErrors: (listener) => {
          report = listener;
          return disposable;
        },
        onWorkerError: nothing,
        current: undefined,
      },
      errors: { onDidChange, rename: (id, label) => void reported.rename(id, label), reported },
      lists: { browsers: { items: listed, onDidLoad: nothing } },
      own: () => undefined,
      records,
    });
  });

  it('are each shown in the files of their own extension, also when another one was pushed there since', async () => {
    for (const extensionId of [FIRST, SECOND]) report({ browser: BROWSER, report: reportOf(extensionId) });
    await eventually('both are written', () => lines.length === 2, SOON_MS);
    assert.deepEqual(lines, ['Error: no (first/dist/worker.js:1)', 'Error: no (second/dist/worker.js:1)']);
  });

  it('have paths that name the workspace folder where several are open', async () => {
    prefix = 'nowhere/';
    report({ browser: BROWSER, report: reportOf(FIRST) });
    await eventually('it is written', () => lines.length === 1, SOON_MS);
    assert.deepEqual(lines, ['Error: no (nowhere/first/dist/worker.js:1)']);
  });

  it('have the name that the browser has now, also when it was renamed since it was connected', async () => {
    listed.push({ ...BROWSER, name: 'Two' });
    records.follow(listed);
    report({ browser: { ...BROWSER, name: 'One' }, report: reportOf(FIRST) });
    await eventually('it is written', () => lines.length === 1, SOON_MS);
    assert.deepEqual(names, ['Two']);
    assert.deepEqual(new Set(reported.shown.map(({ label }) => label)), new Set(['Two']));
  });

  it('have it also where the list does not go as far as to the browser', async () => {
    const labels = (): string[] => reported.shown.map(({ label }) => label);
    report({ browser: { ...BROWSER, name: 'One' }, report: reportOf(FIRST) });
    records.follow([{ ...BROWSER, name: 'Two' }]);
    assert.deepEqual(labels(), ['Two', 'Two']);
    report({ browser: { ...BROWSER, name: 'One' }, report: reportOf(SECOND) });
    await eventually('both are written', () => lines.length === 2, SOON_MS);
    assert.deepEqual([names.at(-1), ...labels()], ['Two', 'Two', 'Two']);
  });

  it('have it also where the last push is not known', async () => {
    listed.push({ ...BROWSER, name: 'Two' });
    records.dropBuild(BROWSER.id);
    report({ browser: { ...BROWSER, name: 'One' }, report: reportOf(FIRST) });
    await eventually('it is written', () => lines.length === 1, SOON_MS);
    assert.deepEqual(names, ['Two']);
  });

  it('are counted of all extensions in a browser', async () => {
    for (const extensionId of [FIRST, SECOND]) report({ browser: BROWSER, report: reportOf(extensionId) });
    assert.equal(records.errorsIn(BROWSER.id), 2);
    await eventually('both are written', () => lines.length === 2, SOON_MS);
  });

  it('are written of an extension that the console of the browser does not show', async () => {
    attached = SECOND;
    for (const extensionId of [SECOND, FIRST]) report({ browser: BROWSER, report: reportOf(extensionId) });
    await eventually('one is written', () => lines.length > 0, SOON_MS);
    assert.deepEqual(lines, ['Error: no (first/dist/worker.js:1)']);
  });
});
