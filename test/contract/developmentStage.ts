import { existsSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { holdsExtension } from '../../src/archive/locate';
import { LocalhostBridges } from '../../src/bridge/localhostBridges';
import { newFolder } from '../../src/bridge/socketMessages';
import { dataOf } from '../../src/base/dataUrl';
import { fieldOf, listField, textField, textsField } from '../../src/base/fields';
import { readMessage } from '../../src/debugger/relayMessage';
import { ServedScripts } from '../../src/debugger/servedScripts';
import { MessageGate } from '../../src/bridge/messageGate';
import { portsOf } from '../../src/push/localhost';
import type { ReloadKind } from '../../src/push/prepare/changes';
import type { PushOutcome } from '../../src/push/pushRun';
import { SavedPushes, type SaveFolder } from '../../src/push/turns/savedPushes';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { DevelopmentProject, type DevelopmentTool } from '../machine/developmentProject';
import { FarBrowser } from '../standins/farBrowser';
import { SlowNetwork } from '../standins/slowNetwork';
import { eventually } from '../support/eventually';
import { TestEngine } from '../support/testEngine';
import { USUAL_ORDER } from '../support/usualOrder';
import { DevTools, type Target } from './devtools';
import { TestService } from './service';

/** How long a push, an edit or a page may take to be seen, in milliseconds. */
export const SEEN_LIMIT_MS = 30_000;

/** How long a round trip to the browser takes, in milliseconds. */
const ROUND_TRIP_MS = 80;

/** How often a build is looked at for what has been written, in milliseconds. */
const LOOK_MS = 100;

/** A build is over when nothing was written for so long, in milliseconds. */
const WRITE_PAUSE_MS = 2500;

const SETTINGS = { pushOnSave: 'onBuild', pushOnAutoSave: false, delivery: 'auto' } as const;

/** What a part of the extension reported when it began to run. */
export interface Report {
  part: string;
  label: string;
}

/** A push that runs. */
export interface RunningPush {
  /** What it has reloaded. */
  reload: ReloadKind;
  /** The ids of the targets that were there when it began. */
  targetIds: readonly string[];
}

/** A page of the browser, and its target. */
export interface OpenedPage {
  targetId: string;
  page: Target;
}

/**
 * A project with a development server on this machine, and a browser without any network 80 ms away, to which each build is pushed as a window
 * does: the messages of the server wait for the pushes.
 */
export class DevelopmentStage {
  /** What has begun to run in the browser, in that order. */
  readonly reports: Report[] = [];
  /** The pushes of builds that run. */
  readonly pushed: RunningPush[] = [];
  /** How pushes have ended otherwise than running. */
  readonly failures: PushOutcome[] = [];
  readonly #engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity });
  readonly #gate = new MessageGate();
  readonly #bridges: LocalhostBridges;
  #pushes: SavedPushes<SaveFolder, { path: string }, { running: Browser[]; ended: [] }> | undefined;
  readonly #end = new AbortController();
  #network: SlowNetwork | undefined;
  /** The id of the extension that was pushed. */
  #extensionId = '';

  private constructor(
    readonly project: DevelopmentProject,
    private readonly far: FarBrowser,
    private readonly service: TestService,
    private readonly client: ServiceClient,
    readonly browser: Browser,
    private readonly app: Server,
    private readonly devtools: DevTools,
  ) {
    this.#bridges = new LocalhostBridges({
      log: silentLogger,
      folder: newFolder(),
      beforeMessage: ({ id }) => this.#gate.untilQuiet(id),
    });
    app.on('request', ({ url = '' }, response) => {
      const [, part = '', label = ''] = url.split('/');
      if (label !== '') this.reports.push({ part, label: decodeURIComponent(label) });
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>The web app</title>');
    });
  }

  static async start(tool: DevelopmentTool): Promise<DevelopmentStage> {
    const project = await DevelopmentProject.start(tool, console.log);
    const far = await FarBrowser.make();
    const service = await TestService.start(['--browser', far.path]);
    const network = await SlowNetwork.start(service.baseUrl, { upMs: ROUND_TRIP_MS / 2, downMs: ROUND_TRIP_MS / 2 });
    const { token } = service;
    const client = new ServiceClient({ baseUrl: parseBaseUrl(network.baseUrl), token, log: silentLogger });
    const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const app = createServer();
    await new Promise<void>((resolve) => {
      app.listen(0, 'localhost', resolve);
    });
    // The witness looks past the network.
    const near = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token, log: silentLogger });
    const devtools = await DevTools.connect((await near.getBrowser(browser.id)).devToolsUrl);
    await near.close();
    const stage = new DevelopmentStage(project, far, service, client, browser, app, devtools);
    stage.#network = network;
    await stage.#bridges.open(client, browser, stage.#ports([]));
    return stage;
  }

  /** The address of the web app, in which the content script runs. */
  get appUrl(): string {
    return `http://localhost:${portOf(this.app)}/`;
  }

  /** A statement by which a part of the extension reports that it runs, with a label. */
  reporting(part: string, label: string): string {
    return `void fetch('${this.appUrl}${part}/${encodeURIComponent(label)}', { mode: 'no-cors' });`;
  }

  /** The labels that a part has reported since there were so many reports. */
  labelsOf(part: string, from = 0): string[] {
    return this.reports.slice(from).flatMap((report) => (report.part === part ? [report.label] : []));
  }

  /** Pushes what is built now; rejects unless it runs then. */
  async push({ mustReload = false } = {}): Promise<void> {
    const outcome = await this.#deliver({ mustReload });
    if (outcome?.kind !== 'running') throw new Error(`the push has ended otherwise: ${JSON.stringify(outcome)}`);
    this.#extensionId = outcome.extensionId;
  }

  /** Whether a build was pushed. */
  get isPushed(): boolean {
    return this.#extensionId !== '';
  }

  /** Pushes each build from now on. */
  pushBuilds(): void {
    const { extension } = this.project;
    if (extension === undefined || this.#pushes) return;
    const pushes = new SavedPushes<SaveFolder, { path: string }, { running: Browser[]; ended: [] }>({
      settings: () => SETTINGS,
      findExtension: () => Promise.resolve({ path: extension }),
      isWithoutExtension: () => false,
      hasUnsaved: () => false,
      deliveredBy: () => Promise.resolve(() => true),
      isComplete: ({ path }, written) => this.#engine.isComplete(path, {}, written),
      changed: () => undefined,
      findTargets: () => Promise.resolve({ running: [this.browser], ended: [] }),
      push: async () => {
        const targetIds = this.#targetIds();
        const outcome = await this.#deliver();
        if (outcome?.kind === 'running') this.pushed.push({ reload: outcome.reload, targetIds: await targetIds });
        else if (outcome) this.failures.push(outcome);
      },
      showWaiting: () => undefined,
      warn: (reason) => {
        throw new Error(reason);
      },
      endedText: () => '',
      offerStartAgain: () => Promise.resolve(),
      sentenceOf: String,
    });
    this.#pushes = pushes;
    this.#gate.follow(() => pushes.untilPushed());
    void this.#follow(extension, pushes.collectWrites({ key: extension, name: 'extension' }));
  }

  /**
   * Calls `onWrite` with each file of a folder that is written or removed. Node's watcher on Linux misses files that are replaced by a rename, as
   * tools do, which that of the editor does not.
   */
  async #follow(folder: string, onWrite: (path: string) => void): Promise<void> {
    const { signal } = this.#end;
    for (let before = await versionsIn(folder); !signal.aborted; await delay(LOOK_MS)) {
      const now = await versionsIn(folder);
      for (const path of new Set([...before.keys(), ...now.keys()])) {
        if (before.get(path) !== now.get(path)) onWrite(path);
      }
      before = now;
    }
  }

  /** Resolves when all that was built is pushed. */
  async untilPushed(): Promise<void> {
    await this.#pushes?.untilPushed();
    await this.#gate.untilQuiet(this.browser.id);
  }

  /** Opens a page of the extension, or of the development server for a web app. */
  async open(path: string): Promise<OpenedPage> {
    const origin = this.project.extension === undefined ? `http://localhost:${this.project.port}` : this.#origin;
    return await this.openAddress(`${origin}/${path}`);
  }

  async openAddress(url: string): Promise<OpenedPage> {
    const { targetId } = await this.devtools.result('Target.createTarget', { url });
    return { targetId: String(targetId), page: await this.devtools.attachTo(String(targetId)) };
  }

  /** The sources of a module of a page, whose address has this name, as VS Code's debugger gets them. */
  async debuggedSources({ page: { sessionId } }: OpenedPage, name: string): Promise<string[]> {
    const parsed = this.devtools.event('Debugger.scriptParsed', sessionId, `${name}?`);
    await this.devtools.call('Debugger.enable', {}, sessionId);
    const message = readMessage(JSON.stringify(await parsed));
    await this.devtools.call('Debugger.disable', {}, sessionId);
    const { extension, folder, port } = this.project;
    const scripts = new ServedScripts(this.#extensionId, {
      folder: extension ?? folder,
      root: folder,
      servers: () => [port],
    });
    const shown = message && readMessage(scripts.shown(message).text);
    const map = dataOf(textField(shown?.params, 'sourceMapURL'))?.toString('utf8') ?? '';
    return textsField(JSON.parse(map), 'sources');
  }

  /** Waits until an expression gives true in a page. */
  async shows({ page }: OpenedPage, expression: string): Promise<void> {
    const holds = async (): Promise<boolean> => (await page.evaluate(expression).catch(() => false)) === true;
    const seen = async (): Promise<unknown> =>
      await page.evaluate('document.documentElement?.outerHTML.slice(0, 600)').catch(String);
    const requests = (): string =>
      (this.#bridges.of(this.client, this.browser)?.requests.latest ?? [])
        .filter(({ outcome }) => outcome !== 200 && outcome !== 304)
        .map(({ address, outcome }) => `${address} ${String(outcome)}`)
        .join('\n');
    await eventually(async () => `${expression}; it is ${String(await seen())}\n${requests()}`, holds, SEEN_LIMIT_MS);
  }

  /** Whether an expression gives true in a page within so many milliseconds. */
  async showsWithin({ page }: OpenedPage, expression: string, limitMs: number): Promise<boolean> {
    return await this.becomes(async () => (await page.evaluate(expression).catch(() => false)) === true, limitMs);
  }

  /** Whether something happens within so many milliseconds. */
  async becomes(happened: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
    return await eventually('it happens', happened, limitMs).then(
      () => true,
      () => false,
    );
  }

  async isOpen({ targetId }: OpenedPage): Promise<boolean> {
    return (await this.#targetIds()).includes(targetId);
  }

  /** Restarts the server, and waits until that has built the extension, where it builds one: it may listen before. */
  async restartServer(): Promise<void> {
    const started = Date.now();
    await this.project.restartServer();
    const { extension } = this.project;
    if (extension === undefined) return;
    await this.#untilBuilt(extension, started);
  }

  /** Waits until the tool has written since a time, and writes no more. */
  async #untilBuilt(extension: string, since: number): Promise<void> {
    const newest = async (): Promise<number> => {
      const files = await readdir(extension, { recursive: true, withFileTypes: true });
      const times = await Promise.all(
        files.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
      );
      return Math.max(...times);
    };
    const isQuiet = async (): Promise<boolean> => {
      // A tool may empty the folder meanwhile.
      const written = await newest().catch(() => Date.now());
      return written > since && Date.now() - written > WRITE_PAUSE_MS && (await holdsExtension(extension));
    };
    await eventually('the tool writes no more', isQuiet, SEEN_LIMIT_MS);
  }

  async close({ targetId }: OpenedPage): Promise<void> {
    await this.devtools.closePage(targetId);
  }

  /** The websockets and event sources that are carried now. */
  get socketCount(): number {
    return this.#bridges.of(this.client, this.browser)?.socketCount ?? 0;
  }

  /** Loses the connection of the bridge, which is made again by itself, and resolves when it is. */
  async loseConnection(): Promise<void> {
    const bridge = this.#bridges.of(this.client, this.browser);
    this.#network?.cut();
    await eventually('the connection is lost', () => bridge?.isConnected === false, SEEN_LIMIT_MS);
    await eventually('the connection is back', () => bridge?.isConnected === true, SEEN_LIMIT_MS);
  }

  /** The browser reaches nothing from now on. */
  stopBridges(): void {
    this.#bridges.closeAll();
  }

  async end(): Promise<void> {
    this.#end.abort();
    this.#pushes?.dispose();
    this.stopBridges();
    this.#engine.dispose();
    this.devtools.close();
    await this.project.stopServer();
    this.app.closeAllConnections();
    this.app.close();
    await this.client.close();
    await this.#network?.close();
    await this.service.stop();
    await this.far.end();
  }

  async #targetIds(): Promise<string[]> {
    const targets = listField(await this.devtools.result('Target.getTargets'), 'targetInfos');
    return targets.map((info) => textField(info, 'targetId'));
  }

  get #origin(): string {
    return `chrome-extension://${this.#extensionId}`;
  }

  #ports(more: readonly number[]): number[] {
    return [...new Set([portOf(this.app), this.project.port, ...more])];
  }

  async #deliver({ mustReload = false } = {}): Promise<PushOutcome | undefined> {
    const { extension } = this.project;
    if (extension === undefined) return undefined;
    const delivering = this.#engine.push({
      ...USUAL_ORDER,
      service: this.client,
      browsers: [this.browser],
      folder: extension,
      mustReload,
      isLocal: false,
      localhost: {
        grantFor: (uses) => Promise.resolve(this.#bridges.grant(this.client, this.#ports(portsOf(uses)))),
      },
    });
    this.#gate.begin(
      [this.browser.id],
      delivering.catch(() => undefined),
    );
    const [delivered] = await delivering;
    return delivered?.outcome;
  }
}

/** The files of a folder by path, each with what differs once it is written; those that go meanwhile are left out. */
async function versionsIn(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const versions = files.map(async (file) => {
    const path = join(file.parentPath, file.name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? [[path, `${found.ino} ${found.mtimeMs} ${found.size}`] as const] : [];
  });
  return new Map((await Promise.all(versions)).flat());
}

/** How many connections are established to a port of this machine; 0 where the system does not list them. */
export function connectionsTo(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1) : [],
  );
  const ESTABLISHED = '01';
  return rows.filter((row) => {
    const [, , to = '', state] = row.trim().split(/\s+/);
    return to.endsWith(remote) && state === ESTABLISHED;
  }).length;
}

function portOf(server: Server): number {
  return Number(fieldOf(server.address(), 'port'));
}
