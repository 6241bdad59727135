// Covers: src/programs, .github/actions, .npmignore
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldOf, objectOf, textField, textsField } from '../../src/base/fields';
import { ensurePrograms } from '../machine/npmPackage';
import { SAMPLE } from '../support/paths';
import { evaluated, pipelineFile, shellSteps } from '../support/pipelineFiles';
import { endProcessesNaming } from '../support/processes';

/** The local service of the programs ends this long after the last of them, in milliseconds. */
const SERVICE_END_MS = 20_000;

interface End {
  readonly code: unknown;
  readonly output: string;
}

// The machines that run these scripts have bash.
(process.platform === 'win32' ? describe.skip : describe)('a pipeline', function () {
  this.timeout(120_000);
  let folder = '';
  let file = '';

  /** Runs scripts as one shell that stops at the first error, in the folder of a project with an extension in `the dist`. */
  function bash(script: string, env: Readonly<Record<string, string>>): Promise<End> {
    const base = {
      HOME: join(folder, 'home'),
      PATH: process.env['PATH'],
      SIDELOAD_BROWSER: process.env['SIDELOAD_BROWSER'],
    };
    return new Promise((resolve) => {
      execFile(
        'bash',
        ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script],
        { cwd: folder, env: { ...base, npm_config_offline: 'true', ...env } },
        (error, stdout, stderr) => resolve({ code: error ? error.code : 0, output: stdout + stderr }),
      );
    });
  }

  before(async () => {
    file = await ensurePrograms();
    folder = await mkdtemp(join(tmpdir(), 'sideload-pipeline-'));
    await mkdir(join(folder, 'home'));
    await cp(SAMPLE, join(folder, 'the dist'), { recursive: true });
  });
  afterEach(() => cp(SAMPLE, join(folder, 'the dist'), { recursive: true }));
  after(async () => {
    await endProcessesNaming(folder, SERVICE_END_MS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  describe('of GitHub', () => {
    const action = pipelineFile('.github/actions/sideload/action.yml');

    /** Runs the steps of the action as GitHub does, and gives the end of the last one and what it has put out. */
    async function runAction(inputs: Readonly<Record<string, string>>): Promise<End & { put: string }> {
      const values: Record<string, string> = { 'github.action_path': folder, 'inputs.package': file };
      for (const [name, input] of Object.entries<unknown>({ ...objectOf(action['inputs']) })) {
        values[`inputs.${name}`] ??= textField(input, 'default');
      }
      for (const [name, value] of Object.entries(inputs)) values[`inputs.${name}`] = value;
      const output = join(folder, 'output');
      await writeFile(output, '');
      let end: End = { code: 0, output: '' };
      for (const { script, env } of shellSteps(action)) {
        const own: Record<string, string> = { RUNNER_TEMP: join(folder, 'temp'), GITHUB_OUTPUT: output };
        for (const [name, text] of Object.entries(env)) own[name] = evaluated(text, values);
        end = await bash(script, own);
        if (end.code !== 0) break;
      }
      return { ...end, put: await readFile(output, 'utf8') };
    }

    it('checks a folder whose name has a space, and shows findings at their lines', async () => {
      const good = await runAction({ folder: 'the dist' });
      assert.deepEqual([good.code, good.put], [0, 'exit-code=0\n'], good.output);
      await writeFile(
        join(folder, 'the dist', 'manifest.json'),
        '{ "manifest_version": 3, "name": "A", "version": "x" }',
      );
      const bad = await runAction({ folder: 'the dist\nthe dist', arguments: '--sarif\nreport.sarif' });
      assert.deepEqual([bad.code, bad.put], [1, 'exit-code=1\n'], bad.output);
      const matcher: unknown = JSON.parse(await readFile('.github/actions/sideload/problemMatcher.json', 'utf8'));
      const regexp = /"regexp":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(matcher))?.[1] ?? '""';
      const [, path, line, , severity] = new RegExp(String(JSON.parse(regexp)), 'm').exec(bad.output) ?? [];
      assert.deepEqual([path, line, severity], ['the dist/manifest.json', '1', 'error']);
      assert.match(await readFile(join(folder, 'report.sarif'), 'utf8'), /R-VERSION/);
    });

    it('tests it in a browser', async () => {
      const { code, output } = await runAction({
        command: 'test',
        folder: 'the dist',
        arguments: '--junit\nreport.xml',
      });
      assert.equal(code, 0, output);
      assert.match(await readFile(join(folder, 'report.xml'), 'utf8'), /<testsuite /);
    });

    it('takes no input for a script', async () => {
      const { code } = await runAction({ folder: '$(touch made)', command: 'check; touch made' });
      assert.equal(code, 64);
      await assert.rejects(readFile(join(folder, 'made')), 'an input was run');
    });
  });

  describe('of GitLab', () => {
    const jobs = pipelineFile('.github/actions/sideload.gitlab-ci.yml');

    for (const job of ['sideload-check', 'sideload-test']) {
      it(`runs ${job}`, async () => {
        const script = [...textsField(jobs['.sideload'], 'before_script'), ...textsField(jobs[job], 'script')];
        const variables = { ...objectOf(jobs['variables']), SIDELOAD_FOLDER: 'the dist', SIDELOAD_PACKAGE: file };
        // The browser of the machine, wherever it is.
        const found = 'chromium() { :; }';
        const { code, output } = await bash([found, ...script].join('\n'), {
          CI_BUILDS_DIR: join(folder, 'builds'),
          ...variables,
        });
        assert.equal(code, 0, output);
        const report = textField(fieldOf(fieldOf(jobs[job], 'artifacts'), 'reports'), 'junit');
        if (report !== '') assert.match(await readFile(join(folder, report), 'utf8'), /<testsuite /);
      });
    }
  });
});
