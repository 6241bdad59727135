import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '../support/eventually';
import { ROOT } from '../support/paths';
import { PushStage } from './pushStage';
import { runProgram, type ProgramEnd } from './shippedPrograms';

/** Reads a text of the popup with a library, and prints it. */
const CLIENTS = {
  'playwright-core': `const { chromium } = require(MODULE);
chromium.connectOverCDP(process.env.SIDELOAD_CDP_URL).then(async (browser) => {
  const page = await browser.contexts()[0].newPage();
  await page.goto('chrome-extension://' + process.env.SIDELOAD_EXTENSION_ID + '/popup.html');
  console.log('read ' + await page.textContent('h1'));
  await browser.close();
});`,
  'puppeteer-core': `const puppeteer = require(MODULE);
puppeteer.connect({ browserWSEndpoint: process.env.SIDELOAD_CDP_URL }).then(async (browser) => {
  const page = await browser.newPage();
  await page.goto('chrome-extension://' + process.env.SIDELOAD_EXTENSION_ID + '/popup.html');
  console.log('read ' + await page.$eval('h1', (element) => element.textContent));
  await browser.disconnect();
  process.exit(7);
});`,
};

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('run --exec', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();

  async function run(command: string): Promise<ProgramEnd> {
    const { folder, service } = stage();
    const end = await runProgram(
      'cli',
      ['run', folder, '--headless', '--service', service.baseUrl, '--exec', command],
      {
        cwd: dirname(folder),
        env: { SIDELOAD_TOKEN: service.token },
      },
    );
    const browsers: unknown[] = [];
    for await (const browser of stage().client.listBrowsers()) browsers.push(browser);
    assert.ok(browsers.length <= 1, 'its browser is left');
    return end;
  }

  for (const [name, script] of Object.entries(CLIENTS)) {
    it(`lets ${name} open the popup of the pushed extension, and ends with its exit code`, async () => {
      const at = stage();
      await at.write('popup.html', '<!doctype html><h1>Hello from the popup</h1>');
      const file = join(at.folder, 'read.test.cjs');
      await writeFile(file, script.replace('MODULE', JSON.stringify(join(ROOT, 'node_modules', name))));
      const { code, stdout, stderr } = await run(`"${process.execPath}" "${file}"`);
      assert.match(stdout, /^read Hello from the popup$/m, stderr);
      assert.equal(code, name === 'puppeteer-core' ? 7 : 0, stderr);
    });
  }

  it('ends the command with all that it has started when it is ended itself', async () => {
    const { folder, service } = stage();
    const inner = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('inner ' + process.pid);`;
    const file = join(folder, 'outer.test.cjs');
    await writeFile(
      file,
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' });
setInterval(() => undefined, 1000);`,
    );
    let pid = 0;
    const args = ['run', folder, '--headless', '--service', service.baseUrl];
    await runProgram('cli', [...args, '--exec', `"${process.execPath}" "${file}" & wait`], {
      cwd: dirname(folder),
      env: { SIDELOAD_TOKEN: service.token },
      onLine: (line, stop) => {
        const found = /^inner (\d+)/.exec(line.trim())?.[1];
        if (found === undefined) return;
        pid = Number(found);
        stop();
      },
    });
    assert.ok(pid > 0, 'the command did not run');
    await eventually('the end of what it has started', () => !isAlive(pid), 5000);
  });

  it('does not run the command when the push fails', async () => {
    await stage().editManifest({ version: '1.0.x' });
    const { code, stdout } = await run('echo ran');
    assert.deepEqual([code, stdout.includes('ran')], [1, false]);
  });
});
