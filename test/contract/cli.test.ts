import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServiceProxy } from '../standins/serviceProxy';
import { DocumentService } from '../standins/documentService';
import { isLoadingOverDevTools } from '../support/loading';
import { PushStage } from './pushStage';
import { runProgram, type ProgramEnd } from './shippedPrograms';

describe('the program for terminals', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  /** Runs it with the service and the browser of the stage, in the folder above the extension's. */
  async function run(command: string, ...more: string[]): Promise<ProgramEnd> {
    const { folder, service } = stage();
    const { baseUrl, token } = service;
    const where = command === 'check' ? [] : ['--service', baseUrl];
    const end = await runProgram('cli', [command, folder, ...where, ...more], {
      cwd: dirname(folder),
      env: { SIDELOAD_TOKEN: token },
    });
    assert.doesNotMatch(end.stdout + end.stderr, new RegExp(token), 'it prints the token');
    return end;
  }
  const name = (): string => stage().folder.slice(dirname(stage().folder).length + 1);

  it('pushes to the only browser, prints the verdict and ends with 0', async () => {
    const { code, stdout, stderr } = await run('push');
    assert.equal(stderr, '');
    assert.match(
      stdout,
      /^RUNNING: «Sideload Sample» 1\.0\.0 is running in [^\n]*\nbuild [0-9a-f]{12}, id [a-p]{32}, worker running, \d+ ms\nNo error since the push\.\n$/,
    );
    assert.equal(code, 0);
    assert.equal(await stage().ask('chrome.runtime.getManifest().version'), '1.0.0');
  });

  it('prints one line of JSON when asked for it, which has the errors since the push, too', async () => {
    const late = `setTimeout(() => { throw new Error('late'); });`;
    await stage().write('background.js', `\n  ${late}\nsetTimeout(() => chrome.idle.onStateChanged);\n`);
    const { code, stdout } = await run('push', '--json', '--browser', stage().browser.id);
    const { outcome, exitCode, version, worker, findings, digest, errors } = JSON.parse(stdout) as Record<
      string,
      unknown
    >;
    assert.deepEqual([code, outcome, exitCode, version, worker, findings], [0, 'running', 0, '1.0.0', 'running', []]);
    assert.match(String(digest), /^[0-9a-f]{64}$/);
    const common = { file: `${name()}/background.js`, part: 'worker', isWarning: false, count: 1 };
    const missing = "Uncaught TypeError: Cannot read properties of undefined (reading 'onStateChanged')";
    const advice = 'chrome.idle is there only with the permission "idle". Add it to "permissions" in manifest.json.';
    assert.deepEqual(errors, [
      { ...common, line: 2, column: 28, text: 'Uncaught Error: late' },
      { ...common, line: 3, column: 30, text: missing, advice },
    ]);
  });

  it('ends with 1 for what the check refuses, with the place as problem matchers read it', async () => {
    await stage().editManifest({ version: '1.0.x' });
    const pushed = await run('push');
    assert.equal(pushed.code, 1);
    assert.match(
      pushed.stdout,
      new RegExp(`^REFUSED by the check.*\\n${name()}/manifest\\.json:1:\\d+ error R-VERSION: .*\\n  Chromium says: `),
    );
    const checked = await run('check');
    assert.equal(checked.code, 1);
    assert.match(
      checked.stdout,
      new RegExp(`^${name()}/manifest\\.json: refused\\n${name()}/manifest\\.json:1:\\d+ error R-VERSION: `),
    );
    const json = await run('check', '--json');
    const { verdict, findings } = JSON.parse(json.stdout) as {
      verdict: string;
      findings: { rule: string; line: number }[];
    };
    assert.deepEqual([verdict, findings[0]?.rule, findings[0]?.line], ['refused', 'R-VERSION', 1]);
  });

  it('ends with 2 when the worker fails, with the line of the error', async () => {
    await stage().write('background.js', "\nthrow new Error('at start');\n");
    const { code, stdout } = await run('push');
    assert.equal(code, 2);
    assert.match(
      stdout,
      new RegExp(`^WORKER FAILED: .*\\n${name()}/background\\.js:2:\\d+ error in worker: .*at start`),
    );
  });

  it('ends with 3 when the service cannot be reached or refuses the token, and with 64 for a mistake', async () => {
    const { folder, service } = stage();
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const at = gone.address();
    assert(at !== null && typeof at === 'object');
    gone.close();
    const env = { SIDELOAD_TOKEN: 'wrong' };
    const unreachable = await runProgram('cli', ['push', folder, '--service', `http://127.0.0.1:${at.port}`], { env });
    assert.deepEqual([unreachable.code, unreachable.stdout], [3, '']);
    const refused = await runProgram('cli', ['push', folder, '--service', service.baseUrl], { env });
    assert.deepEqual([refused.code, refused.stdout], [3, '']);
    assert.match(refused.stderr, /set the token/);
    const tokenless = await runProgram('cli', ['push', folder, '--service', 'cloud'], { env: { SIDELOAD_TOKEN: '' } });
    assert.equal(tokenless.code, 3);
    assert.match(tokenless.stderr, /SIDELOAD_TOKEN/);
    const insecure = await runProgram('cli', ['push', folder, '--service', 'http://example.com'], { env });
    assert.equal(insecure.code, 64);
    assert.match(insecure.stderr, /https/);
    const report = join(folder, '..', 'gone', 'report.xml');
    const unwritable = await run('test', '--junit', report);
    assert.deepEqual([unwritable.code, unwritable.stdout], [64, '']);
    assert.match(unwritable.stderr, /file cannot be written.*folder that exists/);
    const unused = join(folder, 'report.xml');
    const untested = await runProgram(
      'cli',
      ['test', folder, '--service', `http://127.0.0.1:${at.port}`, '--junit', unused],
      { env },
    );
    assert.equal(untested.code, 3, untested.stderr);
    await assert.rejects(access(unused), 'an empty report is left');
    const [help, ...others] = await Promise.all(['--help', '-h', 'help'].map((word) => runProgram('cli', [word])));
    assert.deepEqual([help?.code, help?.stderr], [0, '']);
    for (const other of others) assert.deepEqual(other, help);
    for (const args of [[], ['fly', folder], ['push'], ['push', folder, '--what']]) {
      const { code, stderr } = await runProgram('cli', args);
      assert.equal(code, 64, stderr);
      assert.match(stderr, args.length === 0 ? /Usage: / : /--help/);
    }
  });

  it('ends the browser that it has started when the tests are interrupted', async () => {
    const { client } = stage();
    const ids = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of client.listBrowsers()) found.push(id);
      return found;
    };
    const before = await ids();
    let during: string[] = [];
    const { baseUrl, token } = stage().service;
    const { code, stdout } = await runProgram('cli', ['test', stage().folder, '--headless', '--service', baseUrl], {
      env: { SIDELOAD_TOKEN: token },
      onLine: (line, stop) => {
        if (!line.startsWith('passed its service worker starts (')) return;
        void ids().then((found) => {
          during = found;
          stop();
          // npm passes on to the program what the terminal has sent it, too.
          setTimeout(stop, 5);
        });
      },
    });
    assert.equal(during.length, before.length + 1, 'no browser was started');
    assert.equal(code, 3, stdout);
    assert.doesNotMatch(stdout, /^failed /m, 'what was not tested has not failed');
    assert.deepEqual(await ids(), before);
  });

  it('joins the uses that code shows with what the extension calls while its tests run', async () => {
    const { folder, service } = stage();
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { permissions: string[] };
    manifest.permissions.push('alarms', 'history');
    await stage().write('manifest.json', JSON.stringify(manifest));
    const script = await readFile(join(folder, 'background.js'), 'utf8');
    await stage().write('background.js', `${script}chrome['alarms'.trim()].create('a', { delayInMinutes: 60 });\n`);
    const { code, stdout } = await runProgram(
      'cli',
      ['test', folder, '--headless', '--store', '--service', service.baseUrl],
      { env: { SIDELOAD_TOKEN: service.token } },
    );
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^permission storage: used at background\.js:\d+$/m);
    assert.match(stdout, /^permission alarms: used \(alarms\.create, seen while the tests ran\)$/m);
    assert.match(stdout, /^permission history: may be used at background\.js:\d+$/m);
    assert.doesNotMatch(stdout, /Calls were not noted/);
  });

  /** The programs are interrupted when the service gets a request, which it then answers as usual. */
  const interruptions: readonly (readonly [command: 'push' | 'run', request: string, isIt: RegExp])[] = [
    ['push', 'asks which browsers run', /^GET \/browsers\?/],
    ['push', 'uploads the extension', /^POST \/browsers\/[^/]+\/extensions/],
    ['run', 'creates its browser', /^POST \/browsers$/],
    ['run', 'uploads the extension', /^POST \/browsers\/[^/]+\/extensions/],
  ];
  for (const [command, request, isIt] of interruptions) {
    it(`ends by Ctrl+C while ${command} ${request}, leaves no browser of its own, and says what is true`, async () => {
      const { client, folder, service } = stage();
      const ids = async (): Promise<string[]> => {
        const found: string[] = [];
        for await (const { id } of client.listBrowsers()) found.push(id);
        return found;
      };
      /** The browsers, those included that the service may still be starting. */
      const settled = async (): Promise<string[]> => {
        await client.deleteBrowser((await client.createBrowser({ headless: true })).id);
        return await ids();
      };
      const before = await ids();
      const proxy = await ServiceProxy.start(service.baseUrl);
      try {
        let interrupt = (): void => undefined;
        let count = 0;
        proxy.answer = ({ method, path }) => {
          if (!isIt.test(`${method} ${path}`)) return undefined;
          count += 1;
          interrupt();
          return undefined;
        };
        const args = [command, folder, '--service', proxy.baseUrl, ...(command === 'run' ? ['--headless'] : [])];
        const { code, stdout, stderr } = await runProgram('cli', args, {
          env: { SIDELOAD_TOKEN: service.token },
          onStart: (kill) => (interrupt = kill),
        });
        const said = `${String(code)}: ${stdout}${stderr}`;
        assert.ok(count > 0, proxy.requests.map(({ method, path }) => `${method} ${path}`).join());
        assert.deepEqual(await settled(), before, said);
        assert.doesNotMatch(said, /\bat .*:\d+:\d+\)/, 'a stack');
        if (command === 'push') {
          const isLoaded = (await stage().loaded()).some(({ name }) => name === 'Sideload Sample');
          assert.equal(isLoaded, code === 0, said);
          assert.equal(stdout.startsWith('RUNNING: '), code === 0, said);
        } else assert.ok(code === 3 || code === 0, said);
      } finally {
        proxy.stop();
      }
    });
  }

  it('starts no other browser than the one that SIDELOAD_BROWSER names, also when a local service runs already', async function () {
    if (isLoadingOverDevTools()) this.skip();
    const dataDir = await mkdtemp(join(tmpdir(), 'sideload-cli-'));
    try {
      const args = ['run', stage().folder, '--headless', '--data-dir', dataDir];
      let beside: Awaited<ReturnType<typeof runProgram>> | undefined;
      const first = await runProgram('cli', args, {
        onLine: (line, stop) => {
          if (!line.startsWith('It stays open')) return;
          const env = { SIDELOAD_BROWSER: '/nowhere/chromium' };
          void runProgram('cli', [...args, '--once'], { env }).then((end) => {
            beside = end;
            stop();
          });
        },
      });
      assert.equal(first.code, 0, first.stderr);
      assert.match(
        beside?.stderr ?? '',
        /"\/nowhere\/chromium", which the environment variable SIDELOAD_BROWSER names, is not/,
      );
      assert.equal(beside?.code, 3);
      const again = await runProgram('cli', [...args, '--once']);
      assert.equal(again.code, 0, again.stderr);
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  });

  it('ends with the browser that it has started', async function () {
    if (isLoadingOverDevTools()) this.skip();
    const { folder, service, client, browser } = stage();
    const lines: string[] = [];
    const closeIts = async (): Promise<void> => {
      const { items } = await client.pageOfBrowsers({}, 0);
      for (const { id } of items) if (id !== browser.id) await client.deleteBrowser(id);
    };
    let closing: Promise<void> | undefined;
    const { code, stderr } = await runProgram('cli', ['run', folder, '--headless', '--service', service.baseUrl], {
      env: { SIDELOAD_TOKEN: service.token },
      onLine: (line) => {
        lines.push(line);
        if (line.startsWith('It stays open')) closing = closeIts();
      },
    });
    await closing;
    assert.deepEqual([code, stderr, lines.at(-1)], [0, '', 'The browser was closed.']);
  });

  it('starts the local service and a browser of its own without a service, and ends both', async function () {
    if (isLoadingOverDevTools()) this.skip();
    const dataDir = await mkdtemp(join(tmpdir(), 'sideload-cli-'));
    try {
      const args = ['run', stage().folder, '--headless', '--data-dir', dataDir];
      const lines: string[] = [];
      const { code, stderr } = await runProgram('cli', args, {
        onLine: (line, stop) => {
          lines.push(line);
          if (line.startsWith('It stays open')) stop();
        },
      });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(lines[0] ?? '', /^RUNNING: /);
      const once = await runProgram('cli', [...args, '--once', '--json']);
      assert.equal(once.code, 0);
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  });
});

describe('the program for terminals, with a service that has only the documented operations,', function () {
  this.timeout(60_000);
  let service: DocumentService;
  let folder: string;
  let programEnv: NodeJS.ProcessEnv;

  beforeEach(async () => {
    service = await DocumentService.start();
    folder = await mkdtemp(join(tmpdir(), 'sideload-cli-'));
    for (const name of ['one', 'two']) {
      await mkdir(join(folder, name));
      const manifest = { manifest_version: 3, name, version: '1.0' };
      await writeFile(join(folder, name, 'manifest.json'), JSON.stringify(manifest));
    }
    programEnv = { SIDELOAD_TOKEN: service.token };
  });
  afterEach(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<ProgramEnd> =>
    runProgram('cli', [...args, '--service', service.baseUrl], { cwd: folder, env: programEnv });

  const DELIVERED =
    /^DELIVERED, NOT VERIFIED: Uploaded to brw-1; the service says that Chromium has restarted with it\. Not verified: this service gives no DevTools address\.$/;

  it('pushes to the browser of an id without a list, and ends with 4', async () => {
    const { code, stdout, stderr } = await run('push', 'one', '--browser', 'brw-1');
    assert.equal(stderr, '');
    assert.match(stdout.trim(), DELIVERED);
    assert.equal(code, 4);
    assert.equal(service.uploads.length, 1);
    assert.equal(service.count(/^GET \/browsers(\?|$)/), 0);
    assert.equal(service.count(/^GET \/browsers\/brw-1$/), 1);
    assert.ok(service.requests.length <= 4, service.requests.join('\n'));
    const [extension] = service.uploads[0] ?? [];
    assert.match(extension?.name ?? '', /^one\.sideload-[0-9a-z]+$/);
  });

  it('pushes also where the service repeats the path of what it does not have', async () => {
    service.options = { missing: 'Route {path} not found' };
    const { code, stdout, stderr } = await run('push', 'one', '--browser', 'brw-1');
    assert.equal(stderr, '');
    assert.match(stdout.trim(), DELIVERED);
    assert.equal(code, 4);
  });

  it('pushes two folders by one request, and says of each that it was delivered', async () => {
    const { code, stdout } = await run('push', 'one', 'two', '--browser', 'brw-1', '--json');
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      results.map(({ folder: of, outcome, exitCode }) => [of, outcome, exitCode]),
      [
        ['one', 'unverified', 4],
        ['two', 'unverified', 4],
      ],
    );
    assert.equal(code, 4);
    assert.deepEqual(
      service.uploads.map((upload) => upload.map(({ name }) => name.replace(/\.sideload-.*/, ''))),
      [['one', 'two']],
    );
  });

  it('tests nothing of what was delivered and is not verified, and does not say that it does not run', async () => {
    const { code, stdout } = await run('test', 'one', '--browser', 'brw-1');
    assert.equal(code, 4);
    assert.match(stdout, /^failed Chromium loads it .*\nDELIVERED, NOT VERIFIED: /);
    assert.match(stdout, /\nskipped its service worker starts .*\nIt is not verified what runs\.\n/);
    assert.doesNotMatch(stdout, /does not run/);
  });

  it('sends none of two folders when the check refuses one', async () => {
    await writeFile(join(folder, 'two', 'manifest.json'), '{ "manifest_version": 3, "name": "two", "version": "x" }');
    const { code, stdout } = await run('push', 'one', 'two', '--browser', 'brw-1');
    assert.equal(code, 1);
    assert.match(stdout, /^one:\nHELD BACK: Not pushed, because «two» was refused.*\ntwo:\nREFUSED by the check/);
    assert.equal(service.uploads.length, 0);
  });

  it('says what is wrong without a text for agents', async () => {
    const unlisted = await run('push', 'one');
    assert.deepEqual(
      [unlisted.code, unlisted.stderr.trim()],
      [3, 'The service lists no browsers. Name one by its id with --browser.'],
    );
    for (const command of ['run', 'test']) {
      const { code, stderr } = await run(command, 'one');
      const said = 'The service starts no browsers. Name one that runs by its id with --browser.';
      assert.deepEqual([code, stderr.trim()], [3, said]);
    }
    const gone = await run('push', 'one', '--browser', 'brw-2');
    assert.equal(gone.code, 3);
    assert.match(gone.stdout, /^FAILED: .*There is no browser brw-2/);
    service.faults.set('uploadExtensionsToBrowser', {
      status: 403,
      body: { code: 'forbidden', message: 'the plan has no uploads' },
    });
    const refused = await run('push', 'one', '--browser', 'brw-1');
    assert.equal(refused.code, 3);
    assert.match(refused.stdout, /the plan has no uploads/);
    for (const { stdout, stderr } of [unlisted, gone, refused]) {
      assert.doesNotMatch(stdout + stderr, /_extension|extension_browsers|[Aa]sk the user|[Cc]all /);
    }
  });
});
