import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { takeTurn } from '../../../../src/push/turns/browserTurn';
import { dose } from '../../../runner/seed';
import { TestClock } from '../../../support/testClock';

/** Programs that want the turn at once. */
const PROGRAMS = dose(12, 60);

const nothing = (): void => undefined;

describe('the turn to deliver to a browser', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-turn-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has one program at a time, each in the end, and leaves no file', async () => {
    let [holders, most, done] = [0, 0, 0];
    await Promise.all(
      Array.from({ length: PROGRAMS }, async () => {
        const turn = await takeTurn(folder, nothing);
        holders += 1;
        most = Math.max(most, holders);
        await turnOfLoop();
        holders -= 1;
        done += 1;
        await turn.end();
      }),
    );
    assert.deepEqual([most, done, await readdir(folder)], [1, PROGRAMS, []]);
  });

  it('goes to who has waited longest', async () => {
    const first = await takeTurn(folder, nothing);
    const order: number[] = [];
    const waiting: Promise<void>[] = [];
    for (const number of [1, 2, 3]) {
      await new Promise<void>((isWaiting) => {
        waiting.push(
          takeTurn(folder, isWaiting).then(async (turn) => {
            order.push(number);
            await turn.end();
          }),
        );
      });
    }
    await first.end();
    await Promise.all(waiting);
    assert.deepEqual(order, [1, 2, 3]);
  });

  it('passes over a process of this machine that has died, and waits for one of another machine', async () => {
    const turn = await takeTurn(folder, nothing);
    const [own = ''] = await readdir(folder);
    await turn.end();
    const left = own.replace(/-\d+-([0-9a-f]+)$/, '-999999999-$1');
    assert.notEqual(left, own);
    await writeFile(join(folder, left), '');
    await (await takeTurn(folder, () => assert.fail('it waits'))).end();
    assert.deepEqual(await readdir(folder), []);
    await writeFile(join(folder, left.replace(/^(turn-\d+)-[0-9a-f]+/, '$1-0')), '');
    const abort = new AbortController();
    const waiting = takeTurn(folder, () => abort.abort(), abort.signal);
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.equal((await readdir(folder)).length, 1);
  });

  it('passes over a program that shows for ten seconds that it does not run any more', async () => {
    const clock = new TestClock();
    const turn = await takeTurn(folder, nothing, undefined, clock);
    const [own = ''] = await readdir(folder);
    await turn.end();
    assert.equal(clock.pending, 0);
    await writeFile(join(folder, own.replace(/^(turn-\d+)-[0-9a-f]+/, '$1-0')), '');
    // It waits for time when it shows that it runs itself, and for its next look.
    const isBusy = (): boolean => clock.pending < 2;
    const next = await clock.run(takeTurn(folder, nothing, undefined, clock), isBusy);
    assert.ok(clock.now() > 10_000 && clock.now() < 11_000, `after ${clock.now()} ms`);
    await next.end();
    assert.deepEqual(await readdir(folder), []);
  });
});
