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
    return `${said} ${reader === 'agent' ? adviceFor(error) : personalAdvice(error)}`.trim();
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
  const text = error instanceof Error ? error.message : String(error);
  return oneLine(redact(text), MOST_TEXT);
}

function adviceFor({ kind, operation }: ServiceError): string {
  switch (kind) {
    case 'unreachable':
      return 'Is the service running, and is its address right? Ask the user to check the connection.';
    case 'timeout':
      return 'Try again once.';
    case 'unauthorized':
      return 'Ask the user to set the token of the service.';
    case 'forbidden':
      return 'The token or the plan of the account does not allow it: ask the user.';
    case 'notFound':
      return 'It no longer exists: call list_extension_browsers.';
    case 'unsupported':
      return 'The service does not have this operation: do without it.';
    case 'conflict':
      return 'Choose another name.';
    case 'badRequest':
      return 'Change the input of the call.';
    case 'tooLarge':
      return 'Make the extension smaller.';
    case 'rateLimited':
      return 'Wait a minute before the next call.';
    case 'server':
      return operation === 'runBatch'
        ? 'Change the action if it is named above; otherwise try again once.'
        : 'Try again once; if it fails again, call create_extension_browser.';
    case 'invalidAnswer':
      return 'The address of the service may be wrong: ask the user.';
  }
}

function personalAdvice({ kind }: ServiceError): string {
  switch (kind) {
    case 'unreachable':
      return 'Check that the service is running, and its address.';
    case 'timeout':
      return 'Try again.';
    case 'unauthorized':
      return 'To set the token, put a valid one into the environment variable SIDELOAD_TOKEN.';
    case 'forbidden':
      return 'The token or the plan of the account does not allow it.';
    case 'notFound':
      return 'Check the name or id.';
    case 'unsupported':
      return 'The service does not have this operation.';
    case 'conflict':
      return 'Choose another name.';
    case 'badRequest':
      return '';
    case 'tooLarge':
      return 'Make the extension smaller.';
    case 'rateLimited':
      return 'Try again in a minute.';
    case 'server':
      return 'Try again; if it fails again, use another browser.';
    case 'invalidAnswer':
      return 'The address of the service may be wrong.';
  }
}
