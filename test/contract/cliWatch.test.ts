import assert from 'node:assert/strict';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PushStage } from './pushStage';
import { runProgram, type ProgramEnd } from './shippedPrograms';

/** What is done when a line comes that looks like this. */
type Step = readonly [line: RegExp, act: () => Promise<unknown>];

/** Longer than errors are waited for, in milliseconds: those with which a worker has failed are not printed again. */
const AFTER_FAILURE_MS = 2500;

/** Throws when the test calls it: a push may take long. */
const LATER = "\nglobalThis.fail = () => setTimeout(() => { throw new Error('later'); });\n";

describe('the program for terminals that watches a folder', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();

  /** Pushes to the browser of the stage and watches; `steps` are taken one after the other, and the program is ended after the last one. */
  async function watch(steps: readonly Step[], ...options: string[]): Promise<ProgramEnd> {
    const { folder, service, browser } = stage();
    const left = [...steps];
    const acts: Promise<unknown>[] = [];
    const end = await runProgram(
      'cli',
      ['push', folder, '--watch', '--service', service.baseUrl, '--browser', browser.id, ...options],
      {
        cwd: dirname(folder),
        env: { SIDELOAD_TOKEN: service.token },
        onLine: (line, stop) => {
          const [step] = left;
          if (!step?.[0].test(line)) return;
          left.shift();
          const isLast = left.length === 0;
          const acted = step[1]().finally(() => isLast && stop());
          acted.catch(stop);
          acts.push(acted);
        },
      },
    );
    await Promise.all(acts);
    assert.deepEqual(left, [], `${end.stdout}${end.stderr}`);
    return end;
  }

  const fail = (): Promise<unknown> => stage().ask('fail()');
  const version = (): Promise<unknown> => stage().ask('chrome.runtime.getManifest().version');

  it('pushes what is written there, says what is wrong with it, and prints errors when they occur', async () => {
    const { folder } = stage();
    const manifest = join(folder, 'manifest.json');
    const before = await readFile(manifest, 'utf8');
    const replaceFolder = async (): Promise<void> => {
      await cp(folder, `${folder}-built`, { recursive: true });
      await writeFile(join(`${folder}-built`, 'manifest.json'), before.replace('"1.0.0"', '"2.0.0"'));
      await rm(folder, { recursive: true });
      await rename(`${folder}-built`, folder);
    };
    const { code, stdout, stderr } = await watch([
      [/^Changes are pushed until Ctrl\+C/, () => stage().write('background.js', LATER)],
      [/^No error since the push/, fail],
      [
        /background\.js:2:\d+ error in worker: .*later/,
        () => writeFile(manifest, before.replace('"1.0.0"', '"1.0.x"')),
      ],
      [/^REFUSED by the check/, () => writeFile(manifest, before)],
      [/^RUNNING: No file has changed since the last push/, replaceFolder],
      [/^RUNNING: .* 2\.0\.0 is running/, async () => assert.equal(await version(), '2.0.0')],
    ]);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    const verdicts = stdout.split('\n').filter((line) => /^[A-Z]{3}/.test(line));
    assert.deepEqual(
      verdicts.map((line) => line.slice(0, 7)),
      ['RUNNING', 'RUNNING', 'REFUSED', 'RUNNING', 'RUNNING'],
      stdout,
    );
    assert.match(stdout, /\n\d\d:\d\d:\d\d\nRUNNING: /);
    assert.match(stdout, /No error since the push\.\n1 error since then:\n/);
  });

  it('prints the errors of what runs also after a build that was refused', async () => {
    const manifest = join(stage().folder, 'manifest.json');
    const before = await readFile(manifest, 'utf8');
    const { code, stdout } = await watch([
      [/^Changes are pushed until Ctrl\+C/, () => stage().write('background.js', LATER)],
      [/^No error since the push/, () => writeFile(manifest, before.replace(/"version": "[^"]*"/, '"version": "1.x"'))],
      [/^REFUSED by the check/, fail],
      [/background\.js:2:\d+ error in worker: .*later/, () => Promise.resolve()],
    ]);
    assert.equal(code, 1, stdout);
    await writeFile(manifest, before);
  });

  it('prints a line of JSON for each push, and one for errors that occur later', async () => {
    const { code, stdout } = await watch(
      [
        [/"outcome":"running"/, () => stage().write('background.js', LATER)],
        [/"outcome":"running"/, fail],
        [/^\{"folder":[^{}]*"errors":\[\{.*later/, () => stage().write('background.js', "\nthrow new Error('now');\n")],
        [/"outcome":"workerFailed"/, () => delay(AFTER_FAILURE_MS)],
      ],
      '--json',
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { outcome?: string; errors?: unknown[] });
    assert.deepEqual(
      lines.map(({ outcome, errors }) => [outcome, errors?.length]),
      [
        ['running', 0],
        ['running', 0],
        [undefined, 1],
        ['workerFailed', undefined],
      ],
    );
    assert.equal(code, 2, 'it ends with the code of the last push');
  });
});
