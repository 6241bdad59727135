import { Disposable, workspace, type ExtensionContext } from 'vscode';
import { COMMANDS, type CommandId } from '../ids';
import { AgentTools } from './agents/agentTools';
import { ApiFeature, type SideloadApi } from './agents/api';
import { McpProvider } from './agents/mcpProvider';
import { browserHandlers } from './browsers/browserHandlers';
import type { BrowserWiring } from './browsers/browserWiring';
import { DevToolsHost } from './browsers/devToolsHost';
import { EngineHost } from './browsers/engineHost';
import { OwnBrowsers } from './browsers/ownBrowsers';
import { LocalhostFeature } from './localhost/localhostFeature';
import { LocalhostHost } from './localhost/localhostHost';
import { PushPins } from './targets/pins';
import { Presence } from './push/presence';
import { PushRecords } from '../push/known/pushRecords';
import { RecordViews } from './browsers/account/recordViews';
import { ServiceLists } from './browsers/serviceLists';
import { PushTarget } from './targets/target';
import type { Handler } from './commandRegistry';
import { ExtensionFolders, addToFileList } from './files/extensionFolders';
import { PushedFiles } from './files/pushedFiles';
import { ErrorWatch } from './console/errorWatch';
import { ConsoleCommands, type ConsoleWiring } from './console/consoleCommands';
import { ConsoleOutput } from './console/consoleOutput';
import { DebugFeature } from './debugger/debugFeature';
import { DoctorFeature } from './doctor/doctorFeature';
import { Failures } from './failures';
import { FileChanges, type FolderWiring } from './folder/fileChanges';
import { localhostHandlers } from './inspect/openLocalhost';
import { stateHandlers } from './inspect/stateFeature';
import { StorageFeature } from './storage/storageFeature';
import { SurfaceCommands } from './inspect/surfaceCommands';
import { WorkerCommands } from './inspect/workerCommands';
import type { Log } from './channelLog';
import type { Wiring } from './wiring';
import { Diagnostics, SOURCE } from './problems/diagnostics';
import { ErrorEntries } from './problems/errorEntries';
import type { ProblemWiring } from './problems/problemWiring';
import { AheadOfPush } from './push/aheadOfPush';
import { PushCommands } from './push/pushCommands';
import { Pusher } from './push/pusher';
import { HistoryView } from './push/historyView';
import { PushHistory } from './push/pushHistory';
import { PushOnSave } from './push/pushOnSave';
import type { PushWiring } from './push/pushWiring';
import { RunCommands } from './push/runCommands';
import { StatusBar } from './push/statusBar';
import { UpdateFeature } from './publish/updateFeature';
import { ScrollCommands } from './screen/scrollCommands';
import { ServiceConnection, type ServiceWiring } from './service/connection';
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
 * Creates the wiring of a window and the features that use it. Makes no request: the lists load when they become visible. A new
 * feature is one line: with commands among `handlers`, else below them.
 */
export function createSideload(context: ExtensionContext, log: Log): Sideload {
  const owned: Disposable[] = [];
  const failures = new Failures(log);
  owned.push(failures);
  const base: Wiring = {
    context,
    log,
    failures,
    own: (disposable) => {
      owned.unshift(disposable);
      return disposable;
    },
  };
  const { own } = base;

  const service: ServiceWiring = { ...base, connection: own(new ServiceConnection(base)) };
  const inUse = (): string => service.connection.key;
  const targets = { target: own(new PushTarget(service)), pins: own(new PushPins(service)) };
  const devTools = own(new DevToolsHost(service));
  const remembered = {
    records: new PushRecords(inUse),
    ownBrowsers: new OwnBrowsers(context.workspaceState, inUse),
  };
  const known = {
    ...targets,
    ...remembered,
    devTools,
    engines: own(new EngineHost({ ...service, ...remembered, devTools })),
    localhost: own(new LocalhostHost({ ...service, ...remembered, devTools })),
  };
  const lists = own(new ServiceLists({ ...service, ...known }));
  const browsers: BrowserWiring = { ...service, ...known, lists };
  const folders: FolderWiring = { ...base, changes: own(new FileChanges()) };
  const diagnostics = own(new Diagnostics(folders));
  const problems: ProblemWiring = { ...folders, diagnostics, errors: own(new ErrorEntries(log, inUse)) };
  const shown = {
    ...browsers,
    presence: own(new Presence(browsers)),
    ...problems,
    statusBar: own(new StatusBar(browsers)),
    history: own(new PushHistory({ ...browsers, ...problems }, inUse)),
  };
  const wiring: PushWiring & ConsoleWiring = {
    ...shown,
    pusher: own(new Pusher(shown)),
    console: own(new ConsoleOutput(log)),
  };

  const handlers: Record<CommandId, Handler> = {
    ...lists.handlers,
    ...own(new RecordViews(browsers)).handlers,
    ...own(new ServiceCommands(wiring)).handlers,
    ...browserHandlers(wiring),
    ...stateHandlers(wiring),
    ...localhostHandlers(wiring),
    ...new PushCommands(wiring).handlers,
    ...new RunCommands(wiring).handlers,
    ...new SurfaceCommands(wiring).handlers,
    ...new WorkerCommands(wiring).handlers,
    ...own(new HistoryView(wiring)).handlers,
    ...own(new UpdateFeature(wiring)).handlers,
    ...own(new ScrollCommands(wiring)).handlers,
    ...own(new PushedFiles(wiring)).handlers,
    ...own(new StorageFeature(wiring)).handlers,
    ...own(new ConsoleCommands(wiring)).handlers,
    ...own(new DebugFeature(wiring)).handlers,
    ...own(new LocalhostFeature(wiring)).handlers,
    ...own(new McpProvider(wiring)).handlers,
    ...own(new DoctorFeature(wiring)).handlers,
    [COMMANDS.installBrowser]: installBrowser,
    [COMMANDS.addToFileList]: addToFileList,
    [COMMANDS.showLog]: () => {
      log.show();
    },
  };
  own(new AgentTools(wiring));
  own(new TaskFeature(wiring));
  own(new TestFeature(wiring));
  own(new ErrorWatch(wiring));
  own(new ExtensionFolders(wiring));
  own(new PushOnSave(wiring));
  own(new AheadOfPush(wiring));
  own(new Walkthrough(SOURCE));

  own(
    Disposable.from(
      wiring.connection.onDidChange(() => {
        failures.end('otherService');
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        failures.end('trust');
      }),
      lists.browsers.onDidLoad(() => {
        if (lists.browsers.isLoaded) failures.end('answer');
      }),
      wiring.history.onDidEnd(({ outcome: { outcome } }) => {
        if (outcome.kind !== 'cancelled') failures.end('push');
        if (outcome.kind === 'running') failures.end('answer');
      }),
    ),
  );

  return {
    handlers,
    failures,
    refresh: () => lists.refresh(),
    api: own(new ApiFeature(wiring)).api,
    dispose: () => {
      Disposable.from(...owned).dispose();
    },
  };
}
