import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, isAliveSince, runningInGroup, startOf } from '../../../src/local/processes';

describe('a process', () => {
  it('runs until it has ended, as far as each system says', async () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      assert.equal(isAlive(process.pid, platform), true);
      assert.equal(isAlive(2 ** 30, platform), false);
      for (const none of [0, -1, 1.5, Number.NaN]) assert.equal(isAlive(none, platform), false);
      assert.equal(startOf(2 ** 30, platform), undefined);
      if (platform !== 'linux') assert.equal(await runningInGroup(process.pid, platform), undefined);
    }
  });

  it('is not another one that has its id', async () => {
    const start = startOf(process.pid);
    assert.equal(isAliveSince(process.pid, start), true);
    assert.equal(isAliveSince(process.pid, undefined), true);
    assert.equal(isAliveSince(2 ** 30, start), false);
    if (process.platform !== 'linux') return;
    assert.match(start ?? '', /^[1-9]\d*$/);
    assert.equal(isAliveSince(process.pid, `${start}0`), false);
    const later = spawn('sleep', ['60']);
    await once(later, 'spawn');
    assert(Number(startOf(later.pid ?? 0)) >= Number(start));
    later.kill('SIGKILL');
  });
});

describe('the processes of a process group', () => {
  it('are listed while they are running, including children, and not when they have ended', async function () {
    if (process.platform !== 'linux') this.skip();
    const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { pid: group = assert.fail('it was not started') } = leader;
    try {
      const [told] = (await once(leader.stdout, 'data')) as [Buffer];
      const child = Number(told.toString());
      assert.deepEqual(await runningInGroup(group), [group, child]);
      process.kill(-group, 'SIGKILL');
      await once(leader, 'exit');
      // A zombie is not running.
      while (isAlive(child)) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(await runningInGroup(group), []);
    } finally {
      leader.kill('SIGKILL');
    }
  });
});
