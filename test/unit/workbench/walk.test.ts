import assert from 'node:assert/strict';
import { Walk } from '../../workbench/walk';

describe('a walk through a window', () => {
  let done: string[];
  let walk: Walk<'browser' | 'pushed'>;

  beforeEach(() => {
    done = [];
    const note = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what));
    walk = new Walk(
      { browser: { reach: note('create') }, pushed: { after: 'browser', reach: note('push') } },
      note('open'),
    );
  });

  const test = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what));
  const fails = (): Promise<void> => Promise.reject(new Error('planted'));

  it('repeats nothing while its tests pass', async () => {
    await walk.run('window', test('first'), 'browser');
    await walk.run('browser', test('second'), 'pushed');
    await walk.run('pushed', test('third'));
    assert.deepEqual(done, ['first', 'second', 'third']);
  });

  it('begins a test after a failed one in a new window, in the state that it needs', async () => {
    await walk.run('window', test('first'), 'browser');
    await assert.rejects(walk.run('browser', fails, 'pushed'), /planted/);
    assert.equal(walk.state, undefined);
    await walk.run('pushed', test('third'));
    await walk.run('pushed', test('fourth'));
    assert.deepEqual(done, ['first', 'open', 'create', 'push', 'third', 'fourth']);
  });

  it('opens no other window for a state that is reached from the one that was just opened', async () => {
    await walk.run('browser', test('alone'));
    assert.deepEqual(done, ['create', 'alone']);
  });

  it('begins again for a test that needs a state of before', async () => {
    await walk.run('pushed', test('last'));
    await walk.run('window', test('first'));
    assert.deepEqual(done, ['create', 'push', 'last', 'open', 'first']);
  });

  it('tries it again for the next test when a state was not reached', async () => {
    let isBroken = true;
    const reach = (): Promise<void> => (isBroken ? fails() : test('create')());
    const broken = new Walk({ browser: { reach } }, test('open'));
    await assert.rejects(broken.run('browser', test('first')), /planted/);
    isBroken = false;
    await broken.run('browser', test('second'));
    assert.deepEqual(done, ['open', 'create', 'second']);
  });
});
