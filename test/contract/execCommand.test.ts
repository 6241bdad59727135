// Covers: .github/docs/own-tests.md
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../support/eventually';
import { ROOT } from '../support/paths';
import { PushStage } from './pushStage';
import { runProgram, type ProgramEnd } from './shippedPrograms';

/** The libraries of the examples, by the name that they import, and what stands in for it here. */
const LIBRARIES = {
  playwright: 'playwright-core/index.mjs',
  puppeteer: 'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js',
} as const;

/** The example for a library on the page about the user's own tests: the block of code that begins with its file's name. */
async function exampleFor(library: keyof typeof LIBRARIES): Promise<string> {
  const page = await readFile(join(ROOT, '.github', 'docs', 'own-tests.md'), 'utf8');
  const [, script] = new RegExp(`\\n\`\`\`js\\n(// popup\\.${library}\\.mjs\\n[^]*?)\`\`\`\\n`).exec(page) ?? [];
  assert.ok(script !== undefined, `The page has no example for ${library}.`);
  const module = pathToFileURL(join(ROOT, 'node_modules', LIBRARIES[library]));
  return script.replace(`from '${library}'`, `from '${module.href}'`);
}

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

  for (const library of ['playwright', 'puppeteer'] as const) {
    it(`lets the example for ${library} open the popup of the pushed extension, and ends with its exit code`, async () => {
      const at = stage();
      const file = join(at.folder, 'popup.test.mjs');
      await writeFile(file, await exampleFor(library));
      const command = `"${process.execPath}" --test "${file}"`;
      await at.write('popup.html', '<!doctype html><h1>Hello from the popup</h1>');
      const right = await run(command);
      assert.equal(right.code, 0, right.stdout + right.stderr);
      await at.write('popup.html', '<!doctype html><h1>Goodbye</h1>');
      const wrong = await run(command);
      assert.match(wrong.stdout, /Goodbye/);
      assert.equal(wrong.code, 1, wrong.stdout + wrong.stderr);
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
