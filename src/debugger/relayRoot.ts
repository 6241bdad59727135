import { randomUUID } from 'node:crypto';
import { fieldOf } from '../base/fields';
import { breakpointIdOf } from './urlBreakpoints';

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
  const targetInfo = rootInfo(options, ids);
  const origin = `chrome-extension://${options.extensionId}`;
  const frame = { id: ids.target, loaderId: ids.target, url: `${origin}/`, securityOrigin: origin };
  const breakpoint = { breakpointId: breakpointIdOf(params), locations: [] };
  const answers = new Map<string, object>([
    ['Browser.getVersion', { protocolVersion: '1.3', product: 'Chrome/0', revision: '', userAgent: '', jsVersion: '' }],
    ['Target.getTargets', { targetInfos: [targetInfo] }],
    ['Target.attachToBrowserTarget', { sessionId: ids.browser }],
    ['Target.attachToTarget', fieldOf(params, 'targetId') === ids.target ? { sessionId: ids.root } : {}],
    ['Target.getTargetInfo', { targetInfo }],
    ['Debugger.enable', { debuggerId: 'sideload' }],
    ['Debugger.setBreakpoint', breakpoint],
    ['Debugger.setBreakpointByUrl', breakpoint],
    ['Debugger.setInstrumentationBreakpoint', { breakpointId: 'sideload:instrumentation', locations: [] }],
    ['Runtime.evaluate', { result: { type: 'undefined' } }],
    ['Page.getResourceTree', { frameTree: { frame: { ...frame, mimeType: 'text/html' }, resources: [] } }],
  ]);
  return answers.get(method) ?? {};
}
