import { commands, Disposable, workspace, type ExtensionContext } from 'vscode';
import { COMMANDS, CONTEXT, VIEWS, type CommandId } from '../ids';
import type { BrowserSession, Profile, StoredExtension } from '../service/model';
import { AheadOfPush } from './push/aheadOfPush';
import { BrowserCommands } from './browsers/browserCommands';
import type { Handler } from './commands';
import { ServiceConnection } from './service/connection';
import { Diagnostics } from './problems/diagnostics';
import { FileChanges } from './folder/fileChanges';
import { ListView } from './lists/listView';
import type { Log } from './log';
import { browserNode, extensionNode, profileNode, type PushRole } from './lists/nodes';
import { PushPins } from './browsers/pins';
import { ProfileCommands } from './browsers/profileCommands';
import { PushCommands } from './push/pushCommands';
import { Pusher } from './push/pusher';
import { PushOnSave } from './push/pushOnSave';
import { ScrollCommands } from './scroll/scrollCommands';
import { ServiceCommands } from './service/serviceCommands';
import { StatusBar } from './push/statusBar';
import { PushTarget } from './browsers/target';
import { TokenStore } from './service/tokens';
import { WorkerFaults } from './problems/workerFaults';

/** The parts of Sideload in one window, and what each command does with them. */
export interface Sideload extends Disposable {
  handlers: Record<CommandId, Handler>;
  /** Loads all lists anew. */
  refresh: () => Promise<void>;
}

/** Puts the parts together. Makes no request: the lists load when they are seen. */
export function createSideload(context: ExtensionContext, log: Log): Sideload {
  const connection = new ServiceConnection(context, new TokenStore(context.secrets), log);
  const target = new PushTarget(context.workspaceState);
  const pins = new PushPins(context.workspaceState);
  const changes = new FileChanges();
  const diagnostics = new Diagnostics(changes, log);
  const faults = new WorkerFaults();
  const statusBar = new StatusBar();

  const browserList = new ListView<BrowserSession>({
    id: VIEWS.browsers,
    connection,
    log,
    load: (client, signal) => client.listBrowsers({}, signal),
    node: (session) => browserNode(session, roleOf(session, pins, target), Date.now()),
    onReached: (isReached) => void showReach(connection, isReached),
  });
  const profileList = new ListView<Profile>({
    id: VIEWS.profiles,
    connection,
    log,
    load: (client, signal) => client.listProfiles({}, signal),
    node: (profile) => profileNode(profile, Date.now()),
  });
  const extensionList = new ListView<StoredExtension>({
    id: VIEWS.extensions,
    connection,
    log,
    load: (client, signal) => client.listExtensions({}, signal),
    node: (extension) => extensionNode(extension, Date.now()),
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([browserList.refresh(), profileList.refresh(), extensionList.refresh()]);
  };

  const pusher = new Pusher({
    connection,
    changes,
    diagnostics,
    faults,
    statusBar,
    target,
    log,
    workspaceMemory: context.workspaceState,
    globalMemory: context.globalState,
    onBrowserGone: () => void browserList.refresh(),
  });
  const browsers = new BrowserCommands({ connection, target, pins, log, refresh: () => browserList.refresh() });
  const profiles = new ProfileCommands({
    connection,
    log,
    refreshProfiles: () => profileList.refresh(),
    refreshExtensions: () => extensionList.refresh(),
  });
  const services = new ServiceCommands(connection, log);
  const pushes = new PushCommands({ connection, browsers, target, pins, pusher, log });
  const scroll = new ScrollCommands({ connection, target, log, extensionUri: context.extensionUri });
  const pushOnSave = new PushOnSave({
    connection,
    changes,
    target,
    pins,
    pusher,
    statusBar,
    log,
    memory: context.workspaceState,
  });

  const ahead = new AheadOfPush({ target, pins, pusher, diagnostics, memory: context.workspaceState, log });

  const handlers: Record<CommandId, Handler> = {
    [COMMANDS.push]: (row) => pushes.push(row),
    [COMMANDS.pushTo]: () => pushes.pushTo(),
    [COMMANDS.setTarget]: (row) => pushes.setTarget(row),
    [COMMANDS.pushToSeveral]: () => pushes.pushToSeveral(),
    [COMMANDS.pinBrowser]: (row) => pushes.pin(row),
    [COMMANDS.unpinBrowser]: (row) => pushes.unpin(row),
    [COMMANDS.createBrowser]: async () => {
      await browsers.create();
    },
    [COMMANDS.deleteBrowser]: (row) => browsers.delete(row),
    [COMMANDS.createProfile]: () => profiles.createProfile(),
    [COMMANDS.showProfile]: (row) => profiles.showProfile(row),
    [COMMANDS.deleteProfile]: (row) => profiles.deleteProfile(row),
    [COMMANDS.deleteExtension]: (row) => profiles.deleteExtension(row),
    [COMMANDS.refresh]: refresh,
    [COMMANDS.chooseService]: () => services.choose(),
    [COMMANDS.setToken]: () => services.setToken(),
    [COMMANDS.clearToken]: () => services.clearToken(),
    [COMMANDS.openScroll]: (row) => scroll.open(row),
    [COMMANDS.scrollUp]: () => scroll.turn(0, -1),
    [COMMANDS.scrollDown]: () => scroll.turn(0, 1),
    [COMMANDS.scrollLeft]: () => scroll.turn(-1, 0),
    [COMMANDS.scrollRight]: () => scroll.turn(1, 0),
    [COMMANDS.togglePushOnSave]: () => pushes.togglePushOnSave(),
    [COMMANDS.showLog]: () => {
      log.show();
    },
  };

  const showFolders = (): void => {
    const hasFolder = (workspace.workspaceFolders?.length ?? 0) > 0;
    statusBar.visible = hasFolder;
    void commands.executeCommand('setContext', CONTEXT.hasWorkspace, hasFolder);
  };
  showFolders();
  void showReach(connection, true);

  const parts = Disposable.from(
    workspace.onDidChangeWorkspaceFolders(showFolders),
    target.onDidChange(() => {
      browserList.redraw();
    }),
    pins.onDidChange(() => {
      browserList.redraw();
    }),
    connection.onDidChange(() => void showReach(connection, true)),
    ahead,
    pushOnSave,
    pusher,
    scroll,
    browserList,
    profileList,
    extensionList,
    statusBar,
    diagnostics,
    faults,
    pins,
    target,
    connection,
    changes,
  );
  return {
    handlers,
    refresh,
    dispose: () => {
      parts.dispose();
    },
  };
}

/** The single target counts for nothing while there are pins. */
function roleOf({ session_id }: BrowserSession, pins: PushPins, target: PushTarget): PushRole {
  if (pins.has(session_id)) return 'pinned';
  return pins.isEmpty && target.sessionId === session_id ? 'target' : 'none';
}

/** Sets which of the empty views' texts is shown. */
async function showReach(connection: ServiceConnection, isReached: boolean): Promise<void> {
  const needsToken = await connection.needsToken().catch(() => true);
  await commands.executeCommand('setContext', CONTEXT.needsToken, needsToken);
  await commands.executeCommand('setContext', CONTEXT.unreachable, !isReached && !needsToken);
}
