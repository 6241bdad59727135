import * as l10n from '@vscode/l10n';
import { debug, type DebugAdapterTracker, type DebugConfiguration, type DebugSession } from 'vscode';
import type { Relay } from '../../debugger/relay';
import type { WorkerDebuggers } from '../../devtools/workers/workerDebuggers';
import type { Browser } from '../../service/model';
import { fieldOf } from '../../base/fields';
import { withLink } from '../browsers/readContents';
import { withBrowser } from '../browsers/gone';
import { readManifest } from '../../manifest/namedPages';
import type { ExtensionFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { createStatusItem, type StatusItem } from '../notify';
import type { PushWiring } from '../push/pushWiring';
import type { DebugPages } from '../settings';
import { DEBUGGER_TYPE, keyOf, partOf, resolveConfiguration } from './debugConfiguration';
import { contentScriptPages } from '../../manifest/scriptPages';
import { namesAbove, projectRoot } from './projectRoot';

/** What is debugged. */
export interface Debugged {
  browser: Browser;
  extensionId: string;
  /** The name of the extension. */
  name: string;
  extension: ExtensionFolder;
  pages: DebugPages;
  /** Called once the debugger has attached, and when the user restarts the session. */
  push: ((debugged: Debugged) => Promise<unknown>) | undefined;
}

/** A relay, and the debuggers of its browser. */
interface Started {
  relay: Relay;
  debuggers: WorkerDebuggers;
}

/** How long after a change of the workers the status bar follows, in milliseconds: a push stops one and starts the next. */
const FOLLOW_MS = 1000;

/** The debug sessions of this window: a relay each, which ends with its session. */
export class DebugSessions {
  readonly #running = new Map<string, { relay: Relay; debugged: Debugged }>();
  #status: StatusItem | undefined;
  #following: NodeJS.Timeout | undefined;

  constructor(private readonly wiring: PushWiring) {
    wiring.own(
      debug.onDidTerminateDebugSession((session) => this.#relayOf(session)?.close()),
      debug.registerDebugAdapterTrackerFactory(DEBUGGER_TYPE, {
        createDebugAdapterTracker: (session) => this.#track(session),
      }),
      { dispose: () => this.#end() },
    );
  }

  /**
   * Starts a relay, and returns the configuration with which VS Code's JavaScript debugger attaches to it.
   * @throws DevToolsError, or an error of the service
   */
  async start(debugged: Debugged, own: DebugConfiguration): Promise<DebugConfiguration | undefined> {
    const { browser, extensionId, name, extension } = debugged;
    const workspaceRoot = extension.workspaceFolder.uri.fsPath;
    const root = await projectRoot(extension.path, workspaceRoot);
    const above = await namesAbove(extension.path, workspaceRoot);
    const started = await withBrowser(this.wiring, browser, () => this.#startRelay(debugged));
    if (!started) return undefined;
    // A relay may end at any time, and says so once: it is followed before anything else is waited for.
    const { relay, debuggers } = started;
    const { configuration, key } = resolveConfiguration(own, {
      extensionId,
      name: `${name} (${browserLabel(browser)})`,
      folder: extension.path,
      root,
      above,
      port: relay.port,
      socketAddress: relay.socketAddress,
    });
    this.#running.set(key, { relay, debugged });
    this.#follow(key, relay, debugged, debuggers);
    this.#draw();
    return configuration;
  }

  #end(): void {
    clearTimeout(this.#following);
    for (const { relay } of this.#running.values()) relay.close();
    this.#status?.dispose();
  }

  async #startRelay({ browser, extensionId, name, extension, pages }: Debugged): Promise<Started> {
    const { connection, localhost, log } = this.wiring;
    const { key } = connection;
    // Its hidden page would else be held by the debugger when a push opens it.
    await withLink(this.wiring, browser, (link) => link.prepare());
    const [{ Relay }, { ServedScripts }, { SourceLocations }, { devToolsAddress }, browsers, manifest] =
      await Promise.all([
        import('../../debugger/relay'),
        import('../../debugger/servedScripts'),
        import('../../console/sourceLocations'),
        import('../../service/devToolsAddress'),
        this.wiring.devTools.ofService(),
        readManifest(extension.path).catch(() => undefined),
      ]);
    const debuggers = browsers.debuggersOf(browser);
    const matches = pages === 'matching' ? contentScriptPages(manifest) : undefined;
    const folders = {
      folder: extension.path,
      root: extension.workspaceFolder.uri.fsPath,
      servers: () => localhost.serversOf(browser),
    };
    const relay = await Relay.start({
      extensionId,
      name,
      matches: matches ?? ((): boolean => false),
      holdsTabs: matches !== undefined,
      address: async () => {
        // Another service may have a browser with the same id.
        if (connection.key !== key) return undefined;
        const client = await connection.client();
        const now = await client.findBrowser(browser.id);
        return now && devToolsAddress(now.devToolsUrl, client.baseUrl);
      },
      locations: new SourceLocations(extensionId, folders),
      served: new ServedScripts(extensionId, folders, (path) => localhost.cutMapOf(browser, path)),
      isDebugged: (id) => debuggers.has(id),
      hidden: browsers.hiddenOf(browser),
      saysStops: true,
      log,
    });
    return { relay, debuggers };
  }

  /** Makes the debugger known to pushes, and ends what is left when it ends. */
  #follow(key: string, relay: Relay, debugged: Debugged, debuggers: WorkerDebuggers): void {
    const remove = debuggers.add(relay);
    relay.events.on('pause', () => debuggers.changed());
    relay.events.on('worker', () => {
      this.#following ??= setTimeout(() => {
        this.#following = undefined;
        this.#draw();
      }, FOLLOW_MS);
    });
    relay.events.once('end', () => {
      remove();
      this.#running.delete(key);
      this.#draw();
    });
    const push = (): void => {
      debugged.push?.(debugged).catch((error: unknown) => {
        this.wiring.log.error(`Debug ${debugged.name}: ${String(error)}`);
      });
    };
    relay.events.once('attached', push);
    relay.events.on('restart', push);
  }

  /**
   * Ends the relay before the debugger ends its session: js-debug throws at answers that arrive after it has closed its connection ("Unknown
   * session id", seen in 1 of 3 runs on a busy machine), and reads nothing more. Reports to the relay which pauses of parts the debugger shows.
   */
  #track(session: DebugSession): DebugAdapterTracker | undefined {
    const part = partOf(session.configuration);
    const relay = this.#relayOf(part === undefined ? session : rootOf(session));
    if (!relay) return undefined;
    if (part !== undefined) {
      return {
        onDidSendMessage: (message: unknown) => {
          if (fieldOf(message, 'event') === 'stopped') relay.show(part);
        },
      };
    }
    return {
      onWillReceiveMessage: (message: unknown) => {
        if (fieldOf(message, 'command') === 'disconnect' || fieldOf(message, 'command') === 'terminate') relay.close();
      },
    };
  }

  /** The relay of a session; undefined for the sessions of its parts, which end alone. */
  #relayOf({ configuration, parentSession }: DebugSession): Relay | undefined {
    const key = parentSession ? undefined : keyOf(configuration);
    return key === undefined ? undefined : this.#running.get(key)?.relay;
  }

  #draw(): void {
    const names = [...this.#running.values()].map(({ debugged }) => debugged.name);
    if (names.length === 0) {
      this.#status?.setVisible(false);
      return;
    }
    this.#status ??= createStatusItem('sideload.debug', l10n.t('Sideload Debugger'), 'workbench.view.debug');
    const isAwake = [...this.#running.values()].some(({ relay }) => relay.hasWorker);
    const spoken = isAwake
      ? l10n.t('Debugging {0}. The debugger keeps the service worker awake.', names.join(', '))
      : l10n.t('Debugging {0}. No service worker of it runs now.', names.join(', '));
    this.#status.draw({
      icon: 'debug-alt',
      text: isAwake ? l10n.t('worker kept awake') : l10n.t('no worker runs'),
      tooltip: [spoken],
      spoken: `Sideload: ${spoken}`,
      isWarning: false,
    });
    this.#status.setVisible(true);
  }
}

/** The first session above one. */
function rootOf(session: DebugSession): DebugSession {
  return session.parentSession ? rootOf(session.parentSession) : session;
}
