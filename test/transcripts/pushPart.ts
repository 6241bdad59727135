import { isJsonObject, type JsonObject } from '../support/json';
import type { StoredPart } from './recorder';

/** The events that a push and its connection listen for. */
const READ = new Set([
  'Debugger.scriptParsed',
  'Inspector.targetCrashed',
  'Inspector.targetReloadedAfterCrash',
  'Page.frameNavigated',
  'Page.javascriptDialogOpening',
  'Runtime.bindingCalled',
  'Runtime.exceptionThrown',
  'Runtime.executionContextCreated',
  'ServiceWorker.workerErrorReported',
  'ServiceWorker.workerRegistrationUpdated',
  'ServiceWorker.workerVersionUpdated',
  'Target.attachedToTarget',
  'Target.detachedFromTarget',
  'Target.targetCrashed',
  'Target.targetCreated',
  'Target.targetDestroyed',
  'Target.targetInfoChanged',
]);

/** Of these, only the named fields are stored. */
const FIELDS: Record<string, readonly string[]> = {
  'Debugger.scriptParsed': ['scriptId', 'url', 'hash'],
};

/** The beginnings of expressions that are asked until a page has loaded. */
const POLLS = ['typeof chrome?.developerPrivate', "location.protocol === 'chrome-error:'"];

/** What is stored of a push. */
export const PUSH_PART: StoredPart = {
  reads: (event) => READ.has(event),
  trim: (name, value) => {
    const fields = FIELDS[name];
    return fields ? pick(value, fields) : withoutEmpty(value);
  },
  isPoll: (command, { expression }) =>
    command === 'Runtime.evaluate' &&
    typeof expression === 'string' &&
    POLLS.some((text) => expression.startsWith(text)),
  // The end of a watch, some seconds after it has stopped watching.
  isIncidental: (command, { autoAttach }) => command === 'Target.setAutoAttach' && autoAttach === false,
};

function pick(value: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => fields.includes(key)));
}

/** Without empty texts and empty objects, which most events of targets have. */
function withoutEmpty(value: JsonObject): JsonObject {
  const { targetInfo, frame, ...rest } = value;
  const slim = (inner: JsonObject[string] | undefined): JsonObject | undefined =>
    inner !== undefined && isJsonObject(inner) ? pick(inner, SLIM) : undefined;
  return {
    ...rest,
    ...(targetInfo && { targetInfo: slim(targetInfo) ?? null }),
    ...(frame && { frame: slim(frame) ?? null }),
  };
}

/** Fields of targets and frames. */
const SLIM = ['targetId', 'type', 'title', 'url', 'attached', 'id', 'parentId', 'loaderId', 'unreachableUrl'];
