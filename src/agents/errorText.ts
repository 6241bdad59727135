import { errorMessage } from '../base/errorMessage';
import { ServiceError } from '../service/serviceErrors';
import { redact } from '../service/redact';
import { oneLine } from './bounds';
import { ToolError } from './tool';

/** Longest text of an error, in characters. */
const MOST_TEXT = 1500;

/** Who reads a text: an agent, which calls tools next, or a person at a terminal. */
export type Reader = 'agent' | 'person';

/** What an error means and what can be done next. Contains no credential. */
export function errorText(error: unknown, reader: Reader = 'agent'): string {
  if (error instanceof ToolError) return reader === 'agent' ? `${error.message} ${error.advice}`.trim() : error.message;
  if (error instanceof ServiceError) {
    const said = oneLine(redact(error.sentences.join(' ')), MOST_TEXT);
    return `${said} ${adviceFor(error, reader)}`.trim();
  }
  if (error instanceof Error && error.name === 'DevToolsError') {
    const said = `DevTools of the browser could not be reached: ${oneLine(redact(error.message), MOST_TEXT)}.`;
    return reader === 'agent'
      ? `${said} Call list_extension_browsers; if the browser is gone, call create_extension_browser and push again.`
      : `${said} If the browser has ended, push to another one.`;
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return reader === 'agent' ? 'The call was cancelled.' : 'Cancelled.';
  }
  const text = errorMessage(error);
  return oneLine(redact(text), MOST_TEXT);
}

/** What can be done about each kind of error, by whom it is said to. */
const ADVICE: Readonly<Record<ServiceError['kind'], Readonly<Record<Reader, string>>>> = {
  unreachable: {
    agent: 'Is the service running, and is its address right? Ask the user to check the connection.',
    person: 'Check that the service is running, and its address.',
  },
  timeout: { agent: 'Try again once.', person: 'Try again.' },
  unauthorized: {
    agent: 'Ask the user to set the token of the service.',
    person: 'To set the token, put a valid one into the environment variable SIDELOAD_TOKEN.',
  },
  forbidden: {
    agent: 'The token or the plan of the account does not allow it: ask the user.',
    person: 'The token or the plan of the account does not allow it.',
  },
  notFound: { agent: 'It no longer exists: call list_extension_browsers.', person: 'Check the name or id.' },
  unsupported: {
    agent: 'The service does not have this operation: do without it.',
    person: 'The service does not have this operation.',
  },
  conflict: { agent: 'Choose another name.', person: 'Choose another name.' },
  badRequest: { agent: 'Change the input of the call.', person: '' },
  tooLarge: { agent: 'Make the extension smaller.', person: 'Make the extension smaller.' },
  rateLimited: { agent: 'Wait a minute before the next call.', person: 'Try again in a minute.' },
  server: {
    agent: 'Try again once; if it fails again, call create_extension_browser.',
    person: 'Try again; if it fails again, use another browser.',
  },
  invalidAnswer: {
    agent: 'The address of the service may be wrong: ask the user.',
    person: 'The address of the service may be wrong.',
  },
};

function adviceFor({ kind, operation }: ServiceError, reader: Reader): string {
  const isAction = reader === 'agent' && kind === 'server' && operation === 'runBatch';
  return isAction ? 'Change the action if it is named above; otherwise try again once.' : ADVICE[kind][reader];
}
