import { fieldOf, textField } from '../base/fields';
import { extensionOf } from '../devtools/protocol/extensionUrl';
import type { RelayMessage } from './relayMessage';

/** What a debugger needs of a part of an extension. All else that Chromium offers over the session of a page is not the debugger's to use. */
const DOMAINS = new Set([
  'Accessibility',
  'Animation',
  'Audits',
  'CSS',
  'Console',
  'DOM',
  'DOMDebugger',
  'DOMSnapshot',
  'DOMStorage',
  'Debugger',
  'Emulation',
  'EventBreakpoints',
  'HeapProfiler',
  'IO',
  'Inspector',
  'Log',
  'Network',
  'Overlay',
  'Page',
  'Performance',
  'Profiler',
  'Runtime',
  'Schema',
  'Target',
  'WebAudio',
]);

/** Of the domain Target, what concerns the part itself. The others lead to all pages of the browser. */
const TARGET_COMMANDS = new Set(['Target.setAutoAttach', 'Target.detachFromTarget', 'Target.closeTarget']);

/** Commands of the domains above that read cookies of other sites, write files or give pages the files of the user. */
const REFUSED = /cookie|^(?:Page\.setDownloadBehavior|DOM\.setFileInputFiles|Page\.captureSnapshot|Page\.printToPDF)$/i;

/** Addresses that a debugger may open in a page of the user. */
const WEB = /^(?:https?:|about:|data:)/;

/** Why a command of the debugger to a part of the extension is not passed on; undefined when it is. */
export function refusalOf({ method, params }: RelayMessage, extensionId: string): string | undefined {
  const isKnown = method.startsWith('Target.')
    ? TARGET_COMMANDS.has(method)
    : DOMAINS.has(method.split('.', 1)[0] ?? '');
  if (!isKnown || REFUSED.test(method)) return `'${method.slice(0, 100)}' is not part of debugging an extension`;
  const reads = method === 'Page.navigate' || method === 'Network.loadNetworkResource';
  const url = textField(params, 'url');
  if (reads && !WEB.test(url) && extensionOf(url) !== extensionId) return `'${method}' takes no such address`;
  if (method === 'Page.navigate' && typeof fieldOf(params, 'url') !== 'string') return `'${method}' takes an address`;
  return undefined;
}
