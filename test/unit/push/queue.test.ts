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
  it('runs one delivery at a time and makes of all requests meanwhile exactly one more, the newest', async () => {
    const queue = new DeliveryQueue<string>();
    const [first, second, third] = [controlled(), controlled(), controlled()];
    const ends = [queue.add(first.task), queue.add(second.task), queue.add(third.task)];
    await turn();
    assert.deepEqual([first.started(), second.started(), third.started()], [true, false, false]);
    first.end('1');
    await turn();
    assert.deepEqual([second.started(), third.started()], [false, true]);
    third.end('3');
    assert.deepEqual(await Promise.all(ends), ['1', '3', '3']);
    assert.equal(queue.isBusy, false);
  });

  it('goes on after a delivery that failed, and tells the failure to those who asked for it only', async () => {
    const queue = new DeliveryQueue<string>();
    const [first, second] = [controlled(), controlled()];
    const [failed, done] = [queue.add(first.task), queue.add(second.task)];
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
    const first = queue.add(task);
    const again = first.then(() => queue.add(task));
    await Promise.all([first, queue.add(task), again]);
    assert.equal(most, 1);
  });
});
