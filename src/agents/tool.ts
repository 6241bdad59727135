import type { BuildFolders } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import type { BrowserConnections } from '../devtools/connection/browserConnections';
import type { PastDelivery } from '../push/turns/otherPrograms';
import type { BrowserOutcome, PushSettings } from '../push/pushRun';
import type { BrowserService } from '../service/browserService';
import type { Browser, CreateBrowserRequest } from '../service/model';
import type { ToolName } from './toolNames';
import type { Input, ObjectSchema } from './valueSchema';

/** What a tool answers: a text whose first line is the verdict, and perhaps a picture. */
export interface ToolResult {
  /** What was asked for was not done, or the extension does not run: an agent must not take it for a success. */
  isError: boolean;
  text: string;
  /** A PNG. */
  image?: Uint8Array;
}

/** A tool for agents. Its texts are in English, because models read them. */
export interface Tool {
  name: ToolName;
  /** In a few words, for people. */
  title: string;
  /** What it does and when to use it, for models. */
  description: string;
  input: ObjectSchema;
  /** Whether it changes nothing but what is shown, adds something, or may replace, restart or remove something. */
  effect: 'none' | 'adds' | 'replaces';
  /**
   * What a call reaches: one browser, which the person has allowed; a new one; several, of which it looks into the allowed ones alone; or none.
   */
  reaches: 'browser' | 'newBrowser' | 'allowedBrowsers' | 'nothing';
  /** Whether it shows what is on screens or acts there, where any page may be open. */
  isOfScreen?: true;
  /** Whether it reaches pages of the web, or answers with texts of them and of extensions. */
  isOpenWorld: boolean;
  /** What a call will do, in one sentence, to be confirmed. */
  intent: (input: Input) => string;
  /** @throws ToolError, or an error of the service, the browser or the disk */
  run: (input: Input, window: ToolWindow, signal: AbortSignal) => Promise<ToolResult>;
}

/** Why a tool did nothing, and what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /** `advice`: the call that helps, as a sentence for agents alone; others read the message without it. */
  constructor(
    message: string,
    readonly advice = '',
  ) {
    super(message);
  }
}

/** What tools act on: the window of an editor, or a program without one. */
export interface ToolWindow {
  /** The folders that tools may read, absolute. */
  readonly roots: readonly string[];
  /** Whether the browsers run on this machine. */
  readonly isLocal: boolean;
  client: () => Promise<BrowserService>;
  /** The connections to browsers, which pushes use, too. */
  connections: () => Promise<BrowserConnections>;
  /** How a folder is packed and delivered. */
  settingsOf: (folder: string) => PushSettings;
  /** The manifest of the version of a folder's extension that people have, as an option of the check; absent where no setting names one. */
  publishedFor?: (folder: string) => Promise<{ publishedManifest?: string }>;
  /** The extension folders that were chosen before; empty to search for them. */
  chosenFolders: () => Promise<readonly string[]>;
  /**
   * The ids of the browsers that pushes go to without being named: one that a tool has started goes before those that were chosen before it, as
   * long as it `runs`, which it does by default.
   */
  chosenBrowsers: (runs?: (browserId: string) => boolean) => readonly string[];
  /** Pushes a folder, after the pushes before it to the same browser. Never rejects for what a push may end with. */
  push: (
    folder: string,
    browser: Browser,
    options: { mustReload: boolean },
    signal: AbortSignal,
  ) => Promise<BrowserOutcome>;
  /** Whether agents may look into a browser and act in it. */
  isAllowed: (browserId: string) => boolean;
  /** Whether agents may see all pages of a browser, files of this machine included. */
  maySeeAllPages: (browserId: string) => boolean;
  /** What is added to the options of a new browser. */
  browserDefaults: () => CreateBrowserRequest;
  /** Called with a browser that a tool has started. */
  onCreated: (browser: Browser) => Promise<void>;
  /** The build that this window has pushed to a browser last. */
  build: (browserId: string) => BuildFolders | undefined;
  /** The last build of each extension that this window has pushed to a browser, the latest at the end. */
  builds: (browserId: string) => readonly BuildFolders[];
  /** The last delivery of each extension to a browser, by this window or another program. Never rejects. */
  deliveries: (browserId: string) => Promise<readonly PastDelivery[]>;
  /** The same, once the deliveries to the browser that run now have ended, or after some seconds. Never rejects. */
  settledDeliveries: (browserId: string, signal: AbortSignal) => Promise<readonly PastDelivery[]>;
  /** The errors of an extension in a browser since its last push, as they are known now. */
  errors: (browser: Browser, extensionId: string) => readonly PartError[];
}
