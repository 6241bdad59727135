import { isDeepStrictEqual } from 'node:util';
import { Uri, workspace } from 'vscode';
import { only } from '../../base/only';
import { browserKey, type BrowserKey } from '../../service/browserKey';
import type { ToolWindow } from '../../agents/tool';
import type { OtherPrograms, PastDelivery } from '../../push/turns/otherPrograms';
import { localDefaults } from '../browsers/creating/startBrowser';
import { UserError } from '../errorTexts';
import { knownExtensions } from '../folder/extensionFolder';
import { publishedFor } from '../folder/publishedVersion';
import type { PushWiring } from '../push/pushWiring';
import { readAgentConfirmation, readFolderSettings } from '../settings';
import type { Consent } from './consent';
import { rootsOnDisk } from '../folder/foldersOnDisk';

/**
 * This window as tools for agents see it: with its service, its browsers, and the pushes that the user sees, too.
 * `consent`: what the person has allowed agents; without it, whoever calls has no limits. `origin`: who pushes.
 */
export function editorWindow(
  wiring: PushWiring,
  { consent, origin = 'agent' }: { consent?: Consent; origin?: 'agent' | 'test' } = {},
): ToolWindow {
  const { connection, devTools, context, pins, target, pusher, ownBrowsers, lists, records, engines, errors } = wiring;
  /** The ids of the browsers that pushes of the user go to. */
  const chosenIds = (): readonly string[] => {
    if (!pins.isEmpty) return pins.browsers.map(({ browserId }) => browserId);
    return target.browserId === undefined ? [] : [target.browserId];
  };
  /** The browser that a tool has started last, the service that it is one of, and what the user had chosen by then. */
  let created: { id: string; service: string; chosen: readonly string[] } | undefined;
  const deliveriesTo = async (
    browserId: string,
    read: (others: OtherPrograms, key: BrowserKey) => Promise<readonly PastDelivery[]>,
  ): Promise<readonly PastDelivery[]> => {
    const client = await connection.client().catch(() => undefined);
    return client ? await read(await engines.otherPrograms(), browserKey(client.baseUrl, browserId)) : [];
  };
  return {
    get roots() {
      return rootsOnDisk();
    },
    get isLocal() {
      return connection.isLocal;
    },
    client: () => connection.client(),
    connections: () => devTools.ofService(),
    settingsOf: (folder) => readFolderSettings(Uri.file(folder)),
    publishedFor,
    /** The folder of each workspace folder that a push takes without a question. */
    chosenFolders: async () => (await knownExtensions(context.workspaceState)).map(({ path }) => path),
    chosenBrowsers: (runs = () => true) => {
      const chosen = chosenIds();
      const isLatest = created?.service === connection.key && isDeepStrictEqual(created.chosen, chosen);
      return created && isLatest && runs(created.id) ? [created.id] : chosen;
    },
    isAllowed: (browserId) => !consent || readAgentConfirmation() === 'never' || consent.isAllowed(browserId),
    maySeeAllPages: (browserId) => consent?.maySeeAllPages(browserId) ?? true,
    /** @throws UserError in a workspace that is not trusted */
    push: async (folder, browser, { mustReload }, signal) => {
      const workspaceFolder = workspace.getWorkspaceFolder(Uri.file(folder));
      if (!workspaceFolder) throw new UserError(`${folder} is outside of the workspace.`);
      const extension = { workspaceFolder, path: folder };
      return only(await pusher.pushFor(origin, extension, browser, { mustReload }, signal));
    },
    browserDefaults: localDefaults,
    onCreated: async (browser) => {
      created = { id: browser.id, service: connection.key, chosen: chosenIds() };
      await ownBrowsers.remember('started', browser.id);
      await lists.browsers.refresh();
    },
    build: (browserId) => records.build(browserId),
    builds: (browserId) => errors.reported.buildsIn(browserId),
    deliveries: (browserId) => deliveriesTo(browserId, (others, key) => others.deliveries(key)),
    settledDeliveries: (browserId, signal) =>
      deliveriesTo(browserId, (others, key) => others.settledDeliveries(key, signal)),
    errors: ({ id }, extensionId) => errors.reported.errorsOf(id, extensionId),
  };
}
