import * as l10n from '@vscode/l10n';
import {
  allowOnSite,
  configure,
  freshInstall as install,
  readState,
  wouldGainFiles,
  type StateChange,
} from '../../devtools/extensions/extensionState';
import type { ApiHostAccess } from '../../devtools/inPage/chromeApi';
import type { ExtensionState } from '../../devtools/inPage/extensionsPageCalls';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { LoadRefusedError } from '../../devtools/protocol/loadRefused';
import type { BrowserLink } from '../../devtools/connection/link';
import { durationText } from '../../base/units';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLink, withLinkOrGone } from '../browsers/readContents';
import { withBrowser } from '../browsers/gone';
import { UserError } from '../errorTexts';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { confirm, askText, offer, pick, showInformation, showStatus, withProgress } from '../notify';
import { chromiumText } from '../browsers/chromiumText';

/** A setting that is on or off. */
export type SwitchName = 'incognito' | 'fileAccess' | 'pinned';

const CHANGE_OF: Record<SwitchName, (isOn: boolean) => StateChange> = {
  incognito: (isOn) => ({ incognitoAccess: isOn }),
  fileAccess: (isOn) => ({ fileAccess: isOn }),
  pinned: (isOn) => ({ pinnedToToolbar: isOn }),
};

/** Shows a setting with its present value, and changes it to what the user picks. */
export async function switchState(wiring: BrowserWiring, chosen: BrowserExtension, name: SwitchName): Promise<void> {
  const { extension } = chosen;
  const present = (await stateOf(wiring, chosen))?.[name];
  if (!present) return;
  const { title, on, off, impossible } = switchTexts(name, extension.name);
  if (!present.isPossible) throw new UserError(impossible);
  const choices = [
    { label: on, isOn: true },
    { label: off, isOn: false },
  ].map((choice) => ({ ...choice, ...markOf(choice.isOn === present.isOn) }));
  const choice = await pick(choices, { placeHolder: title });
  if (!choice || choice.isOn === present.isOn) return;
  await change(wiring, chosen, name, choice);
}

/** @throws UserError when Chromium keeps the former value */
async function change(
  wiring: BrowserWiring,
  chosen: BrowserExtension,
  name: SwitchName,
  { isOn, label }: { isOn: boolean; label: string },
): Promise<void> {
  const { browser, extension } = chosen;
  const now = await withState(wiring, chosen, async (link) => {
    await configure(link, extension.id, CHANGE_OF[name](isOn));
  });
  if (!now) return;
  if (now[name].isOn !== isOn) {
    throw new UserError(l10n.t('Chromium has not changed it. Try it on chrome://extensions in the browser.'));
  }
  wiring.log.info(`${extension.name} in ${browserLabel(browser)}: ${label}`);
  showStatus(`${extension.name}: ${label}`);
}

function switchTexts(name: SwitchName, extension: string): Record<'title' | 'on' | 'off' | 'impossible', string> {
  const reloads = l10n.t('Changing this reloads {0} and closes its pages', extension);
  return {
    incognito: {
      title: reloads,
      on: l10n.t('Allowed in incognito windows'),
      off: l10n.t('Not allowed in incognito windows'),
      impossible: l10n.t(
        '{0} cannot run in incognito windows, because of a policy or of "incognito" in its manifest. Remove that and push again.',
        extension,
      ),
    },
    fileAccess: {
      title: reloads,
      on: l10n.t('Allowed on file URLs'),
      off: l10n.t('Not allowed on file URLs'),
      impossible: l10n.t(
        '{0} asks for no access to file URLs. Add a pattern such as file:///* to its manifest and push again.',
        extension,
      ),
    },
    pinned: {
      title: l10n.t('Whether the toolbar shows the icon of {0}', extension),
      on: l10n.t('Pinned to the toolbar'),
      off: l10n.t('Not pinned to the toolbar'),
      impossible: l10n.t(
        '{0} has no icon in the toolbar of this browser. If it is disabled, push it again.',
        extension,
      ),
    },
  }[name];
}

/** Asks on which of the sites that it asks for an extension may run, showing where it may now. */
export async function chooseHostAccess(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const state = await stateOf(wiring, chosen);
  if (!state) return;
  const { hosts } = state;
  if (!hosts) {
    throw new UserError(
      l10n.t(
        '{0} asks for no access to sites. List them under "host_permissions" in its manifest and push again.',
        extension.name,
      ),
    );
  }
  const granted = hosts.granted.join(', ');
  const choices: { label: string; access: ApiHostAccess; description?: string }[] = [
    { label: l10n.t('On click'), access: 'ON_CLICK' },
    { label: l10n.t('On all sites that it asks for'), access: 'ON_ALL_SITES' },
    { label: l10n.t('On one site more…'), access: 'ON_SPECIFIC_SITES', description: l10n.t('only on {0}', granted) },
  ];
  const marked = choices.map(({ description, ...choice }) => {
    const mark = markOf(choice.access === hosts.access).description;
    const shown = choice.access === hosts.access ? [mark, description] : [mark];
    return { ...choice, description: shown.filter((text) => text !== undefined && text !== '').join(', ') };
  });
  const choice = await pick(marked, { placeHolder: l10n.t('Where may {0} run?', extension.name) });
  if (!choice) return;
  const site = choice.access === 'ON_SPECIFIC_SITES' ? await askSite(hosts.asked) : '';
  if (site === undefined) return;
  const now = await withState(wiring, chosen, async (link) => {
    if (site === '') return await configure(link, extension.id, { hostAccess: choice.access });
    try {
      return await allowOnSite(link, extension.id, site);
    } catch (error) {
      throw new UserError(
        l10n.t(
          'Chromium refused {0} ({1}). Enter another pattern, such as https://example.com/*',
          site,
          chromiumText(error),
        ),
      );
    }
  });
  if (!now) return;
  const text = site === '' ? choice.label : l10n.t('only on {0}', now.hosts?.granted.join(', ') ?? '');
  wiring.log.info(`Host access of ${extension.name} in ${browserLabel(browser)}: ${text}`);
  showStatus(`${extension.name}: ${text}`);
}

function askSite(asked: readonly string[]): Promise<string | undefined> {
  return askText({
    title: l10n.t('Host Access'),
    prompt: l10n.t('Match pattern of the site, such as https://example.com/*'),
    value: asked.find((pattern) => !pattern.includes('://*/') && pattern !== '<all_urls>') ?? '',
    problemOf: (text) =>
      /^(?:\*|https?|file|ftp):\/\/[^/]*\/.*$/.test(text)
        ? undefined
        : l10n.t('A match pattern has a scheme, a host and a path, such as https://example.com/*'),
  });
}

/**
 * Uninstalls an extension and loads it again, after a confirmation, so that `onInstalled` says `install`. Where it gets access to files by that,
 * the confirmation says so, and the person can take the access away afterwards.
 */
export async function freshInstall(wiring: BrowserWiring, chosen: BrowserExtension): Promise<void> {
  const { browser, extension } = chosen;
  const gainsFiles = wouldGainFiles(await stateOf(wiring, chosen));
  if (!(await confirmFreshInstall(chosen, gainsFiles))) return;
  const started = performance.now();
  const now = await wiring.records.during([browser.id], () =>
    withBrowser(wiring, browser, () =>
      withProgress(l10n.t('Installing {0} afresh in {1}', extension.name, browserLabel(browser)), async (signal) => {
        const [service, engine] = await Promise.all([wiring.connection.client(), wiring.engines.load()]);
        // A push would meet the moment in which it is not there.
        const act = (): Promise<LoadedExtension> => installAfresh(wiring, chosen, gainsFiles, signal);
        const installing = engine.between(service, browser, act, signal);
        return await installing.catch((error: unknown) => {
          // Only the waits for pushes before it, and for its worker, can be cancelled.
          if (error === signal.reason) return undefined;
          throw error;
        });
      }),
    ),
  );
  void wiring.lists.browsers.refreshChildren(browser.id);
  if (!now) return;
  const took = durationText(performance.now() - started);
  wiring.log.info(`Installed ${now.name} ${now.version} afresh in ${browserLabel(browser)} in ${took}`);
  const text = l10n.t('{0} was installed afresh in {1} ({2}).', now.name, browserLabel(browser), took);
  if (gainsFiles) await offerToTakeFiles(wiring, { browser, extension: now }, text);
  else showInformation(text);
}

async function confirmFreshInstall({ browser, extension }: BrowserExtension, gainsFiles: boolean): Promise<boolean> {
  const button = gainsFiles ? l10n.t('Install Afresh with File Access') : l10n.t('Install Afresh');
  const details = [
    l10n.t('It is uninstalled and loaded again. What it has stored in this browser is lost, and its pages are closed.'),
  ];
  if (gainsFiles) {
    details.push(
      l10n.t(
        'It is not allowed on file URLs now, and will be: Chromium allows that to every extension that is new to it.',
      ),
    );
  }
  const question = l10n.t('Install {0} afresh in {1}?', extension.name, browserLabel(browser));
  return await confirm(question, details, button);
}

/** @throws UserError when it does not run afterwards */
async function installAfresh(
  wiring: BrowserWiring,
  { browser, extension }: BrowserExtension,
  mayGainFiles: boolean,
  signal: AbortSignal,
): Promise<LoadedExtension> {
  const { extension: now, worker } = await withLink(wiring, browser, (link) =>
    install(link, extension, signal, { mayGainFiles }),
  ).catch((error: unknown) => {
    if (!(error instanceof LoadRefusedError)) throw error;
    throw new UserError(
      l10n.t(
        '{0} was uninstalled, but Chromium does not load it again: {1} Push it again.',
        extension.name,
        error.chromium,
      ),
    );
  });
  if (!now.enabled) {
    throw new UserError(l10n.t('{0} is disabled in {1}. Push it again.', now.name, browserLabel(browser)));
  }
  // A debugger pauses a worker that has started.
  if (worker && worker.state !== 'running' && worker.state !== 'paused') {
    throw new UserError(
      l10n.t(
        '{0} was installed afresh, but its service worker failed to start. The Problems panel shows the errors of pushed extensions.',
        now.name,
      ),
    );
  }
  return now;
}

/** Says what was done, with a button that takes away the access to files which it gave. */
async function offerToTakeFiles(wiring: BrowserWiring, chosen: BrowserExtension, done: string): Promise<void> {
  const take = l10n.t('Take File Access Away');
  const answer = await offer(`${done} ${l10n.t('It is allowed on file URLs now.')}`, take);
  if (answer === take)
    await change(wiring, chosen, 'fileAccess', { isOn: false, label: l10n.t('Not allowed on file URLs') });
}

async function stateOf(wiring: BrowserWiring, chosen: BrowserExtension): Promise<ExtensionState | undefined> {
  return await withState(wiring, chosen, () => Promise.resolve());
}

/** Runs `act`, and resolves to the state after it; to undefined when the browser no longer exists. @throws UserError */
async function withState(
  wiring: BrowserWiring,
  { browser, extension }: BrowserExtension,
  act: (link: BrowserLink) => Promise<void>,
): Promise<ExtensionState | undefined> {
  return await withLinkOrGone(wiring, browser, async (link) => {
    await act(link);
    const state = await readState(link, extension.id).catch((error: unknown) => {
      throw new UserError(
        l10n.t('Chromium does not report the state of {0} ({1}). Push it again.', extension.name, chromiumText(error)),
      );
    });
    if (!state) {
      throw new UserError(
        l10n.t(
          'This browser does not let its extensions be managed. Use another browser, or one without such a policy.',
        ),
      );
    }
    return state;
  });
}

function markOf(isPresent: boolean): { description?: string } {
  return isPresent ? { description: l10n.t('now') } : {};
}
