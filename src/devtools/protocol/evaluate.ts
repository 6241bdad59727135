import { realClock, type Clock, inTime } from '../../base/clock';
import type { CDPSession } from './connect';
import type { PageCall } from './pageCall';

/** How long a page or worker may take to give a value that it has, in milliseconds (C-TIME-EVALUATE). */
const PEEK_LIMIT_MS = 1000;

/** What a page evaluates: a call of a function of `inPage/`, or the path of a value, such as `document.visibilityState`. */
export type Expression = PageCall<unknown> | string;

/** The type of what a page answers: of a call, what its function returns. */
export type Answer<E extends Expression> = E extends PageCall<infer R> ? R : unknown;

/**
 * The value of an expression in a page, promises awaited; rejects when it throws. A call has the return type of its
 * function; the caller still validates what scripts of the page could have replaced. `userGesture`: run as if the user had clicked;
 * `contextId`: the execution context to run in.
 */
export async function evaluate<E extends Expression>(
  session: CDPSession,
  call: E,
  options: { userGesture?: boolean; contextId?: number } = {},
): Promise<Answer<E>> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: expressionOf(call),
    awaitPromise: true,
    returnByValue: true,
    ...options,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Answer<E>;
}

/**
 * The value that an expression has at once, in a page or worker that may be paused by a debugger (C-EVALUATE-PAUSED). Undefined when it throws, is
 * gone, or does not answer in time, as behind a dialog (C-PAGE-DIALOG). `contextId`: the execution context to run in.
 */
export async function peek<E extends Expression>(
  session: CDPSession,
  call: E,
  clock: Clock = realClock,
  contextId?: number,
): Promise<Answer<E> | undefined> {
  const expression = expressionOf(call);
  const context = contextId === undefined ? {} : { contextId };
  const asked = session.send('Runtime.evaluate', { expression, returnByValue: true, ...context }).then(
    ({ result, exceptionDetails }) => (exceptionDetails ? undefined : (result.value as Answer<E>)),
    () => undefined,
  );
  return await inTime(asked, PEEK_LIMIT_MS, clock);
}

function expressionOf(call: Expression): string {
  return typeof call === 'string' ? call : call.expression;
}
