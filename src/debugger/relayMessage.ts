import { fieldOf, textField } from '../base/fields';
import { type JsonLimits, isWithinLimits } from '../base/jsonLimits';

/** What Chromium itself takes of a command (C-COMMAND-DEPTH). */
const COMMAND_LIMITS: JsonLimits = { depth: 300, values: 1_000_000 };

/** What is read of a browser, which writes objects by value up to a depth of 1,000. */
const BROWSER_LIMITS: JsonLimits = { depth: 2000, values: 10_000_000 };

/** A message of the DevTools protocol, as far as the relay reads it. */
export interface RelayMessage {
  /** Of a command, and of the answer to it. */
  id: number | undefined;
  /** Of a command or an event. */
  method: string;
  /** The session of the target that it is for or from; empty for the browser. */
  sessionId: string;
  params: unknown;
  /** The message as it came. */
  text: string;
}

/**
 * Reads a command of the debugger; undefined for a text that is none. Its own text is written again from what was read, so that the browser
 * gets the method that was looked at, also where a text names two.
 */
export function readCommand(text: string): RelayMessage | undefined {
  const message = readMessage(text, COMMAND_LIMITS);
  if (!message) return undefined;
  const { id, method, params, sessionId } = message;
  return { ...message, text: messageText({ id, method, params, sessionId }) };
}

/** Reads a message of a browser; undefined for a text that is none. */
export function readMessage(text: string, limits = BROWSER_LIMITS): RelayMessage | undefined {
  if (!isWithinLimits(text, limits)) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof message !== 'object' || message === null) return undefined;
  const id = fieldOf(message, 'id');
  return {
    id: typeof id === 'number' ? id : undefined,
    method: textField(message, 'method'),
    sessionId: textField(message, 'sessionId'),
    params: fieldOf(message, 'params'),
    text,
  };
}

/** The text of a message. */
export function messageText(message: {
  method?: string;
  id?: number | undefined;
  sessionId: string;
  [field: string]: unknown;
}): string {
  const { sessionId, ...rest } = message;
  return JSON.stringify(sessionId === '' ? rest : message);
}
