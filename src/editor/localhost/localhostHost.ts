import * as l10n from '@vscode/l10n';
import { commands, EventEmitter, type Disposable } from 'vscode';
import type { LoopbackPorts } from '../../base/loopback';
import type { Bridge } from '../../bridge/bridge';
import type { Bridged, BridgedService, LocalhostBridges } from '../../bridge/localhostBridges';
import { MessageGate } from '../../bridge/messageGate';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import {
  isServedBy,
  type LocalhostAccess,
  type LocalhostGrant,
  type LocalhostUse,
  portsOf,
} from '../../push/localhost';
import type { PushOrigin } from '../../push/restartRule';
import { type BrowserKey, browserKey } from '../../service/browserKey';
import type { Browser } from '../../service/model';
import { CONTEXT } from '../../ids';
import { localhostNode } from '../lists/localhostRow';
import type { Node } from '../lists/nodes';
import { offer } from '../notify';
import type { ServiceWiring } from '../service/connection';
import type { PushRecords } from '../../push/known/pushRecords';
import { localhostPort } from './localhostAddress';
import { addressesText, LocalhostConsent, type LocalhostQuestion, type StartedBrowsers } from './localhostConsent';

/** Shortest interval between two updates of the counts on screen, in milliseconds. */
const TELL_MS = 500;

/** Which browsers of the window reach servers on this computer: asked for by pushes, allowed by the person. */
export class LocalhostHost implements Disposable {
  readonly gate = new MessageGate();
  readonly #changed = new EventEmitter<void>();
  /** Fires when a browser begins or ends to reach servers here, and, now and then, when what it has asked has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #consent: LocalhostConsent;
  /** Ports that a build can do without, and that the person has declined. */
  readonly #declined = new Set<string>();
  /** The browsers for which the person has ended it. */
  readonly #stopped = new Set<BrowserKey>();
  #loading: Promise<LocalhostBridges> | undefined;
  #bridges: LocalhostBridges | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly wiring: ServiceWiring & {
      ownBrowsers: StartedBrowsers;
      records: PushRecords;
      devTools: { readonly current: BrowserConnections | undefined };
    },
  ) {
    this.#consent = new LocalhostConsent(wiring.context.workspaceState, wiring.ownBrowsers);
  }

  /** The browsers that reach servers on this computer now: none that is not connected. */
  get all(): readonly Bridged[] {
    return this.#bridges?.all.filter(({ bridge }) => bridge.isConnected) ?? [];
  }

  /** The bridge of a browser of the service in use; undefined without one. */
  of(browser: Pick<Browser, 'id'>): Bridge | undefined {
    const { baseUrl } = this.wiring.connection;
    return baseUrl && this.#bridges?.of({ baseUrl }, browser);
  }

  /** The servers on this computer that a browser reaches now: all of them for one of the local service. */
  serversOf(browser: Pick<Browser, 'id'>): LoopbackPorts {
    return this.wiring.connection.isEmbedded ? 'any' : (this.of(browser)?.ports ?? []);
  }

  /** A source map at a path of such a server, as an address of data, where it was cut out of what a browser elsewhere got. */
  cutMapOf(browser: Pick<Browser, 'id'>, path: string): string | undefined {
    return this.of(browser)?.maps.dataAt(path);
  }

  /** The row below a browser that reaches servers on this computer; none below others. */
  rowsOf(browser: Browser): Node<Browser>[] {
    const bridge = this.of(browser);
    if (!bridge?.isConnected) return [];
    const { ports, requests } = bridge;
    const silent = ports.filter((port) => requests.isListening(port) === false);
    return [localhostNode({ browser, ports, silent, ...requests.counts })];
  }

  /**
   * What pushes ask for leave; `key` identifies their service, also when another one is in use by then. `onAsk` is called before a question is
   * shown, and `onRefused` where a push by itself may not ask. Undefined for the local service, whose browsers reach this computer by themselves.
   */
  access(
    client: BridgedService,
    key: string,
    origin: PushOrigin,
    { onAsk, onRefused }: { onAsk: () => void; onRefused: (addresses: string) => void },
  ): LocalhostAccess | undefined {
    if (this.wiring.connection.isEmbedded) return undefined;
    const service = this.#following(client, key);
    return {
      grantFor: async (uses, browsers) => {
        const ports = portsOf(uses);
        if (!isServedBy(uses, ports)) return undefined;
        const allowed = this.#allowed(service, { service: key, browsers, ports });
        if (allowed.length === ports.length) return await this.#grant(service, ports);
        const missing = ports.filter((port) => !allowed.includes(port));
        const isNeeded = uses.some(({ what }) => what === 'code');
        const isByUser = origin === 'command' || origin === 'test';
        const mayAsk = isByUser && (isNeeded || !this.#declined.has(missing.join()));
        if (mayAsk) onAsk();
        const question = { service: key, browsers, ports: missing, reason: reasonOf(uses) };
        if (mayAsk && (await this.#ask(service, question))) return await this.#grant(service, ports);
        if (mayAsk) this.#declined.add(missing.join());
        else if (isNeeded) onRefused(addressesText(missing));
        if (!mayAsk && origin === 'agent' && isNeeded) void this.#offer(service, question);
        if (isServedBy(uses, allowed)) return await this.#grant(service, allowed);
        return mayAsk ? 'declined' : undefined;
      },
    };
  }

  /**
   * Lets a browser reach the server of an address that the person opens, where that is one of this computer. Resolves to false when the person
   * does not want it, or must not be asked.
   * @throws DevToolsError, ServiceError
   */
  async reach(browser: Browser, address: string, { mayAsk = true }: { mayAsk?: boolean } = {}): Promise<boolean> {
    const { connection } = this.wiring;
    const port = localhostPort(address);
    if (port === undefined || connection.isEmbedded) return true;
    const reason = l10n.t('You open an address of this computer.');
    const question = { service: connection.key, browsers: [browser], ports: [port], reason };
    const service = this.#following(await connection.client(), connection.key);
    const isAllowed = this.#allowed(service, question).length > 0;
    if (!isAllowed && !(mayAsk && (await this.#ask(service, question)))) return false;
    const bridge = await (await this.#load()).open(service, browser, [port]);
    const id = this.wiring.records.build(browser.id)?.extensionId;
    if (id !== undefined) await bridge.update({ extensionIds: [...new Set([...bridge.extensionIds, id])] });
    return true;
  }

  /** Ends it for a browser at once. Only an answer of the person begins it again in this window. */
  stop({ key, bridge }: Bridged): void {
    this.#stopped.add(key);
    bridge.close();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#bridges?.closeAll();
    this.#changed.dispose();
  }

  /** Those of the ports that all of the browsers may reach without a question. */
  #allowed({ baseUrl }: BridgedService, question: Omit<LocalhostQuestion, 'reason'>): readonly number[] {
    const isStopped = question.browsers.some(({ id }) => this.#stopped.has(browserKey(baseUrl, id)));
    return isStopped ? [] : this.#consent.allowed(question);
  }

  async #ask({ baseUrl }: BridgedService, question: LocalhostQuestion): Promise<boolean> {
    const isAllowed = await this.#consent.ask(question);
    if (isAllowed) for (const { id } of question.browsers) this.#stopped.delete(browserKey(baseUrl, id));
    return isAllowed;
  }

  /** The service of `client`. Requests use the current client while it is for the same service, since a new token closes the old client. */
  #following(client: BridgedService, key: string): BridgedService {
    const { connection } = this.wiring;
    return {
      baseUrl: client.baseUrl,
      getBrowser: async (id) => (connection.key === key ? await connection.client() : client).getBrowser(id),
    };
  }

  async #grant(service: BridgedService, ports: readonly number[]): Promise<LocalhostGrant> {
    return (await this.#load()).grant(service, ports);
  }

  /** An agent has pushed what needs it: the person decides, without being stopped in what he does. */
  async #offer(service: BridgedService, question: LocalhostQuestion): Promise<void> {
    const allow = l10n.t('Allow…');
    const text = l10n.t('An agent has pushed a build that needs {0} on this computer.', addressesText(question.ports));
    const reason = l10n.t('A build that an agent has pushed loads code from there.');
    if ((await offer(text, allow)) === allow) await this.#ask(service, { ...question, reason });
  }

  #load(): Promise<LocalhostBridges> {
    this.#loading ??= this.#make();
    return this.#loading;
  }

  async #make(): Promise<LocalhostBridges> {
    const [{ LocalhostBridges }, folder] = await Promise.all([
      import('../../bridge/localhostBridges'),
      this.#consent.folder(),
    ]);
    const { log, devTools } = this.wiring;
    const bridges = new LocalhostBridges({
      log,
      folder,
      beforeMessage: ({ id }) => this.gate.untilQuiet(id),
      isDebugged: (browser) => devTools.current?.debuggersOf(browser).isEmpty === false,
    });
    const followed = new WeakSet<Bridge>();
    bridges.events.on('change', () => {
      for (const { bridge } of bridges.all) {
        if (followed.has(bridge)) continue;
        followed.add(bridge);
        bridge.requests.events.on('request', () => this.#tellSoon());
      }
      void commands.executeCommand('setContext', CONTEXT.reachesLocalhost, this.all.length > 0);
      this.#changed.fire();
    });
    this.#bridges = bridges;
    return bridges;
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, TELL_MS);
  }
}

/** Why a build needs servers on this computer. */
function reasonOf(uses: readonly LocalhostUse[]): string {
  const [first] = [...uses].sort((a, b) => Number(b.what === 'code') - Number(a.what === 'code'));
  if (!first) return '';
  const { what, file, line, address } = first;
  return what === 'code'
    ? l10n.t('This development build loads code from {0} ({1}:{2}).', address, file, line)
    : l10n.t('This build connects to {0} ({1}:{2}).', address, file, line);
}
