import { ServiceError } from '../service/errors';
import { redact } from '../service/redact';
import { oneLine } from './bounds';
import { ToolError } from './tool';

/** Longest text of an error, in characters. */
const MOST_TEXT = 1500;

/** What an error means to an agent and what it can do next. Contains no credential. */
export function errorText(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof ServiceError) {
    const said = oneLine(redact(error.sentences.join(' ')), MOST_TEXT);
    return `${said} ${adviceFor(error)}`;
  }
  if (error instanceof Error && error.name === 'DevToolsError') {
    return `DevTools of the browser could not be reached: ${oneLine(redact(error.message), MOST_TEXT)}. Call list_extension_browsers; if the browser is gone, call create_extension_browser and push again.`;
  }
  if (error instanceof Error && error.name === 'AbortError') return 'The call was cancelled.';
  const text = error instanceof Error ? error.message : String(error);
  return oneLine(redact(text), MOST_TEXT);
}

function adviceFor({ kind }: ServiceError): string {
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
      return 'Try again once; if it fails again, call create_extension_browser.';
    case 'invalidAnswer':
      return 'The address of the service may be wrong: ask the user.';
  }
}
