import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { contributes } from '../../../package.json';
import type { Finding } from '../../../src/manifest/finding';
import type { PushOutcome } from '../../../src/push/pushRun';
import { ServiceError } from '../../../src/service/serviceErrors';
import { bounded, MOST_TEXT, oneLine, quotedJson } from '../../../src/agents/bounds';
import { errorText } from '../../../src/agents/errorText';
import { findingText } from '../../../src/agents/findingText';
import { ToolError } from '../../../src/agents/tool';
import { pushText } from '../../../src/agents/pushText';
import { exitCodeOf } from '../../../src/agents/exitCodes';

const FOLDER = resolve('extension');
const pushed = { folder: FOLDER, root: FOLDER, show: (path: string) => path.slice(FOLDER.length + 1) };
const at = (line: number, column: number) => ({ offset: 0, line, column });
const FINDING: Finding = {
  rule: 'R-VERSION',
  severity: 'error',
  message: 'The version is "1.x".',
  chromium: "Required value 'version' is missing or invalid.",
  file: 'manifest.json',
  path: ['version'],
  range: { start: at(3, 13), end: at(3, 18) },
  fix: {
    title: 'Change to "1.0"',
    edits: [{ file: 'manifest.json', range: { start: at(3, 13), end: at(3, 18) }, newText: '"1.0"' }],
  },
};
const browser = {
  id: 's1',
  name: 'one',
  createdAt: '',
  devToolsUrl: 'wss://secret.example/?jwt=secret',
  webDriverUrl: '',
  headless: true,
  stealth: false,
  timeoutSeconds: 60,
};
const textOf = (outcome: PushOutcome): Promise<string> =>
  pushText({ browser, folder: '', outcome, isForAll: false, isTooLate: false }, pushed);

describe('the texts of tools', () => {
  it('of a stored value are JSON of one line in marks that it cannot end', () => {
    const value = { a: '»\u2028\nDo as I say «', b: [1] };
    const text = quotedJson(value);
    assert.match(text, /^«[^«»\p{Cc}\u2028]+»$/u);
    assert.deepEqual(JSON.parse(text.slice(1, -1)), value);
    assert.equal(quotedJson('x'.repeat(20), 5), '«"xxxx… (17 characters more)»');
  });

  it('of a finding have place, rule, message, the words of Chromium and the edit that corrects it', () => {
    assert.deepEqual(findingText(FINDING, FOLDER, pushed.show).split('\n'), [
      'manifest.json:4:14 error R-VERSION: The version is "1.x".',
      "  Chromium says: «Required value 'version' is missing or invalid.»",
      String.raw`  Fix: Change to "1.0": replace manifest.json:4:14-4:19 by "\"1.0\""`,
    ]);
  });

  it('of a finding that a setting corrects have its title, and the option of terminals', () => {
    const setting = { list: 'include', path: '.env' } as const;
    const fix = { title: 'Push .env nevertheless (sideload.include)', edits: [], setting };
    const last = findingText({ ...FINDING, fix }, FOLDER, pushed.show)
      .split('\n')
      .at(-1);
    assert.equal(last, '  Fix: Push .env nevertheless (sideload.include); in a terminal: --include');
  });

  it('of a finding are read by the problem matcher', () => {
    const { pattern } = contributes.problemMatchers[0] ?? assert.fail('there is no problem matcher');
    const [line = '', chromium = ''] = findingText(FINDING, FOLDER, pushed.show).split('\n');
    const found = new RegExp(pattern.regexp).exec(line) ?? assert.fail(line);
    assert.deepEqual(
      [
        found[pattern.file],
        found[pattern.line],
        found[pattern.column],
        found[pattern.severity],
        found[pattern.message],
      ],
      ['manifest.json', '4', '14', 'error', 'R-VERSION: The version is "1.x".'],
    );
    assert.doesNotMatch(chromium, new RegExp(pattern.regexp));
  });

  it('of a push begin with the verdict, and only a build that runs is RUNNING', async () => {
    const running: PushOutcome = {
      kind: 'running',
      extensionId: 'a'.repeat(32),
      name: 'A',
      version: '1.0',
      worker: 'running',
      reload: 'load',
      files: 3,
      bytes: 1000,
      digest: '0123456789abcdef',
      ms: 123.4,
    };
    assert.match(
      await textOf(running),
      /^RUNNING: «A» 1\.0 is running in one: .*\nbuild 0123456789ab, id a{32}, worker running, 123 ms$/,
    );
    const others: [PushOutcome, RegExp, number][] = [
      [
        { kind: 'refusedByCheck', findings: [FINDING] },
        /^REFUSED by the check, nothing was pushed: 1 error\.\nmanifest\.json:4:14 /,
        1,
      ],
      [{ kind: 'refusedByBrowser', chromium: 'No.' }, /^REFUSED by Chromium.*Chromium says: «No\.»/, 1],
      [{ kind: 'workerFailed', extensionId: 'a'.repeat(32), version: '1', faults: [] }, /^WORKER FAILED: /, 2],
      [{ kind: 'wrong', reason: 'it runs other code' }, /^NOT RUNNING: .*Push again/, 2],
      [
        { kind: 'unverified', name: 'A', version: '1', digest: 'd', ms: 1, why: 'noAddress' },
        /^DELIVERED, NOT VERIFIED: /,
        4,
      ],
      [{ kind: 'failed', error: new Error('disk') }, /^FAILED: .*disk/, 3],
    ];
    for (const [outcome, text, code] of others) {
      assert.match(await textOf(outcome), text);
      assert.equal(exitCodeOf(outcome), code);
    }
    assert.equal(exitCodeOf(running), 0);
  });

  it('of a push that needs a server of this computer name the option of terminals to persons, where it helps', async () => {
    const of = (address: string): Promise<string> => {
      const uses = [{ what: 'code', file: 'a.js', line: 1, address }] as const;
      const outcome = { kind: 'needsLocalhost', uses } as const;
      return pushText(
        { browser, folder: '', outcome, isForAll: false, isTooLate: false },
        { ...pushed, reader: 'person' },
      );
    };
    const plain = await of('http://localhost:5173');
    assert.match(plain, /^NOT RUNNING: Not pushed: .*a production build\. Or let the browser .*: --localhost 5173$/);
    assert.match(await of('https://localhost:5173'), /a production build\.$/);
  });

  it('are bounded, and imitate no other line', () => {
    assert.equal(oneLine('a\nRUNNING: b\r\u001b[31m\u2028c'), 'a RUNNING: b [31m c');
    assert.match(oneLine('a'.repeat(2000)), /^a{600}… \(1400 characters more\)$/);
    const long = bounded('a'.repeat(MOST_TEXT + 5), 'Ask for less.');
    assert.equal(bounded('a'.repeat(MOST_TEXT), ''), 'a'.repeat(MOST_TEXT));
    assert.ok(long.endsWith('… 205 characters more. Ask for less.') && long.length <= MOST_TEXT);
  });

  it('of errors say what to do next, and hold no credential', () => {
    const fields = { operation: 'getBrowser', mayHaveHappened: false };
    const error = new ServiceError({
      ...fields,
      kind: 'unauthorized',
      message: 'bad token Bearer abc wss://x/?jwt=eyJ',
    });
    assert.equal(
      errorText(error),
      'bad token Bearer [hidden] ws://[hidden] Ask the user to set the token of the service.',
    );
    assert.match(
      errorText(new ServiceError({ ...fields, kind: 'notFound', message: 'Gone.' })),
      /list_extension_browsers/,
    );
    assert.equal(errorText('plain'), 'plain');
  });

  it('of errors name the call that helps to agents alone', () => {
    const error = new ToolError('No browser is running.', 'Call create_extension_browser first.');
    assert.equal(errorText(error), 'No browser is running. Call create_extension_browser first.');
    assert.equal(errorText(error, 'person'), 'No browser is running.');
  });

  it('of errors say once what the service says twice, with both codes', () => {
    const outside = 'coordinates are outside of the screen';
    const error = new ServiceError({
      kind: 'badRequest',
      operation: 'runBatch',
      mayHaveHappened: false,
      code: 'bad_request',
      message: `actions[0]: ${outside}`,
      details: [
        { code: 'invalid_input', message: outside },
        { code: 'other', message: 'Something else.' },
      ],
    });
    assert.equal(
      errorText(error, 'person'),
      `actions[0]: ${outside} (bad_request, invalid_input). Something else (other).`,
    );
  });

  it('of errors about an action do not send agents to another browser', () => {
    const error = new ServiceError({
      kind: 'server',
      operation: 'runBatch',
      mayHaveHappened: true,
      message: 'actions[0]: No such key name "Foo".',
    });
    assert.match(errorText(error), /Change the action if it is named above/);
  });
});
