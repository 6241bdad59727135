import { randomUUID } from 'node:crypto';
import type { DebugConfiguration } from 'vscode';
import { fieldOf, objectOf, optionalText, textField } from '../../base/fields';

/** The debug type of VS Code's JavaScript debugger for browsers. */
export const DEBUGGER_TYPE = 'pwa-chrome';

/** The field by which a debug session is recognised as one of ours. */
const KEY = 'sideloadSession';

/** How long the debugger may take to reach the relay, in milliseconds. */
const CONNECT_LIMIT_MS = 20_000;

/** The fields of our configurations that the debugger does not know. */
const OWN_FIELDS = ['type', 'request', 'browser', 'extensionId', 'pages'];

/** The addresses and files from which source maps are loaded; with none, the debugger loads whatever a page names. */
const SOURCE_MAP_FIELD = 'resolveSourceMapLocations';

/** Code of development servers on this computer: the relay lets the debugger ask for no other map there. */
const SERVED = ['http://localhost:*/**', 'http://127.0.0.1:*/**'];

/** What a debug session is about. */
export interface DebugSubject {
  extensionId: string;
  /** The name of the session. */
  name: string;
  /** The extension folder, absolute. */
  folder: string;
  /** The folder that bundlers name the sources relative to, absolute. */
  root: string;
  /** What sources may begin with that are named from a folder above the build, each with its absolute path. */
  above: ReadonlyMap<string, string>;
  port: number;
  /** Where the relay's websocket is. It is a credential. */
  socketAddress: string;
}

/**
 * The configuration of VS Code's JavaScript debugger that attaches to a relay, and the key of its session; what else `own` says is left as it is. It does not say where
 * the browser is.
 */
export function resolveConfiguration(
  own: DebugConfiguration,
  subject: DebugSubject,
): { configuration: DebugConfiguration; key: string } {
  const { extensionId, name, folder, root, above, port, socketAddress } = subject;
  const key = randomUUID();
  const others = Object.fromEntries(Object.entries(own).filter(([field]) => !OWN_FIELDS.includes(field)));
  return {
    key,
    configuration: {
      // Otherwise the browsing of the user would change.
      disableNetworkCache: false,
      // Left to itself, the debugger stops looking at source maps before scripts run once it has met a module that webpack evaluates, and misses
      // such modules in each later page of a tab (seen in js-debug of VS Code 1.139).
      perScriptSourcemaps: 'no',
      // Scripts of a web page may name any address and any file of this machine as their source map.
      [SOURCE_MAP_FIELD]: [`chrome-extension://${extensionId}/**`, `${literal(folder)}/**`, ...SERVED],
      ...others,
      type: DEBUGGER_TYPE,
      request: 'attach',
      name: withoutVariables(name),
      address: '127.0.0.1',
      port,
      // The port alone lets nobody in.
      inspectUri: socketAddress,
      // In a remote window the debugger would else look for the browser on the machine of the window.
      browserAttachLocation: 'workspace',
      timeout: CONNECT_LIMIT_MS,
      webRoot: folder,
      pathMapping: {
        // Of the two, the debugger takes one from an address to a file and the other one from a file to an address.
        [`chrome-extension://${extensionId}`]: folder,
        '/': folder,
        ...objectOf(own['pathMapping']),
      },
      sourceMapPathOverrides: {
        ...overridesOf(above),
        'webpack:///./~/*': `${root}/node_modules/*`,
        'webpack:////*': '/*',
        // An absolute path of Windows.
        'webpack:///([a-z]):/(.+)': '$1:/$2',
        'webpack://@?:*/?:*/*': `${root}/*`,
        'webpack://?:*/*': `${root}/*`,
        ...objectOf(own['sourceMapPathOverrides']),
      },
      [KEY]: key,
    },
  };
}

/** The field that holds our configuration until its task has ended. */
const AFTER_TASK = 'sideloadAfterTask';

/** The fields that say what is debugged, in which VS Code has substituted no variables before the debugger starts. */
const SUBJECT_FIELDS = ['browser', 'extensionId', 'pages'];

/**
 * Defers a configuration with a `preLaunchTask` until the task has ended, because the task may build or push the extension, and one that says by
 * variables what is debugged until they are substituted. Returns a configuration of the JavaScript debugger, which sets its defaults, with the
 * original one in a field, in which VS Code substitutes variables. Undefined for all others.
 */
export function afterTask(own: DebugConfiguration): DebugConfiguration | undefined {
  const { preLaunchTask, ...others } = { preLaunchTask: undefined as unknown, ...own };
  const hasTask = preLaunchTask !== undefined && preLaunchTask !== '';
  const hasVariables = SUBJECT_FIELDS.some((name) => textOf(own, name)?.includes('${'));
  if (!hasTask && !hasVariables) return undefined;
  // The port is that of the relay, which does not run yet.
  const attach = { type: DEBUGGER_TYPE, request: 'attach', name: own.name, port: 1, ...(hasTask && { preLaunchTask }) };
  return { ...attach, [AFTER_TASK]: others };
}

/** Our configuration whose task has ended; undefined for a configuration of others. */
export function taskEnded(configuration: DebugConfiguration): DebugConfiguration | undefined {
  const own = objectOf(fieldOf(configuration, AFTER_TASK));
  const [type, request, name] = [optionalText(own, 'type'), optionalText(own, 'request'), optionalText(own, 'name')];
  if (type === undefined || request === undefined || name === undefined) return undefined;
  return { ...own, type, request, name };
}

/** What the JavaScript debugger is started with after the task: `resolved`, and its defaults in `configuration`. */
export function withDefaults(configuration: DebugConfiguration, resolved: DebugConfiguration): DebugConfiguration {
  const { [AFTER_TASK]: own, ...defaults } = configuration;
  return own === undefined ? configuration : { ...defaults, ...resolved };
}

/** The key of a session's configuration; undefined for a session of others. */
export function keyOf(configuration: DebugConfiguration): string | undefined {
  return optionalText(configuration, KEY);
}

/** The DevTools session of the part that a session of the debugger is for; undefined for all other sessions. */
export function partOf(configuration: DebugConfiguration): string | undefined {
  return textOf(configuration, '__pendingTargetId');
}

/** A text of a configuration; undefined when there is none. */
export function textOf(configuration: DebugConfiguration, name: string): string | undefined {
  const text = textField(configuration, name);
  return text === '' ? undefined : text;
}

/** An override without asterisks is for the name and all that is below it. What has a meaning of its own in an override is left out. */
function overridesOf(above: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...above].filter(([name, path]) => !/[*?]/.test(name) && !/[*$]/.test(path)));
}

/**
 * A text in which VS Code finds no variable, by a zero-width space. VS Code replaces variables in all texts of a configuration, and runs the
 * command that `${command:…}` names; the names of extensions and browsers are made by others.
 */
function withoutVariables(text: string): string {
  return text.replaceAll('${', '$\u200b{');
}

/** A folder in a pattern of the debugger: what has a meaning there stands for any one character. */
function literal(folder: string): string {
  return folder.replaceAll(/[[\]{}()!*?+@|]/g, '?');
}
