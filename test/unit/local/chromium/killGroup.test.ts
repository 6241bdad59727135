import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killGroup } from '../../../../src/local/chromium/chromium';
import { isAlive } from '../../../../src/local/processes';
import { eventually } from '../../../support/eventually';

describe('the end of a browser', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    it(`takes the processes of its group along where there are groups: ${platform}`, async function () {
      if (process.platform === 'win32') this.skip();
      const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const { pid = assert.fail('it was not started') } = leader;
      const [said] = (await once(leader.stdout, 'data')) as [Buffer];
      const child = Number(said.toString());
      try {
        await killGroup(leader, platform);
        assert.equal(leader.signalCode, 'SIGKILL');
        assert.equal(isAlive(pid), false);
        // On Windows the children of Chromium end with it by themselves.
        if (platform === 'win32') assert.equal(isAlive(child), true);
        else await eventually('its child has ended', () => !isAlive(child), 5000);
      } finally {
        if (isAlive(child)) process.kill(child, 'SIGKILL');
      }
    });
  }
});
