import { fieldOf } from '../fields';

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

/** Reads a message; undefined for a text that is none. */
export function readMessage(text: string): RelayMessage | undefined {
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
  id?: number;
  sessionId: string;
  [field: string]: unknown;
}): string {
  const { sessionId, ...rest } = message;
  return JSON.stringify(sessionId === '' ? rest : message);
}

/** A text field of a value that may be anything; empty when there is none. */
export function textField(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

/** A numeric field of a value that may be anything; 0 when there is none. */
export function numberField(value: unknown, name: string): number {
  const field = fieldOf(value, name);
  return typeof field === 'number' ? field : 0;
}
