import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import { newFolder } from '../../bridge/socketMessages';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { askModal } from '../notify';

const ALLOWED_KEY = 'localhost.allowed';
const FOLDER_KEY = 'localhost.folder';

/** So many permissions are kept; older ones are for browsers that have ended long ago. */
const MAX_KEPT = 500;

/** The browsers that Sideload has started in this workspace. */
export interface StartedBrowsers {
  wasStarted(browserId: string, service: string): boolean;
}

/** What a person is asked about. */
export interface LocalhostQuestion {
  /** Identifies the service of the browsers: the ids of another one may be the same. */
  service: string;
  browsers: readonly Browser[];
  ports: readonly number[];
  /** Why it is asked, as a sentence. */
  reason: string;
}

/**
 * What the person has allowed in this workspace: which ports of this computer the browsers reach that Sideload has started, and which those that
 * somebody else has started, or that come from a pool. It is kept in the state of the workspace, and not in settings, which a repository may
 * bring.
 */
export class LocalhostConsent {
  constructor(
    private readonly memory: Memento,
    private readonly own: StartedBrowsers,
  ) {}

  /** Those of the ports that each of the browsers may reach. */
  allowed({ service, browsers, ports }: Omit<LocalhostQuestion, 'reason'>): number[] {
    const kept = new Set(this.#kept);
    return ports.filter((port) => browsers.every((browser) => kept.has(this.#keyOf(service, browser, port))));
  }

  /** Asks whether browsers may reach ports; true when they may. */
  async ask({ service, browsers, ports, reason }: LocalhostQuestion): Promise<boolean> {
    const allow = l10n.t('Allow');
    const addresses = addressesText(ports);
    const names = browsers.map(browserLabel).join(', ');
    const choice = await askModal(
      l10n.t('Let the browser {0} reach {1} on this computer?', names, addresses),
      [
        reason,
        l10n.t(
          'Sideload answers its requests over DevTools: those of the extension, and of pages of {0}. Any page there can open an address of {0} in a tab, as a link does.',
          addresses,
        ),
        l10n.t('It ends with this window, or by Stop in the status bar. Until then the browser stays awake.'),
      ],
      allow,
    );
    if (choice !== allow) return false;
    const keys = browsers.flatMap((browser) => ports.map((port) => this.#keyOf(service, browser, port)));
    await this.memory.update(ALLOWED_KEY, [...new Set([...keys, ...this.#kept])].slice(0, MAX_KEPT));
    return true;
  }

  /** The folder of the requests that carry websockets: the same for all builds of the workspace, so that they go on after a restart of the window. */
  async folder(): Promise<string> {
    const known = this.memory.get<string>(FOLDER_KEY);
    if (known !== undefined) return known;
    const folder = newFolder();
    await this.memory.update(FOLDER_KEY, folder);
    return folder;
  }

  get #kept(): readonly string[] {
    return this.memory.get<readonly string[]>(ALLOWED_KEY, []);
  }

  #keyOf(service: string, { id, pool }: Browser, port: number): string {
    const who = this.own.wasStarted(id, service) && !pool ? 'own' : `browser ${id}`;
    return [service, who, port].join('\n');
  }
}

/** Ports as addresses, such as `localhost:5173, localhost:8080`. */
export function addressesText(ports: readonly number[]): string {
  return ports.map((port) => `localhost:${port}`).join(', ');
}
