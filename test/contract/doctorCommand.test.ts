// Covers: src/programs/doctorCommand.ts, src/doctor
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../support/selectFiles';
import { DocumentService } from '../standins/documentService';
import { PushStage } from './pushStage';
import { TestService } from './service';
import { runProgram } from './shippedPrograms';

/** Nothing listens at this port. */
const NO_SERVICE = 'http://127.0.0.1:9';

/** What `--json` prints. */
interface Report {
  browser: string | null;
  broken: string | null;
  exitCode: number;
  legs: { name: string; state: string; said: string; advice: string; ms?: number }[];
  service: string;
}

describe('the doctor in a terminal', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();
  let state: string;

  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'sideload-doctor-'));
  });
  afterEach(() => rm(state, { recursive: true, force: true }));

  /** Runs a command with the service of the stage, and asserts that it prints no secret. */
  async function run(command: string, ...more: string[]): Promise<{ code: number | null; said: string }> {
    const { service, browser } = stage();
    const where = more.includes('--service') ? [] : ['--service', service.baseUrl];
    const { code, stdout, stderr } = await runProgram('cli', [command, ...more, ...where], {
      // The notes about pushes are there.
      env: { SIDELOAD_TOKEN: service.token, XDG_STATE_HOME: state },
    });
    const said = stdout + stderr;
    for (const secret of [service.token, browser.devToolsUrl]) assert.ok(!said.includes(secret), 'it prints a secret');
    assert.doesNotMatch(said, /wss?:\/\/(?!\[hidden\])/);
    return { code, said };
  }

  const push = (): ReturnType<typeof run> => run('push', stage().folder, '--browser', stage().browser.id);

  async function examine(...more: string[]): Promise<Report> {
    const { code, said } = await run('doctor', '--json', '--browser', stage().browser.id, ...more);
    const report = JSON.parse(said) as Report;
    assert.equal(code, report.exitCode, said);
    return report;
  }

  const statesOf = ({ legs }: Report): string[] => legs.map(({ state: shown }) => shown);
  const legOf = ({ legs, broken }: Report): string => {
    const { said = '', advice = '' } = legs.find(({ name }) => name === broken) ?? {};
    return `${said} ${advice}`;
  };

  it('finds a browser healthy that runs what was pushed, says how long each answer took, and ends with 0', async () => {
    assert.equal((await push()).code, 0);
    const { code, said } = await run('doctor');
    assert.equal(code, 0, said);
    assert.match(
      said,
      /^Browser .+\n✓ Service \(\d+ ms\): It answers\.\n✓ Browser: It runs\.\n✓ DevTools \(\d+ ms\): \S*Chrom\S* answers\.\n✓ Extension \(\d+ ms\): Sideload Sample 1\.0\.0 is enabled\.\n✓ Worker \(\d+ ms\): It \S.*\nSideload \S+, Node\.js v\S+, \S+ \S+, service other\n$/,
    );
    const report = await examine();
    assert.deepEqual([report.broken, report.exitCode], [null, 0]);
    assert.deepEqual(statesOf(report), ['works', 'works', 'works', 'works', 'works']);
  });

  it('finds the worker broken whose script throws', async () => {
    await stage().write('background.js', "throw new Error('ill');\n");
    assert.equal((await push()).code, 2);
    const report = await examine();
    assert.deepEqual(statesOf(report), ['works', 'works', 'works', 'works', 'broken']);
    assert.match(legOf(report), /has failed.* Push it again: that prints the error with its line\./);
    assert.equal(report.exitCode, 1);
  });

  it('finds the extension broken of which another copy is enabled', async () => {
    const { client, browser, folder } = stage();
    const { zip } = await packFiles(folder, (await selectFiles(folder)).files);
    await client.uploadExtensionsToBrowser(browser.id, [{ name: 'by-hand', zip: await zip() }]);
    assert.equal((await push()).code, 2);
    const report = await examine();
    assert.match(legOf(report), /Another copy of Sideload Sample is enabled, too, .* Remove one of them/);
    assert.equal(report.exitCode, 1);
  });

  it('finds the extension broken that was removed from the browser', async () => {
    assert.equal((await push()).code, 0);
    await stage().look(async (connection) => {
      for (const { id } of await stage().loaded()) await connection.send('Extensions.uninstall', { id });
    });
    const report = await examine();
    assert.deepEqual(statesOf(report), ['works', 'works', 'works', 'broken', 'unknown']);
    assert.match(legOf(report), /no longer has the extension that was pushed.* Push it again\./);
  });

  it('finds the browser broken that has ended, and where none runs', async () => {
    const { client } = stage();
    const other = await client.createBrowser({ headless: true, name: 'short-lived' });
    await client.deleteBrowser(other.id);
    const ended = await examine('--browser', 'short-lived');
    assert.deepEqual(statesOf(ended), ['works', 'broken', 'unknown', 'unknown', 'unknown']);
    assert.match(legOf(ended), /No browser "short-lived" is running\. Check the name or id\./);
    const empty = await TestService.start();
    try {
      const { code, stdout } = await runProgram('cli', ['doctor', '--service', empty.baseUrl], {
        env: { SIDELOAD_TOKEN: empty.token, XDG_STATE_HOME: state },
      });
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^No browser\n✓ Service \(\d+ ms\): It answers\.\n✗ Browser: No browser is running\. Start one: sideload run FOLDER\. Those of an editor [^\n]+\n– DevTools: not reached\.\n/,
      );
    } finally {
      await empty.stop();
    }
  });

  it('finds DevTools broken where the service gives no address of them, and asks for an id where it lists no browsers', async () => {
    const service = await DocumentService.start();
    try {
      const env = { SIDELOAD_TOKEN: service.token, XDG_STATE_HOME: state };
      const args = ['doctor', '--json', '--service', service.baseUrl];
      const unnamed = JSON.parse((await runProgram('cli', args, { env })).stdout) as Report;
      assert.equal(unnamed.broken, 'browser');
      assert.match(legOf(unnamed), /lists no browsers\. Name one by its id with --browser\./);
      const named = JSON.parse((await runProgram('cli', [...args, '--browser', 'brw-1'], { env })).stdout) as Report;
      assert.deepEqual(statesOf(named), ['works', 'works', 'broken', 'unknown', 'unknown']);
      assert.match(legOf(named), /gives no DevTools address/);
    } finally {
      await service.stop();
    }
  });

  it('finds the service broken that cannot be reached, or has no token', async () => {
    const unreachable = await examine('--service', NO_SERVICE);
    assert.deepEqual(statesOf(unreachable), ['broken', 'unknown', 'unknown', 'unknown', 'unknown']);
    assert.match(legOf(unreachable), /Check that the service is running/);
    const end = await runProgram('cli', ['doctor', '--service', 'cloud'], { env: { SIDELOAD_TOKEN: '' } });
    assert.equal(end.code, 1);
    assert.match(end.stdout, /✗ Service: The service needs a token\..*SIDELOAD_TOKEN/);
  });

  it('asks which browser is meant when several run, and takes no folder', async () => {
    const { client } = stage();
    const other = await client.createBrowser({ headless: true });
    try {
      const several = await run('doctor');
      assert.equal(several.code, 3);
      assert.match(several.said, /Name one with --browser: /);
    } finally {
      await client.deleteBrowser(other.id);
    }
    assert.equal((await run('doctor', '.')).code, 64);
  });
});
