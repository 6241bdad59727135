import { switchOnDeveloperMode } from '../../src/devtools/inPage/extensionsPageCalls';
import { extensionPageState } from '../../src/devtools/inPage/pageCalls';
import { isCallOf } from '../support/calledInPage';
import { isJsonObject, type Json, type JsonObject } from '../support/json';
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

/** Of these, one that says the same as the one of its name before it in the session is not stored. */
const STATES = new Set(['ServiceWorker.workerVersionUpdated', 'Target.targetInfoChanged']);

/** Of these, only the named fields are stored. */
const FIELDS: Record<string, readonly string[]> = {
  'Debugger.scriptParsed': ['scriptId', 'url', 'hash'],
};

/** The functions that are called until a page has loaded. */
const POLLS = [switchOnDeveloperMode, extensionPageState];

/** What is stored of a push. */
export const PUSH_PART: StoredPart = {
  reads: (event) => READ.has(event),
  trim: (name, value) => {
    const fields = FIELDS[name];
    return fields ? pick(value, fields) : slim(value);
  },
  isState: (event) => STATES.has(event),
  isPoll: (command, { expression }) =>
    command === 'Runtime.evaluate' && POLLS.some((poll) => isCallOf(expression, poll)),
  // The end of a watch, some seconds after it has stopped watching.
  isIncidental: (command, { autoAttach }) => command === 'Target.setAutoAttach' && autoAttach === false,
};

function pick(value: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => fields.includes(key)));
}

/** Fields of targets, frames and workers that somebody reads, by the key of the object or list that has them. */
const INNER: Record<string, readonly string[]> = {
  targetInfo: ['targetId', 'type', 'title', 'url', 'attached'],
  frame: ['id', 'parentId', 'loaderId', 'url', 'unreachableUrl'],
  versions: ['versionId', 'registrationId', 'scriptURL', 'runningStatus', 'status'],
};

function slim(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const fields = INNER[key];
      if (!fields) return [key, inner];
      return [key, Array.isArray(inner) ? inner.map((one) => slimmed(one, fields)) : slimmed(inner, fields)];
    }),
  );
}

function slimmed(value: Json, fields: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const picked = pick(value, fields);
  // The title of a worker is made of its address.
  return picked['type'] === 'service_worker' ? { ...picked, title: '' } : picked;
}
