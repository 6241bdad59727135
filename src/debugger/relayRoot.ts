import { randomUUID } from 'node:crypto';
import { fieldOf, textField } from '../base/fields';

/** What is made up for one relay. The debugger mixes up two browsers at once in which anything has the same id. */
export interface RootIds {
  /** The session of the browser. */
  readonly browser: string;
  /** The session of the page. */
  readonly root: string;
  /** The target of the page. */
  readonly target: string;
}

/** Ids that no other relay has. */
export function newRootIds(): RootIds {
  const key = randomUUID();
  return { browser: `sideload-browser-${key}`, root: `sideload-session-${key}`, target: `sideload-${key}` };
}

/** The extension that the made-up page stands for. */
export interface RootOptions {
  extensionId: string;
  /** The name of the extension. */
  name: string;
}

/** The page that the debugger takes for the only one of the browser: what can be debugged of the extension are its children. */
export function rootInfo({ extensionId, name }: RootOptions, { target }: RootIds): object {
  return {
    targetId: target,
    type: 'page',
    title: name,
    url: `chrome-extension://${extensionId}/`,
    attached: false,
    canAccessOpener: false,
  };
}

/** Answers that must not be empty, because the debugger waits for their fields. */
export function rootAnswer(method: string, params: unknown, options: RootOptions, ids: RootIds): object {
  switch (method) {
    case 'Browser.getVersion':
      return { protocolVersion: '1.3', product: 'Chrome/0', revision: '', userAgent: '', jsVersion: '' };
    case 'Target.getTargets':
      return { targetInfos: [rootInfo(options, ids)] };
    case 'Target.attachToBrowserTarget':
      return { sessionId: ids.browser };
    case 'Target.attachToTarget':
      return fieldOf(params, 'targetId') === ids.target ? { sessionId: ids.root } : {};
    case 'Target.getTargetInfo':
      return { targetInfo: rootInfo(options, ids) };
    case 'Debugger.enable':
      return { debuggerId: 'sideload' };
    case 'Debugger.setBreakpoint':
    case 'Debugger.setBreakpointByUrl':
      return { breakpointId: `sideload:${textField(params, 'url')}`, locations: [] };
    case 'Debugger.setInstrumentationBreakpoint':
      return { breakpointId: 'sideload:instrumentation', locations: [] };
    case 'Runtime.evaluate':
      return { result: { type: 'undefined' } };
    case 'Page.getResourceTree':
      return {
        frameTree: {
          frame: {
            id: ids.target,
            loaderId: ids.target,
            url: `chrome-extension://${options.extensionId}/`,
            securityOrigin: `chrome-extension://${options.extensionId}`,
            mimeType: 'text/html',
          },
          resources: [],
        },
      };
    default:
      return {};
  }
}
