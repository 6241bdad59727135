import assert from 'node:assert/strict';
import { DeliveryQueue } from '../../../../src/push/turns/deliveryQueue';

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
    const queue = new DeliveryQueue<string, number>((earlier, later) => earlier + later);
    const [first, second, third] = [controlled(), controlled(), controlled()];
    const ends = [queue.add('a', 1, first.task)];
    await turn();
    ends.push(queue.add('a', 1, second.task), queue.add('a', 1, third.task));
    await turn();
    assert.deepEqual([first.started(), second.started(), third.started()], [true, false, false]);
    first.end('1');
    await turn();
    assert.deepEqual([second.started(), third.started()], [false, true]);
    third.end('3');
    assert.deepEqual(await Promise.all(ends), ['1', '3', '3']);
  });

  it('replaces no waiting delivery of another key, which may have the same files: the last request is delivered last', async () => {
    const queue = new DeliveryQueue<string, number>((earlier, later) => earlier + later);
    const [first, second, third, fourth] = [controlled(), controlled(), controlled(), controlled()];
    const ends = [queue.add('a', 1, first.task)];
    await turn();
    ends.push(queue.add('a', 1, second.task), queue.add('a and b', 1, third.task), queue.add('a', 1, fourth.task));
    first.end('1');
    await turn();
    assert.deepEqual([second.started(), third.started(), fourth.started()], [false, true, false]);
    third.end('3');
    await turn();
    assert.equal(fourth.started(), true);
    fourth.end('4');
    assert.deepEqual(await Promise.all(ends), ['1', '4', '3', '4']);
    assert.equal(second.started(), false);
  });

  it('continues after a delivery that failed, and rejects only for those who asked for that one', async () => {
    const queue = new DeliveryQueue<string, number>((earlier, later) => earlier + later);
    const [first, second] = [controlled(), controlled()];
    const failed = queue.add('a', 1, first.task);
    await turn();
    const done = queue.add('a', 1, second.task);
    first.fail();
    await assert.rejects(failed, /failed/);
    second.end('2');
    assert.equal(await done, '2');
  });

  it('never runs two at once when a request comes at the moment a delivery ends', async () => {
    const queue = new DeliveryQueue<string, number>((earlier, later) => earlier + later);
    let running = 0;
    let most = 0;
    const task = async (): Promise<string> => {
      running++;
      most = Math.max(most, running);
      await turn();
      running--;
      return 'done';
    };
    const first = queue.add('a', 1, task);
    const again = first.then(() => queue.add('a', 1, task));
    await Promise.all([first, queue.add('b', 1, task), again]);
    assert.equal(most, 1);
  });

  it('demands of a delivery what all whose requests it replaces have demanded', async () => {
    const queue = new DeliveryQueue<number, number>((earlier, later) => earlier + later);
    const first = controlled();
    const running = queue.add('a', 1, async () => Number(await first.task()));
    await turn();
    const demanded = [2, 4, 8].map((demand) => queue.add('a', demand, (all) => Promise.resolve(all)));
    first.end('0');
    await running;
    assert.deepEqual(await Promise.all(demanded), [14, 14, 14]);
    assert.equal(await queue.add('a', 16, (all) => Promise.resolve(all)), 16);
  });
});
