// Covers: src/editor/push, src/editor/folder, src/editor/localhost, src/editor/inspect, src/bridge, src/push/localhost.ts, src/push/prepare
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fieldOf } from '../../src/base/fields';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { FarBrowser } from '../standins/farBrowser';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { BUTTONS, DEVELOPMENT_SERVER, LOCALHOST, MESSAGES } from '../workbench/phrases';
import { openBrowsers, statusLabel } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, submenuTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'far-away';

/** How long a push, or what it leads to, may take, in milliseconds. */
const PUSH_LIMIT_MS = 60_000;

/** A development server ends by itself after this time, in milliseconds. */
const SERVER_LIFE_MS = 180_000;

/** Longer than the check of a small folder takes that has changed, in milliseconds. */
const CHECK_MS = 3000;

describe('localhost in a browser elsewhere', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let far: FarBrowser;
  let service: TestService;
  let server: Server;
  let port: number;
  const asked: string[] = [];

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    far = await FarBrowser.make();
    service = await TestService.start(['--browser', far.path]);
    await service.client.browsers.create({ name: BROWSER, headless: true, timeout_seconds: 600 });
    server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const isScript = url.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? 'globalThis.served = 1;' : '<title>The web app</title>');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, 'localhost', resolve);
    });
    port = Number(fieldOf(server.address(), 'port'));
    await writeBuild('1.0');
    view = await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, service.token);
    await view.waitForRow(BROWSER);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseFolder));
    await workbench.quickInput.tick(['dist']);
    await workbench.quickInput.closed();
  });

  after(async function () {
    this.timeout(120_000);
    await workbench.command('Terminal: Kill All Terminals');
    for (const name of ['dist', 'package.json', 'develop.mjs'])
      await rm(join(shared.folder, name), { recursive: true, force: true });
    await workbench.command(paletteTitle(COMMANDS.chooseFolder));
    await leaveOtherService(workbench);
    server.closeAllConnections();
    server.close();
    await service.stop();
    await far.end();
  });

  /** A build that loads a module of its worker from the server. */
  async function writeBuild(version: string): Promise<void> {
    const folder = join(shared.folder, 'dist');
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(buildOf(version))) await writeFile(join(folder, name), text);
  }

  /** The files of such a build. */
  function buildOf(version: string): Record<string, string> {
    const origin = `http://localhost:${port}`;
    const manifest = {
      manifest_version: 3,
      name: 'Dev Build',
      version,
      background: { service_worker: 'worker.js', type: 'module' },
      host_permissions: [`${origin}/*`],
      content_security_policy: { extension_pages: `script-src 'self' ${origin}; object-src 'self'` },
    };
    return { 'manifest.json': JSON.stringify(manifest), 'worker.js': `import '${origin}/worker.js';\n` };
  }

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'ui', name));
  const pushed = async (): Promise<void> => {
    await workbench.notification(MESSAGES.running, PUSH_LIMIT_MS);
    await workbench.clearNotifications();
  };
  /** The item of the status bar; undefined when there is none. */
  const status = async (): Promise<string | undefined> => {
    const item = workbench.page.locator('#sideload\\.sideload\\.sideload\\.localhost');
    return (await item.count()) === 0 ? undefined : (await item.innerText()).trim();
  };

  /** Whether the status bar says so. */
  const pushesBuilds = async (): Promise<boolean> => /on build/i.test(await statusLabel(workbench));

  /** How often the worker's module was asked for. Chromium loads the page of an error again by itself, at times of its own. */
  const askedByWorkers = (): number => asked.filter((url) => url === '/worker.js').length;

  /** Lets the browser reach the server again, unless it does: a test before may have failed. */
  async function mustReach(): Promise<void> {
    if ((await status()) !== undefined) return;
    await writeBuild('1.9');
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    await workbench.asked();
    await workbench.press(BUTTONS.allow);
    await pushed();
    await rm(join(shared.folder, 'dist'), { recursive: true });
  }

  it('is asked for; a build that may not reach it is not pushed, and says why', async () => {
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    assert.match(await workbench.asked(), LOCALHOST.question(BROWSER, port));
    await picture('localhost-question.png');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: BUTTONS.cancel }).click();
    await workbench.notification(LOCALHOST.notPushed(port), PUSH_LIMIT_MS);
    await picture('localhost-refused.png');
    await workbench.clearNotifications();
    assert.deepEqual(asked, []);
    assert.equal(await status(), undefined);
  });

  it('is reached by what is pushed, which the row and the status bar say', async () => {
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    await workbench.asked();
    await workbench.press(BUTTONS.allow);
    await pushed();
    assert.deepEqual(asked, ['/worker.js']);
    await (await view.waitForRow(BROWSER)).click();
    await workbench.page.keyboard.press('ArrowRight');
    await view.waitForRow(LOCALHOST.row(port, 1));
    assert.equal(await status(), `localhost:${port}`);
    await picture('localhost-row.png');
  });

  it('is not asked for again', async () => {
    await writeBuild('1.1');
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    await pushed();
    assert.equal(await workbench.question(), undefined);
    assert.deepEqual(asked, ['/worker.js', '/worker.js']);
  });

  it('is asked by a web app that is opened, and lists what was asked', async () => {
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.openLocalhost), submenuTitle('open'));
    await workbench.quickInput.type('example.com');
    await workbench.quickInput.saying(LOCALHOST.noAddress);
    await workbench.quickInput.answer(`${port}/app`);
    await view.waitForRow('The web app');
    await view.clickRowMenu(LOCALHOST.row(port), commandTitle(COMMANDS.showLocalhostRequests));
    const lines = workbench.page.locator('.editor-instance .view-lines');
    await eventually(
      'the request is listed',
      async () => LOCALHOST.listed('/app').test((await lines.innerText()).replaceAll('\u00a0', ' ')),
      PUSH_LIMIT_MS,
    );
    await picture('localhost-requests.png');
    await workbench.editors.closeAll();
  });

  it('is said to be waited for while nothing listens there', async () => {
    await new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.openLocalhost), submenuTitle('open'));
    await workbench.quickInput.answer(`${port}/again`);
    await view.waitForRow(LOCALHOST.waiting(port));
    await eventually(
      'the status bar says so',
      async () => LOCALHOST.waiting(port).test((await status()) ?? ''),
      PUSH_LIMIT_MS,
    );
    await picture('localhost-waiting.png');
    await new Promise<void>((resolve) => {
      server.listen(port, 'localhost', resolve);
    });
    const isBack = async (): Promise<boolean> => (await status()) === `localhost:${port}`;
    await eventually('the status bar says that it is there', isBack, PUSH_LIMIT_MS);
  });

  it('ends at once by Stop in the row', async () => {
    await view.clickRowAction(LOCALHOST.row(port), commandTitle(COMMANDS.stopLocalhost));
    await view.row(LOCALHOST.row(port)).waitFor({ state: 'detached' });
    await eventually('the item of the status bar is gone', async () => (await status()) === undefined, PUSH_LIMIT_MS);
    await picture('localhost-stopped.png');
    const before = askedByWorkers();
    await writeBuild('1.2');
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    // It was ended, so it is asked for again.
    assert.match(await workbench.asked(), LOCALHOST.question(BROWSER, port));
    assert.equal(askedByWorkers(), before);
    await workbench.press(BUTTONS.allow);
    await pushed();
    assert.equal(askedByWorkers(), before + 1);
  });

  it('leaves no entry in the Problems panel when the build is deleted', async () => {
    await workbench.problems.open();
    await rm(join(shared.folder, 'dist'), { recursive: true });
    // Longer than a check takes, which would find no manifest there.
    await workbench.page.waitForTimeout(CHECK_MS);
    const entries = (await workbench.problems.read()).map(({ file, message }) => `${file}: ${message}`);
    assert.deepEqual(entries, []);
  });

  it('is there when Run Extension has started the development server and waited for its build', async () => {
    await mustReach();
    const code = `import { mkdir, writeFile } from 'node:fs/promises';
setTimeout(() => process.exit(), ${SERVER_LIFE_MS});
await new Promise((resolve) => setTimeout(resolve, 1500));
await mkdir('dist', { recursive: true });
for (const [name, text] of Object.entries(${JSON.stringify(buildOf('2.0'))})) await writeFile('dist/' + name, text);
`;
    await writeFile(join(shared.folder, 'develop.mjs'), code);
    const project = { scripts: { dev: 'node develop.mjs' }, devDependencies: { vite: '*' } };
    await writeFile(join(shared.folder, 'package.json'), JSON.stringify(project));
    const before = askedByWorkers();
    await workbench.runThatAsks(COMMANDS.runExtension);
    await picture('localhost-server-question.png');
    assert.match((await workbench.quickInput.entries())[0] ?? '', DEVELOPMENT_SERVER.start);
    await workbench.quickInput.pick(DEVELOPMENT_SERVER.start);
    await workbench.notification(DEVELOPMENT_SERVER.offer, PUSH_LIMIT_MS);
    await picture('localhost-server-started.png');
    assert.equal(askedByWorkers(), before + 1);
    await workbench.press(DEVELOPMENT_SERVER.pushBuilds);
    await eventually('builds are pushed', async () => await pushesBuilds(), PUSH_LIMIT_MS);
    await workbench.clearNotifications();
    // It runs, so that nothing is asked.
    await workbench.run(COMMANDS.runExtension);
    await pushed();
    await workbench.run(COMMANDS.togglePushOnSave);
  });

  it('is no longer said to be reached when the service of the browser is gone', async () => {
    await mustReach();
    assert.equal(await status(), `localhost:${port}`);
    await service.stop();
    await eventually('the item of the status bar is gone', async () => (await status()) === undefined, PUSH_LIMIT_MS);
  });
}).timeout(120_000);
