import * as l10n from '@vscode/l10n';
import { sizeText } from '../../base/units';
import { ROWS } from '../../ids';
import type { Browser } from '../../service/model';
import { fact, type Fact, shownFacts, spokenFacts } from './facts';
import type { Node } from './nodes';

/** What a browser reaches on this computer, and what it has asked there since it does. */
export interface LocalhostUseOfBrowser {
  browser: Browser;
  ports: readonly number[];
  /** Those of the ports where nothing listens, as far as that was seen. */
  silent: readonly number[];
  requests: number;
  bytes: number;
}

/** The row below a browser that reaches servers on this computer. */
export function localhostNode(use: LocalhostUseOfBrowser): Node<Browser> {
  const { browser, ports, silent, requests, bytes } = use;
  const label = ports.map((port) => `localhost:${port}`).join(', ');
  const facts: Fact[] = [
    ...(silent.length > 0 ? [fact(waitingText(silent))] : []),
    fact(requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', requests)),
    fact(sizeText(bytes)),
  ];
  return {
    id: `${browser.id}/localhost`,
    label,
    description: shownFacts(facts),
    tooltip: [l10n.t('This browser reaches {0} on this computer', label), ...facts.map(({ spoken }) => spoken)].join(
      '\n',
    ),
    icon: silent.length > 0 ? 'debug-disconnect' : 'plug',
    spoken: spokenFacts(l10n.t('Reaches {0} on this computer', label), facts),
    contextValue: ROWS.localhost,
    item: browser,
  };
}

/** What is said while nothing listens at ports. */
export function waitingText(ports: readonly number[]): string {
  return l10n.t('waiting for {0}', ports.map((port) => `localhost:${port}`).join(', '));
}
