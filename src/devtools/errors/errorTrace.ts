import type { Protocol } from '../protocol/connect';
import { loopbackPort } from '../../base/loopback';
import { ownerOfCode } from '../protocol/extensionUrl';
import { MAX_PLACES, MAX_TEXT, splitStack, type ErrorLocation } from '../protocol/stackText';

type RemoteObject = Protocol.Runtime.RemoteObject;
type CallFrames = Protocol.Runtime.StackTrace | undefined;

/** Where the inspector of a page or worker has seen an error, with columns and the stacks of `Error` objects, which Chromium's list lacks. */
export interface ErrorTrace {
  extensionId: string;
  /** As in Chromium's list, without stacks. */
  text: string;
  /** In code of the extension, innermost first, never empty. */
  locations: readonly [ErrorLocation, ...ErrorLocation[]];
  /**
   * Whether Chromium's list has the error, too: of pages, only with a frame that is first in a file of the extension (C-ERRORS-NOT-LISTED). `unsure`
   * of one that may have occurred before Chromium recorded errors.
   */
  isListed: boolean | 'unsure';
  isWarning: boolean;
  isWorker: boolean;
  /** The address of the page or worker. */
  contextUrl: string;
}

/** The page or worker of an event. */
export type TraceTarget = Pick<Protocol.Target.TargetInfo, 'type' | 'url'>;

/** What a call of the console says; undefined when it is no error or warning of an extension. */
export function traceOfCall(
  { type, args, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent,
  target: TraceTarget,
): ErrorTrace | undefined {
  if (type !== 'error' && type !== 'warning' && type !== 'assert') return undefined;
  const [text, stack] = splitStack(args.map(textOf).join(' '));
  const frames = framesOf(stackTrace);
  // Who only passes on an error of others has frames of its own.
  return traceOf(
    text,
    frames.length > 0 ? frames : stack,
    { hasFrames: frames.length > 0, isWarning: type === 'warning' },
    target,
  );
}

/** What an uncaught error says; undefined when it is none of an extension. */
export function traceOfException(
  { exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent,
  target: TraceTarget,
): ErrorTrace | undefined {
  const { text, exception, url = '', lineNumber, columnNumber, stackTrace } = exceptionDetails;
  const [words, stack] = splitStack(exception ? `${text} ${textOf(exception)}` : text);
  const thrown = url === '' ? [] : [{ url, line: lineNumber, column: columnNumber }];
  const frames = [...thrown, ...framesOf(stackTrace)];
  return traceOf(words, frames.length > 0 ? frames : stack, { hasFrames: frames.length > 0, isWarning: false }, target);
}

function traceOf(
  text: string,
  frames: readonly ErrorLocation[],
  { hasFrames, isWarning }: { hasFrames: boolean; isWarning: boolean },
  { type, url }: TraceTarget,
): ErrorTrace | undefined {
  const [top] = frames;
  const extensionId = top && ownerOfCode(top.url, url);
  if (extensionId === undefined || !top) return undefined;
  const [first = top, ...others] = frames.filter((frame) => ownerOfCode(frame.url, url) === extensionId);
  const isWorker = type === 'service_worker';
  return {
    extensionId,
    text,
    locations: [first, ...others.slice(0, MAX_PLACES - 1)],
    isListed: isWorker || (hasFrames && loopbackPort(first.url) === undefined),
    isWarning,
    isWorker,
    contextUrl: url,
  };
}

function framesOf(stackTrace: CallFrames): ErrorLocation[] {
  return (stackTrace?.callFrames ?? [])
    .filter(({ url }) => url !== '')
    .map(({ url, lineNumber, columnNumber }) => ({ url, line: lineNumber, column: columnNumber }));
}

/** An argument as `String()` writes it, and an `Error` with its stack. */
function textOf({ type, subtype, value, description, className, unserializableValue }: RemoteObject): string {
  if (type === 'object' && subtype === 'null') return 'null';
  if (type === 'object' && subtype === undefined) return `[object ${className ?? 'Object'}]`;
  if (type === 'string' || type === 'number' || type === 'boolean') {
    return String(value ?? unserializableValue ?? '').slice(0, MAX_TEXT);
  }
  return (description ?? type).slice(0, MAX_TEXT);
}
