import { Disposable, workspace, type ExtensionContext } from 'vscode';
import { COMMANDS, type CommandId } from '../ids';
import { AgentTools } from './agents/agentTools';
import { createApi, type SideloadApi } from './agents/api';
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
import { addToFileList, followExtensionFolders } from './files/extensionFolders';
import { PushedFiles } from './files/pushedFiles';
import { watchErrors } from './console/errorWatch';
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
import { prepareAhead } from './push/aheadOfPush';
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
  /** Shows the errors of commands. */
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
    own: (disposable, ...others) => {
      owned.unshift(disposable, ...others);
      return disposable;
    },
  };
  const { own } = base;

  const service: ServiceWiring = { ...base, connection: own(new ServiceConnection(base)) };
  const inUse = (): string => service.connection.key;
  const targets = { target: new PushTarget(service), pins: new PushPins(service) };
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
  const lists = new ServiceLists({ ...service, ...known });
  const browsers: BrowserWiring = { ...service, ...known, lists };
  const folders: FolderWiring = { ...base, changes: own(new FileChanges()) };
  const diagnostics = new Diagnostics(folders);
  const problems: ProblemWiring = { ...folders, diagnostics, errors: own(new ErrorEntries(log, inUse)) };
  const shown = {
    ...browsers,
    presence: new Presence(browsers, problems.errors.reported),
    ...problems,
    statusBar: new StatusBar(browsers),
    history: new PushHistory({ ...browsers, ...problems }, inUse),
  };
  const wiring: PushWiring & ConsoleWiring = {
    ...shown,
    pusher: new Pusher(shown),
    console: own(new ConsoleOutput(log)),
  };

  const handlers: Record<CommandId, Handler> = {
    ...lists.handlers,
    ...new RecordViews(browsers).handlers,
    ...new ServiceCommands(wiring).handlers,
    ...browserHandlers(wiring),
    ...stateHandlers(wiring),
    ...localhostHandlers(wiring),
    ...new PushCommands(wiring).handlers,
    ...new RunCommands(wiring).handlers,
    ...new SurfaceCommands(wiring).handlers,
    ...new WorkerCommands(wiring).handlers,
    ...new HistoryView(wiring).handlers,
    ...new UpdateFeature(wiring).handlers,
    ...new ScrollCommands(wiring).handlers,
    ...new PushedFiles(wiring).handlers,
    ...own(new StorageFeature(wiring)).handlers,
    ...new ConsoleCommands(wiring).handlers,
    ...new DebugFeature(wiring).handlers,
    ...new LocalhostFeature(wiring).handlers,
    ...new McpProvider(wiring).handlers,
    ...new DoctorFeature(wiring).handlers,
    [COMMANDS.installBrowser]: installBrowser,
    [COMMANDS.addToFileList]: addToFileList,
    [COMMANDS.showLog]: () => {
      log.show();
    },
  };
  new AgentTools(wiring);
  new TaskFeature(wiring);
  new TestFeature(wiring);
  watchErrors(wiring);
  followExtensionFolders(wiring);
  new PushOnSave(wiring);
  prepareAhead(wiring);
  own(new Walkthrough(SOURCE));

  own(
    wiring.connection.onDidChange(() => failures.end('otherService')),
    workspace.onDidGrantWorkspaceTrust(() => failures.end('trust')),
    lists.browsers.onDidLoad(() => {
      if (lists.browsers.isLoaded) failures.end('answer');
    }),
    wiring.history.onDidEnd(({ outcome: { outcome } }) => {
      if (outcome.kind !== 'cancelled') failures.end('push');
      if (outcome.kind === 'running') failures.end('answer');
    }),
  );

  return {
    handlers,
    failures,
    refresh: () => lists.refresh(),
    api: createApi(wiring),
    dispose: () => {
      Disposable.from(...owned).dispose();
    },
  };
}
