import assert from 'node:assert/strict';
import {
  afterTask,
  keyOf,
  resolveConfiguration,
  taskEnded,
  textOf,
  withDefaults,
} from '../../../../src/editor/debugger/debugConfiguration';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const SUBJECT = {
  extensionId: ID,
  name: 'Sample (one)',
  folder: '/home/dev/dist',
  root: '/home/dev',
  above: new Map([
    ['src', '/home/dev/src'],
    ['a*b', '/home/dev/a*b'],
  ]),
  port: 4711,
  socketAddress: 'ws://127.0.0.1:4711/secret',
};

describe('a configuration of the debugger', () => {
  it('attaches to the relay on this machine, and maps addresses to files and files to addresses', () => {
    const { configuration, key } = resolveConfiguration({ type: 'sideload', request: 'launch', name: '' }, SUBJECT);
    const expected = {
      type: 'pwa-chrome',
      request: 'attach',
      name: 'Sample (one)',
      address: '127.0.0.1',
      port: 4711,
      browserAttachLocation: 'workspace',
      webRoot: '/home/dev/dist',
      pathMapping: { [`chrome-extension://${ID}`]: '/home/dev/dist', '/': '/home/dev/dist' },
    };
    assert.deepEqual({ ...configuration, ...expected }, configuration);
    assert.equal(keyOf(configuration), key);
  });

  it('keeps what the user has set for the debugger, and drops what is only for Sideload', () => {
    const own = {
      type: 'sideload',
      request: 'launch',
      name: '',
      browser: 'one',
      pages: 'matching',
      smartStep: false,
      address: '192.0.2.1',
      pathMapping: { '/assets': '/home/dev/assets' },
      sourceMapPathOverrides: { 'x://*': '/x/*' },
    };
    const { configuration } = resolveConfiguration(own, SUBJECT);
    assert.deepEqual(
      ['browser', 'pages', 'smartStep', 'address'].map((field) => configuration[field] as unknown),
      [undefined, undefined, false, '127.0.0.1'],
    );
    assert.deepEqual(Object.keys(configuration['pathMapping'] as object).sort(), [
      '/',
      '/assets',
      `chrome-extension://${ID}`,
    ]);
    assert.equal((configuration['sourceMapPathOverrides'] as Record<string, string>)['x://*'], '/x/*');
  });

  it('has no variable in its name, whatever the extension and the browser are called', () => {
    const name = '${command:workbench.action.quit} (${input:none} $)';
    const { configuration } = resolveConfiguration(
      { type: 'sideload', request: 'launch', name: '' },
      { ...SUBJECT, name },
    );
    assert.doesNotMatch(configuration.name, /\$\{/);
    assert.equal(configuration.name.replaceAll('\u200b', ''), name);
  });

  it('finds sources that are named from the folder of the project', () => {
    const { configuration } = resolveConfiguration({ type: 'sideload', request: 'launch', name: '' }, SUBJECT);
    const overrides = configuration['sourceMapPathOverrides'] as Record<string, string>;
    assert.deepEqual([overrides['src'], overrides['a*b']], ['/home/dev/src', undefined]);
  });

  it('finds sources that webpack names by absolute paths, also those of a drive', () => {
    const { configuration } = resolveConfiguration({ type: 'sideload', request: 'launch', name: '' }, SUBJECT);
    const overrides = Object.entries(configuration['sourceMapPathOverrides'] as Record<string, string>);
    /** The debugger takes the longest that fits; one in brackets is an expression. */
    const [pattern = '', to = ''] = overrides.find(([one]) => one.startsWith('webpack:///(')) ?? [];
    assert.equal('webpack:///C:/project/src/a.ts'.replace(new RegExp(`^${pattern}$`, 'i'), to), 'C:/project/src/a.ts');
    assert.ok(overrides.some(([one, path]) => one === 'webpack:////*' && path === '/*'));
  });

  it('waits for the task before it, as one of the debugger, which then keeps its defaults', () => {
    const own = { type: 'sideload', request: 'attach', name: 'A', browser: 'one' };
    assert.equal(afterTask(own), undefined);
    const waiting = afterTask({ ...own, preLaunchTask: 'build' });
    assert.deepEqual([waiting?.type, waiting?.['preLaunchTask'], taskEnded(own)], ['pwa-chrome', 'build', undefined]);
    assert.ok(waiting);
    assert.deepEqual(taskEnded(waiting), own);
    const { configuration } = resolveConfiguration(own, SUBJECT);
    const last = withDefaults({ ...waiting, timeouts: {}, port: 1 }, configuration);
    assert.deepEqual([last['port'], last['timeouts'], taskEnded(last)], [4711, {}, undefined]);
  });

  it('waits for the variables by which it names its browser', () => {
    const own = { type: 'sideload', request: 'attach', name: 'A', browser: '${input:browser}', skipFiles: ['${x}'] };
    const waiting = afterTask(own) ?? assert.fail();
    assert.deepEqual([waiting.type, 'preLaunchTask' in waiting], ['pwa-chrome', false]);
    assert.deepEqual(taskEnded(waiting), own);
    assert.equal(afterTask({ ...own, browser: 'one' }), undefined);
  });

  it('of others has no key', () => {
    assert.equal(keyOf({ type: 'pwa-chrome', request: 'attach', name: '' }), undefined);
    assert.equal(textOf({ type: 'sideload', request: 'attach', name: '', browser: '' }, 'browser'), undefined);
  });
});
