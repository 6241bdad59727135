import { Disposable, workspace, type ExtensionContext } from 'vscode';
import { COMMANDS, type CommandId } from '../ids';
import { AgentTools } from './agents/agentTools';
import { ApiFeature, type SideloadApi } from './agents/api';
import { McpProvider } from './agents/mcpProvider';
import { browserHandlers } from './browsers/browserHandlers';
import type { BrowserParts } from './browsers/browserWiring';
import { DevToolsHost } from './browsers/devToolsHost';
import { EngineHost } from './browsers/engineHost';
import { OwnBrowsers } from './browsers/ownBrowsers';
import { PushPins } from './targets/pins';
import { Presence } from './push/presence';
import { PushRecords } from './targets/pushRecords';
import { RecordViews } from './browsers/account/recordViews';
import { ServiceLists } from './browsers/serviceLists';
import { PushTarget } from './targets/target';
import type { Handler } from './commandRegistry';
import { ExtensionFolders } from './files/extensionFolders';
import { addToFileList } from './files/fileListSetting';
import { PushedFiles } from './files/pushedFiles';
import { ErrorWatch } from './console/errorWatch';
import { ConsoleCommands, type ConsoleParts } from './console/consoleCommands';
import { ConsoleOutput } from './console/consoleOutput';
import { DebugFeature } from './debugger/debugFeature';
import { Failures } from './failures';
import { FileChanges, type FolderParts } from './folder/fileChanges';
import { stateHandlers } from './inspect/stateFeature';
import { StorageFeature } from './storage/storageFeature';
import { SurfaceCommands } from './inspect/surfaceCommands';
import { WorkerCommands } from './inspect/workerCommands';
import type { Log } from './channelLog';
import type { Parts } from './wiring';
import { Diagnostics, SOURCE } from './problems/diagnostics';
import { ErrorEntries } from './problems/errorEntries';
import type { ProblemParts } from './problems/problemWiring';

import { AheadOfPush } from './push/aheadOfPush';
import { PushCommands } from './push/pushCommands';
import { Pusher } from './push/pusher';
import { HistoryView } from './push/historyView';
import { PushHistory } from './push/pushHistory';
import { PushOnSave } from './push/pushOnSave';
import type { PushParts } from './push/pushWiring';
import { RunCommands } from './push/runCommands';
import { StatusBar } from './push/statusBar';
import { ScrollCommands } from './screen/scrollCommands';
import { ServiceConnection, type ServiceParts } from './service/connection';
import { installBrowser } from './service/installBrowser';
import { ServiceCommands } from './service/serviceCommands';
import { TaskFeature } from './tasks/taskFeature';
import { TestFeature } from './testing/testFeature';
import { Walkthrough } from './walkthrough';

/** Sideload in one window. */
export interface Sideload extends Disposable {
  handlers: Record<CommandId, Handler>;
  /** Tells of commands that have failed. */
  failures: Failures;
  /** Loads all lists again. */
  refresh: () => Promise<void>;
  /** What other extensions get. */
  api: SideloadApi;
}

/**
 * Creates the parts of Sideload and the features that use them. Makes no request: the lists load when they become visible. A new
 * feature is one line: with commands among `handlers`, else below them.
 */
export function createSideload(context: ExtensionContext, log: Log): Sideload {
  const owned: Disposable[] = [];
  const failures = new Failures(log);
  owned.push(failures);
  const base: Parts = {
    context,
    log,
    failures,
    own: (part) => {
      owned.unshift(part);
      return part;
    },
  };
  const { own } = base;

  const service: ServiceParts = { ...base, connection: own(new ServiceConnection(base)) };
  const inUse = (): string => service.connection.key;
  const targets = { target: own(new PushTarget(service)), pins: own(new PushPins(service)) };
  const devTools = own(new DevToolsHost(service));
  const known = {
    ...targets,
    records: own(new PushRecords(inUse)),
    devTools,
    engines: own(new EngineHost({ ...service, devTools })),
    ownBrowsers: new OwnBrowsers(context.workspaceState, inUse),
  };
  const lists = own(new ServiceLists({ ...service, ...known }));
  const browsers: BrowserParts = { ...service, ...known, lists };
  const folders: FolderParts = { ...base, changes: own(new FileChanges()) };
  const diagnostics = own(new Diagnostics(folders));
  const problems: ProblemParts = { ...folders, diagnostics, errors: own(new ErrorEntries(log, inUse)) };
  const shown = {
    ...browsers,
    presence: own(new Presence(browsers)),
    ...problems,
    statusBar: own(new StatusBar(browsers)),
    history: own(new PushHistory({ ...browsers, ...problems }, inUse)),
  };
  const parts: PushParts & ConsoleParts = {
    ...shown,
    pusher: own(new Pusher(shown)),
    console: own(new ConsoleOutput(log)),
  };

  const handlers: Record<CommandId, Handler> = {
    ...lists.handlers,
    ...own(new RecordViews(browsers)).handlers,
    ...own(new ServiceCommands(parts)).handlers,
    ...browserHandlers(parts),
    ...stateHandlers(parts),
    ...new PushCommands(parts).handlers,
    ...new RunCommands(parts).handlers,
    ...new SurfaceCommands(parts).handlers,
    ...new WorkerCommands(parts).handlers,
    ...own(new HistoryView(parts)).handlers,
    ...own(new ScrollCommands(parts)).handlers,
    ...own(new PushedFiles(parts)).handlers,
    ...own(new StorageFeature(parts)).handlers,
    ...own(new ConsoleCommands(parts)).handlers,
    ...own(new DebugFeature(parts)).handlers,
    ...own(new McpProvider(parts)).handlers,
    [COMMANDS.installBrowser]: installBrowser,
    [COMMANDS.addToFileList]: addToFileList,
    [COMMANDS.showLog]: () => {
      log.show();
    },
  };
  own(new AgentTools(parts));
  own(new TaskFeature(parts));
  own(new TestFeature(parts));
  own(new ErrorWatch(parts));
  own(new ExtensionFolders(parts));
  own(new PushOnSave(parts));
  own(new AheadOfPush(parts));
  own(new Walkthrough(SOURCE));

  own(
    Disposable.from(
      parts.connection.onDidChange(() => {
        failures.end('otherService');
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        failures.end('trust');
      }),
      lists.browsers.onDidLoad(() => {
        if (lists.browsers.isLoaded) failures.end('answer');
      }),
      parts.history.onDidEnd(({ end: { end } }) => {
        if (end.outcome !== 'cancelled') failures.end('push');
        if (end.outcome === 'running') failures.end('answer');
      }),
    ),
  );

  return {
    handlers,
    failures,
    refresh: () => lists.refresh(),
    api: own(new ApiFeature(parts)).api,
    dispose: () => {
      Disposable.from(...owned).dispose();
    },
  };
}
