import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, runningInGroup } from '../../../src/local/processes';

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
