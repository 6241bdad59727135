import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConsoleLine } from '../../src/console/consoleLine';
import { eventually } from '../support/eventually';
import { ConsoleStage, RecordedConsole, STRANGER } from './console.stage';
import { zipOfOther } from './pushes';

/** How long something may take to come that should not, in milliseconds. */
const SETTLE_MS = 500;

/** Longest time until a push has detached from workers, in milliseconds. */
const ATTACH_LIMIT_MS = 30_000;

/** How often a build with a missing import is pushed until the console was in time for it. */
const PUSHES = 5;

function shortOf({ level, context, text }: ConsoleLine): [string, string, string] {
  return [level, context, text];
}

describe('the console of an extension', () => {
  let stage: ConsoleStage;
  let console: RecordedConsole;
  const shown = new Map<string, number>();

  before(async function () {
    this.timeout(60_000);
    stage = await ConsoleStage.open();
    console = await RecordedConsole.open(stage, shown);
  });

  after(async function () {
    this.timeout(60_000);
    console.close();
    await stage.close();
  });

  it('has what the worker wrote before it was opened, with levels, objects and places', async () => {
    await console.line(/^Map/);
    const lines = console.lines.map(({ level, context, text }) => `${level} ${context}: ${text}`);
    // Chromium sends what is in a table only when somebody listened already.
    const [table = ''] = lines.splice(6, 1);
    assert.match(table, /^info worker: (?:\(1\) \[\{…\}\]|\(index\) {2}name {2}size) \(extension\/worker\.js:8:9\)/);
    assert.deepEqual(lines, [
      'info worker: worker: starts with 1 of one {nested: {…}} (extension/worker.js:2:9)',
      'info worker: worker: info (extension/worker.js:3:9)',
      'debug worker: worker: debug (extension/worker.js:4:9)',
      'warn worker: worker: warning (extension/worker.js:5:9)',
      'error worker: worker: error Error: worker: cause (extension/worker.js:6:9)\n    at extension/worker.js:6:32',
      'error worker: Assertion failed: worker: assertion (extension/worker.js:7:9)',
      'info worker: worker: group (extension/worker.js:9:9)',
      'info worker:   worker: in the group (extension/worker.js:10:9)',
      "info worker: {key: 'value'} (extension/worker.js:12:9)",
      'info worker: worker: trace (extension/worker.js:13:9)\n    at extension/worker.js:13:9',
      'info worker: worker: count: 1 (extension/worker.js:14:9)',
      "info worker: Map(1) {'key' => {value: 1}} Set(1) {1} (3) [undefined, null, 'text'] ƒ () => 1 Symbol(s) 10n (extension/worker.js:15:9)",
    ]);
  });

  it('has content scripts of both worlds, with their errors and failed requests', async () => {
    await stage.visit(stage.webPage);
    const { host } = new URL(stage.webPage);
    assert.deepEqual(shortOf(await console.line(/^content: starts/)), [
      'info',
      `content · ${host}`,
      'content: starts (extension/content.js:1:9)',
    ]);
    assert.match((await console.line(/^content: warning/)).text, /warning \{host: '127\.0\.0\.1'\}/);
    assert.equal((await console.line(/^Uncaught Error: content: thrown/)).level, 'error');
    assert.match(
      (await console.line(/content: rejected/)).text,
      /^Uncaught \(in promise\).*\(extension\/content\.js:6:21\)/,
    );
    assert.equal((await console.line(/^main: starts/)).context, `main world · ${host}`);
    assert.match((await console.line(/^Uncaught Error: main: thrown/)).text, /\(extension\/main\.js:3:9\)/);
    assert.match(
      (await console.line(/missing-by-content/)).text,
      /^GET http:.*missing-by-content failed: 404 Not Found \(extension\/content\.js:7:6\)$/,
    );
  });

  it('has the pages of the extension, by what they are for', async () => {
    await stage.openOwn('popup.html');
    assert.equal((await console.line(/^popup: starts/)).context, 'popup');
    assert.equal((await console.line(/^Uncaught Error: popup: thrown/)).context, 'popup');
    await stage.visit(stage.pageOf('options.html'));
    assert.equal((await console.line(/^options: starts/)).context, 'options');
    await stage.evaluate('act.offscreen()');
    assert.equal((await console.line(/^offscreen: starts/)).context, 'offscreen');
    // What a listener in the worker throws, Chromium reports to the worker and to the page that sent the message.
    assert.equal(
      (await console.line(/^Error in event handler: Error: worker: thrown in a listener/)).context,
      'worker',
    );
  });

  it('has what the browser has refused: once, however many policies forbid it', async () => {
    assert.match(
      (await console.line(/^The file missing\.js failed to load: net::ERR_FILE_NOT_FOUND/)).context,
      /options/,
    );
    assert.match((await console.line(/refused failed: net::ERR/)).text, /\(extension\/options\.js:3:6\)$/);
    await console.line(/Content Security Policy/);
    await delay(SETTLE_MS);
    assert.deepEqual(
      console.having(/Content Security Policy/).map(({ text }) => text.slice(text.lastIndexOf('('))),
      ['(extension/options.html:3)'],
    );
    assert.equal(console.having(/missing\.js/).length, 1);
    assert.equal(console.having(/missing-by-content/).length, 1);
  });

  it('has errors of the worker, and its requests', async () => {
    await stage.evaluate('act.throw()');
    assert.match((await console.line(/TypeError: Cannot read/)).text, /\(extension\/worker\.js:\d+:\d+\)/);
    await stage.evaluate('act.reject()');
    assert.match((await console.line(/Error: worker: rejected/)).text, /^Uncaught \(in promise\)/);
    await stage.evaluate(`act.request(${JSON.stringify(new URL('/missing', stage.webPage).href)})`);
    assert.equal((await console.line(/\/missing failed: 404/)).context, 'worker');
  });

  it('draws tables, and objects that are new', async () => {
    await stage.evaluate(`
      console.table([{ name: 'a', size: 1 }, { name: 'b' }]);
      console.log('100%', '%c styled', 'color: red', { a: [1, { b: 2 }], e: new Error('inner') });`);
    assert.match(
      (await console.line(/^\(index\)[^]*'b'/)).text,
      /^\(index\) {2}name {2}size.*\n0 {8}'a' {3}1\n1 {8}'b'$/,
    );
    assert.match((await console.line(/^100%/)).text, /^100% %c styled color: red \{a: Array\(2\), e: Error: inner\}/);
  });

  it('has nothing of web pages and other extensions, and keeps no worker of theirs awake', async () => {
    // Also what names the extension is not written by it.
    await stage.evaluateInPage(
      `console.log('${STRANGER} knows chrome-extension://${stage.extensionId}/worker.js:1:1')`,
    );
    await delay(SETTLE_MS);
    assert.deepEqual(console.having(new RegExp(STRANGER)), []);
    const attached = async (): Promise<boolean[]> => {
      const { targetInfos } = await stage.devtools.result('Target.getTargets');
      assert(Array.isArray(targetInfos));
      const workers = (targetInfos as { type: string; url: string; attached: boolean }[]).filter(
        ({ type }) => type === 'service_worker',
      );
      const isOwn = ({ url }: { url: string }): boolean => url.includes(stage.extensionId);
      return [...workers.filter(isOwn), ...workers.filter((one) => !isOwn(one))].map((one) => one.attached);
    };
    // The push itself is attached to all new workers for some seconds more.
    const isDone = async (): Promise<boolean> => String(await attached()) === 'true,false';
    await eventually('only the own worker is attached to', isDone, ATTACH_LIMIT_MS);
  });

  it('shows nothing again after the connection was lost', async () => {
    console.close();
    await console.ended;
    const again = await RecordedConsole.open(stage, shown);
    await stage.evaluate(`console.log('after the connection')`);
    await again.line(/^after the connection/);
    assert.deepEqual(again.lines.map(shortOf), [['info', 'worker', 'after the connection']]);
    again.close();
    console = await RecordedConsole.open(stage);
    await console.line(/^after the connection/);
    assert.equal(console.having(/^worker: info/).length, 1);
  });

  it('is bounded in a storm, of which it has the end, and counts what it drops', async () => {
    const [perSecond, seconds] = [10_000, 2];
    const total = perSecond * seconds;
    console.lines.length = 0;
    const began = performance.now();
    await stage.evaluate(`act.storm(${perSecond}, ${seconds})`);
    await console.line(new RegExp(`^storm: ${total} `));
    const took = (performance.now() - began) / 1000;
    const dropped = (): number =>
      console
        .having(/ lines dropped$/)
        .map(({ text }) => Number.parseInt(text.replaceAll(',', ''), 10))
        .reduce((sum, count) => sum + count, 0);
    const counted = (): number => console.having(/^storm: /).length + dropped();
    // The last count comes after the last line.
    await eventually(
      () => `${counted()} of ${total} lines are shown or counted as dropped`,
      () => counted() >= total,
      ATTACH_LIMIT_MS,
    );
    await delay(SETTLE_MS);
    assert.equal(counted(), total);
    const storm = console.having(/^storm: /);
    assert.ok(storm.length <= 500 * (took + 1), `${storm.length} lines in ${took} s`);
    const numbers = storm.map(({ text }) => Number(/\d+/.exec(text)?.[0]));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    );
    assert.deepEqual(
      numbers.slice(-100),
      Array.from({ length: 100 }, (_, at) => total - 99 + at),
    );
  });

  it('goes on with the worker of the next push, and names imports that are missing', async () => {
    await stage.write('worker.js', "console.log('next build', crypto.randomUUID());");
    assert.equal((await stage.push()).kind, 'running');
    await console.line(/^next build/);
    // Chromium may end a worker that starts while the machine is busy, and start it again: each start has its line once.
    const starts = console.having(/^next build/).map(({ text }) => text);
    assert.deepEqual(starts, [...new Set(starts)]);
    const named = /imported script missing-import\.js/;
    for (let push = 1; push <= PUSHES && console.having(named).length === 0; push += 1) {
      await stage.write('worker.js', `importScripts(['missing', 'import.js'].join('-')); // ${push}`);
      assert.equal((await stage.push()).kind, 'workerFailed');
      // That of the error always comes. Only what is attached before the script has run learns which request has failed: on a busy machine not each time.
      await eventually('the error', () => console.having(/^Uncaught NetworkError/).length >= push, ATTACH_LIMIT_MS);
    }
    assert.deepEqual(shortOf(await console.line(named)), [
      'error',
      'worker',
      'The imported script missing-import.js failed to load: net::ERR_FILE_NOT_FOUND (extension/worker.js:1:1)',
    ]);
  });

  it('leaves a worker that stops, so that a debugger is in time for its next start, and goes on with that', async () => {
    await stage.write('worker.js', "console.log('start at', performance.timeOrigin);");
    assert.equal((await stage.push()).kind, 'running');
    await console.line(/^start at/);
    const targets = async (): Promise<string[]> => {
      const { targetInfos } = await stage.devtools.result('Target.getTargets');
      assert(Array.isArray(targetInfos));
      return (targetInfos as { type: string; url: string; targetId: string }[]).flatMap(({ type, url, targetId }) =>
        type === 'service_worker' && url.includes(stage.extensionId) ? [targetId] : [],
      );
    };
    const isOne = async (): Promise<boolean> => (await targets()).length === 1;
    await eventually('there is one worker', isOne, ATTACH_LIMIT_MS);
    const before = await targets();
    await stage.setWorker('stopped');
    await eventually('its target has ended', async () => (await targets()).length === 0, ATTACH_LIMIT_MS);
    await stage.setWorker('running');
    const areTwo = (): boolean => console.having(/^start at/).length === 2;
    await eventually('the console has what it writes next', () => Promise.resolve(areTwo()), ATTACH_LIMIT_MS);
    assert.notDeepEqual(await targets(), before);
  });

  it('ends when the browser restarts, and can be opened again', async () => {
    await stage.restart(await zipOfOther());
    await console.ended;
    await stage.write('worker.js', "console.log('after the restart');");
    assert.equal((await stage.push()).kind, 'running');
    console = await RecordedConsole.open(stage);
    await console.line(/^after the restart/);
  });
}).timeout(60_000);
