import assert from 'node:assert/strict';
import { DeliveryQueue } from '../../../src/push/queue';

/** A task whose end the test decides. */
function controlled(): {
  task: () => Promise<string>;
  started: () => boolean;
  end: (value: string) => void;
  fail: () => void;
} {
  let isStarted = false;
  let end: (value: string) => void = () => undefined;
  let fail: () => void = () => undefined;
  const promise = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = () => {
      reject(new Error('failed'));
    };
  });
  return {
    task: () => {
      isStarted = true;
      return promise;
    },
    started: () => isStarted,
    end: (value) => {
      end(value);
    },
    fail: () => {
      fail();
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DeliveryQueue', () => {
  it('runs one delivery at a time and replaces the waiting one by the newest', async () => {
    const queue = new DeliveryQueue<string>();
    const [first, second, third] = [controlled(), controlled(), controlled()];
    const ends = [queue.add('a', first.task)];
    await turn();
    ends.push(queue.add('a', second.task), queue.add('a', third.task));
    await turn();
    assert.deepEqual([first.started(), second.started(), third.started()], [true, false, false]);
    first.end('1');
    await turn();
    assert.deepEqual([second.started(), third.started()], [false, true]);
    third.end('3');
    assert.deepEqual(await Promise.all(ends), ['1', '3', '3']);
  });

  it('replaces no waiting delivery of another key, and runs them in their order', async () => {
    const queue = new DeliveryQueue<string>();
    const [first, second, third, fourth] = [controlled(), controlled(), controlled(), controlled()];
    const ends = [queue.add('a', first.task)];
    await turn();
    ends.push(queue.add('a', second.task), queue.add('b', third.task), queue.add('a', fourth.task));
    first.end('1');
    await turn();
    assert.deepEqual([second.started(), third.started(), fourth.started()], [false, false, true]);
    fourth.end('4');
    await turn();
    assert.equal(third.started(), true);
    third.end('3');
    assert.deepEqual(await Promise.all(ends), ['1', '4', '3', '4']);
  });

  it('continues after a delivery that failed, and rejects only for those who asked for that one', async () => {
    const queue = new DeliveryQueue<string>();
    const [first, second] = [controlled(), controlled()];
    const failed = queue.add('a', first.task);
    await turn();
    const done = queue.add('a', second.task);
    first.fail();
    await assert.rejects(failed, /failed/);
    second.end('2');
    assert.equal(await done, '2');
  });

  it('never runs two at once when a request comes at the moment a delivery ends', async () => {
    const queue = new DeliveryQueue<string>();
    let running = 0;
    let most = 0;
    const task = async (): Promise<string> => {
      running++;
      most = Math.max(most, running);
      await turn();
      running--;
      return 'done';
    };
    const first = queue.add('a', task);
    const again = first.then(() => queue.add('a', task));
    await Promise.all([first, queue.add('b', task), again]);
    assert.equal(most, 1);
  });
});
