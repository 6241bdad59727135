import { isAbsolute } from 'node:path';
import { EventEmitter, type Event } from 'vscode';
import type { BrowserOutcome } from '../../push/pushRun';
import type { Browser } from '../../service/model';
import { outcomeSentence } from '../push/outcomeSentence';
import type { PushWiring } from '../push/pushWiring';
import { editorWindow } from './editorWindow';

/** A running browser. */
export interface ApiBrowser {
  id: string;
  /** Its id where it has no name. */
  name: string;
  /** Absent where the service does not say it. */
  headless?: boolean;
}

/** How a push to one browser ended. */
export interface ApiPush {
  browser: ApiBrowser;
  /** The extension folder, absolute. */
  folder: string;
  /** Whether the browser was verified to run this build. */
  isRunning: boolean;
  /** The kind of the end, such as `running`, `refusedByCheck`, `refusedByBrowser`, `workerFailed` or `failed`; more may be added. */
  outcome: string;
  /** The end as a sentence in the language of the editor. */
  text: string;
  extensionId?: string;
  version?: string;
}

/**
 * What `activate` of Sideload returns to other extensions: `extensions.getExtension('sideload.sideload')`. A change that breaks callers
 * has another `version`.
 */
export interface SideloadApi {
  readonly version: 1;
  /** The running browsers of the service in use. Rejects when the service cannot be reached. */
  browsers: () => Promise<readonly ApiBrowser[]>;
  /**
   * Pushes an extension folder of the workspace, absolute, to a browser by id or name, after the pushes before it. Resolves to how it
   * ended; rejects when it could not begin: there is no such browser, the folder is outside of the workspace, or that is not trusted.
   */
  push: (folder: string, browser: string) => Promise<ApiPush>;
  /** Fires after each push of this window, also after those by the user and by agents. */
  readonly onDidPush: Event<ApiPush>;
}

/** The API of one window. */
export function createApi(wiring: PushWiring): SideloadApi {
  const window = editorWindow(wiring);
  const { signal } = new AbortController();
  const pushed = new EventEmitter<ApiPush>();
  wiring.own(
    pushed,
    wiring.history.onDidEnd(({ folder, outcome }) => pushed.fire(apiPush(folder, outcome))),
  );
  return {
    version: 1,
    browsers: async () => {
      const { runningBrowsers } = await import('../../agents/namedBrowsers');
      return (await runningBrowsers(window, signal)).map(apiBrowser);
    },
    push: async (folder, nameOrId) => {
      requireTexts(folder, nameOrId);
      const { findBrowser } = await import('../../agents/namedBrowsers');
      const { findFolder } = await import('../../agents/folders');
      const found = await findFolder(window, folder);
      const browser = await findBrowser(window, nameOrId, signal);
      return apiPush(found.folder, await window.push(found.folder, browser, { mustReload: false }, signal));
    },
    onDidPush: pushed.event,
  };
}

/** Refuses what callers without types may give. @throws TypeError */
function requireTexts(folder: unknown, browser: unknown): void {
  if (typeof folder !== 'string' || !isAbsolute(folder)) {
    throw new TypeError('push(folder, browser): folder must be the absolute path of a folder, as text.');
  }
  if (typeof browser !== 'string' || browser === '') {
    throw new TypeError('push(folder, browser): browser must be the name or the id of a running browser.');
  }
}

/** Without what is a credential. */
function apiBrowser({ id, name, headless }: Browser): ApiBrowser {
  return { id, name: name ?? id, ...(headless !== undefined && { headless }) };
}

function apiPush(folder: string, { browser, outcome, archive }: BrowserOutcome): ApiPush {
  const described = apiBrowser(browser);
  return {
    browser: described,
    folder,
    isRunning: outcome.kind === 'running',
    outcome: outcome.kind,
    text: outcomeSentence(outcome, described.name),
    ...('extensionId' in outcome && { extensionId: outcome.extensionId }),
    ...(archive && { version: archive.version }),
  };
}
