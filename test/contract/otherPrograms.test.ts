import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserKey } from '../../src/service/browserKey';
import type { KnownOutcome, PushStep } from '../../src/push/outcome';
import type { Browser } from '../../src/service/model';
import { startChild, type Child } from '../support/child';
import { eventually } from '../support/eventually';
import { dose } from '../runner/seed';
import { PushStage } from './pushStage';

/** Pushes of each of two programs at the same time. */
const PUSHES = dose(4, 12);

/** A program may need to start, which takes seconds on a busy machine. */
const LIMIT_MS = 30_000;

interface Program {
  child: Child;
  /** What it has printed. */
  lines: string[];
}

describe('pushes of several programs to one browser', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();
  const programs: Program[] = [];
  let copy = '';

  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'sideload-other-'));
    await cp(stage().folder, copy, { recursive: true });
  });

  afterEach(async () => {
    for (const { child } of programs.splice(0)) await child.stop();
    await rm(copy, { recursive: true, force: true });
  });

  /** Starts another program, which pushes a copy of the extension. */
  async function start(count: number, end: 'hold' | 'end' = 'end'): Promise<Program> {
    const { service, browser, folderName } = stage();
    const script = join(__dirname, 'otherPrograms.window.ts');
    const args = [service.baseUrl, service.token, browser.id, copy, folderName, String(count), end];
    const lines: string[] = [];
    const output = { line: (text: string) => lines.push(text) };
    const program = {
      child: await startChild(process.execPath, ['--import', 'tsx', script, ...args], { output }),
      lines,
    };
    programs.push(program);
    return program;
  }

  /** Starts a program whose push does not end, so that it keeps its turn. */
  async function startHolder(): Promise<Program> {
    const holder = await start(1, 'hold');
    await eventually('the other program delivers', () => holder.lines.includes('held'), LIMIT_MS);
    return holder;
  }

  it('deliver one after another, so that each is verified to run', async () => {
    const at = stage();
    const other = await start(PUSHES);
    await eventually('the other program pushes', () => other.lines.length > 0, LIMIT_MS);
    for (let push = 1; push <= PUSHES; push++) {
      await at.write('background.js', `globalThis.BUILD = 'own.${push}';`);
      await at.mustRun();
    }
    const { code } = await other.child.exited;
    assert.deepEqual([code, other.lines], [0, Array.from({ length: PUSHES }, () => 'pushed')]);
    const build = String(await at.ask('globalThis.BUILD'));
    assert.match(build, new RegExp(`^(?:own|other)\\.${PUSHES}$`));
  });

  it('wait for one another, say so, and begin when the other program is killed', async () => {
    const at = stage();
    const holder = await startHolder();
    const steps: PushStep['step'][] = [];
    let outcome: KnownOutcome | undefined;
    const pushing = at.push({ onStep: ({ step }) => steps.push(step) }).then((one) => (outcome = one));
    await eventually('the push waits', () => steps.length > 0, LIMIT_MS);
    assert.deepEqual([steps, outcome], [['waiting'], undefined]);
    process.kill(holder.child.pid, 'SIGKILL');
    assert.equal((await pushing).kind, 'running');
    assert.equal(steps.filter((step) => step === 'waiting').length, 1);
  });

  it('can be cancelled while they wait, and then change nothing', async () => {
    const at = stage();
    await startHolder();
    const abort = new AbortController();
    const steps: PushStep['step'][] = [];
    const onStep = ({ step }: PushStep): void => {
      steps.push(step);
      if (step === 'waiting') abort.abort();
    };
    const outcome = await at.push({ onStep }, abort.signal);
    assert.deepEqual([outcome, steps], [{ kind: 'cancelled' }, ['waiting']]);
    assert.equal(await at.ask('globalThis.BUILD'), 'other.1');
  });

  it('are not skipped without DevTools, when another program has pushed in between', async () => {
    const at = stage();
    const browser: Browser = { ...at.browser, devToolsUrl: 'ws://127.0.0.1:1/x' };
    const push = async (): Promise<string> => (await at.push({ skipUnchanged: true, browser })).kind;
    await at.write('background.js', "globalThis.BUILD = 'own';");
    assert.deepEqual([await push(), await push()], ['unverified', 'unchanged']);
    const other = await start(1);
    assert.equal((await other.child.exited).code, 0, other.lines.join('\n'));
    assert.deepEqual([await push(), await push()], ['unverified', 'unchanged']);
  });

  it('are known to other programs, with the build, until those push themselves', async () => {
    const at = stage();
    const { extensionId, digest } = await at.mustRun();
    const { otherPrograms } = at.engine;
    const id = browserKey(new URL(at.service.baseUrl), at.browser.id);
    const extension = { extensionId };
    assert.equal(await otherPrograms.lastOf(id, extension, 0), undefined);
    let changes = 0;
    const end = await otherPrograms.watch(id, () => (changes += 1));
    const begun = Date.now();
    const other = await start(1);
    assert.equal((await other.child.exited).code, 0, other.lines.join('\n'));
    const { outcome, folder, at: then, ...note } = (await otherPrograms.lastOf(id, extension, 0)) ?? assert.fail();
    assert.deepEqual([outcome, folder, note.extensionId, note.name], ['running', copy, extensionId, 'Sideload Sample']);
    assert.ok(note.digest !== digest && then >= begun);
    assert.equal(await otherPrograms.lastOf(id, extension, then), undefined);
    await eventually('the push was reported', () => changes > 0, LIMIT_MS);
    end();
    await at.mustRun({ skipUnchanged: true });
    assert.equal(await otherPrograms.lastOf(id, extension, 0), undefined);
  });
});
