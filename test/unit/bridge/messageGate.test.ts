import assert from 'node:assert/strict';
import { MessageGate } from '../../../src/bridge/messageGate';
import { TestClock } from '../../support/testClock';

describe('a message of a server', () => {
  it('waits for what is pushed to its browser, but not for long', async () => {
    const clock = new TestClock();
    const gate = new MessageGate(clock);
    let end = (): void => undefined;
    gate.begin(['a'], new Promise<void>((resolve) => (end = resolve)));
    const passed: string[] = [];
    const message = (id: string): Promise<unknown> => gate.untilQuiet(id).then(() => passed.push(id));
    const [waiting, free] = [message('a'), message('b')];
    await free;
    assert.deepEqual(passed, ['b']);
    end();
    await waiting;
    await message('a');
    gate.begin(['a'], new Promise(() => undefined));
    const stuck = message('a');
    await clock.advance(5000);
    await stuck;
    assert.deepEqual(passed, ['b', 'a', 'a', 'a']);
  });

  it('waits for a build whose push has not begun', async () => {
    const clock = new TestClock();
    const gate = new MessageGate(clock);
    let pushed = (): void => undefined;
    gate.follow(() => new Promise<void>((resolve) => (pushed = resolve)));
    const passed: string[] = [];
    const message = gate.untilQuiet('a').then(() => passed.push('a'));
    await clock.advance(4000);
    assert.deepEqual(passed, []);
    // The push that begins then is waited for, too.
    let arrived = (): void => undefined;
    gate.begin(['a'], new Promise<void>((resolve) => (arrived = resolve)));
    pushed();
    await clock.advance(500);
    assert.deepEqual(passed, []);
    arrived();
    await message;
    assert.deepEqual(passed, ['a']);
  });
});
