import * as l10n from '@vscode/l10n';
import { EventEmitter, Uri, window, workspace } from 'vscode';
import type { Bridged } from '../../bridge/localhostBridges';
import { COMMANDS, LOCALHOST_SCHEME } from '../../ids';
import { browserLabel } from '../lists/labels';
import { waitingText } from '../lists/localhostRow';
import { itemOf } from '../lists/row';
import { createStatusItem, pick, showStatus, type StatusItem } from '../notify';
import { addressesText } from './localhostConsent';
import type { LocalhostHost } from './localhostHost';
import { requestsText } from './localhostRequests';
import type { Wiring } from '../wiring';

/** Shows what browsers reach on this computer: an item of the status bar, and a list of the requests. Commands to look at it, and to end it. */
export class LocalhostFeature {
  readonly handlers = {
    [COMMANDS.localhost]: () => this.#menu(),
    [COMMANDS.stopLocalhost]: (row: unknown) => this.#stop(row),
    [COMMANDS.showLocalhostRequests]: (row: unknown) => this.#showOf(row),
  };
  readonly #item: StatusItem;
  readonly #pages = new EventEmitter<Uri>();

  constructor(private readonly wiring: Wiring & { localhost: LocalhostHost }) {
    this.#item = createStatusItem('sideload.localhost', l10n.t('Sideload: localhost'), COMMANDS.localhost);
    wiring.own(
      this.#item,
      this.#pages,
      wiring.localhost.onDidChange(() => {
        this.#draw();
      }),
      workspace.registerTextDocumentContentProvider(LOCALHOST_SCHEME, {
        onDidChange: this.#pages.event,
        provideTextDocumentContent: ({ query }) => this.#textOf(query),
      }),
    );
  }

  #draw(): void {
    const { all } = this.wiring.localhost;
    this.#item.setVisible(all.length > 0);
    for (const { uri } of workspace.textDocuments) if (uri.scheme === LOCALHOST_SCHEME) this.#pages.fire(uri);
    if (all.length === 0) return;
    const addresses = addressesText(portsOfAll(all));
    const silent = portsOfAll(all).filter((port) =>
      all.some(({ bridge }) => bridge.requests.isListening(port) === false),
    );
    const names = all.map(({ browser }) => browserLabel(browser)).join(', ');
    const reached = l10n.t('{0} on this computer is reached by {1}', addresses, names);
    const waiting = silent.length > 0 ? [waitingText(silent)] : [];
    this.#item.draw({
      icon: silent.length > 0 ? 'debug-disconnect' : 'plug',
      text: silent.length > 0 ? waitingText(silent) : addresses,
      tooltip: [reached, ...waiting, l10n.t('Click to stop it, or to see the requests')],
      spoken: ['Sideload', reached, ...waiting].join(', '),
      isWarning: false,
    });
  }

  async #menu(): Promise<void> {
    const choices = this.wiring.localhost.all.flatMap((bridged) => [
      { icon: 'debug-stop', label: l10n.t('Stop'), ...describe(bridged), bridged, isStop: true },
      { icon: 'list-flat', label: l10n.t('Show Requests'), ...describe(bridged), bridged, isStop: false },
    ]);
    const choice = await pick(choices, { placeHolder: l10n.t('Browsers that reach localhost on this computer') });
    if (choice?.isStop === true) this.#end(choice.bridged);
    else if (choice) await this.#show(choice.bridged);
  }

  #end(bridged: Bridged): void {
    const addresses = addressesText(bridged.bridge.ports);
    this.wiring.localhost.stop(bridged);
    showStatus(l10n.t('{0} no longer reaches {1}', browserLabel(bridged.browser), addresses));
  }

  /** For the browser of a row, else for all. */
  #stop(row: unknown): void {
    const { localhost } = this.wiring;
    const browser = itemOf(row, 'localhost');
    const bridge = browser && localhost.of(browser);
    for (const bridged of localhost.all) if (!browser || bridged.bridge === bridge) this.#end(bridged);
  }

  async #showOf(row: unknown): Promise<void> {
    const { localhost } = this.wiring;
    const browser = itemOf(row, 'localhost');
    const bridge = browser && localhost.of(browser);
    const bridged = localhost.all.find((one) => one.bridge === bridge) ?? (await this.#choose(localhost.all));
    if (bridged) await this.#show(bridged);
  }

  async #show({ key, browser }: Bridged): Promise<void> {
    const path = `/${l10n.t('localhost of {0}', browserLabel(browser).replaceAll('/', ' '))}`;
    const document = await workspace.openTextDocument(Uri.from({ scheme: LOCALHOST_SCHEME, path, query: key }));
    await window.showTextDocument(document, { preview: true });
  }

  async #choose(all: readonly Bridged[]): Promise<Bridged | undefined> {
    if (all.length < 2) return all[0];
    const choices = all.map((bridged) => ({ ...describe(bridged), label: browserLabel(bridged.browser), bridged }));
    return (await pick(choices, { placeHolder: l10n.t('Select the browser whose requests are shown') }))?.bridged;
  }

  #textOf(key: string): string {
    const bridged = this.wiring.localhost.all.find((one) => one.key === key);
    if (!bridged) return l10n.t('This browser no longer reaches localhost on this computer.');
    const { browser, bridge } = bridged;
    const head = { browser: browserLabel(browser), ports: addressesText(bridge.ports), ...bridge.requests.counts };
    return requestsText(head, bridge.requests.latest);
  }
}

function describe({ browser, bridge }: Bridged): { description: string; group: string } {
  const label = browserLabel(browser);
  return { description: `${label}: ${addressesText(bridge.ports)}`, group: label };
}

function portsOfAll(all: readonly Bridged[]): number[] {
  return [...new Set(all.flatMap(({ bridge }) => bridge.ports))].sort((a, b) => a - b);
}
