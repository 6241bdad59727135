import { sameObject } from '../devtools/inPage/objectCalls';
import type { CDPSession, Protocol } from '../devtools/protocol/connect';
import { textOf } from '../devtools/protocol/pageCall';

type RemoteObject = Protocol.Runtime.RemoteObject;

/** Arguments of one call that are shown. */
const MAX_ARGUMENTS = 100;

/** Longest text of an argument, in characters: as long as a line. */
const TEXT_LENGTH = 4000;

/** Objects of one call whose contents are asked for. */
const MAX_ASKED = 10;

/** Arguments that may wait for a while, however much a page has logged: a text of 100 MB is cut, and not held by its beginning. */
export function limitArguments(args: readonly RemoteObject[]): RemoteObject[] {
  return args.slice(0, MAX_ARGUMENTS).map((argument) => {
    const { value, description } = argument as { value?: unknown; description?: string };
    return {
      ...argument,
      ...(typeof value === 'string' && { value: limitText(value) }),
      ...(description !== undefined && { description: limitText(description) }),
    };
  });
}

/** The beginning of a text; a copy, because a part of a text holds the whole in memory. */
export function limitText(text: string): string {
  if (text.length <= TEXT_LENGTH) return text;
  return `${Buffer.from(text.slice(0, TEXT_LENGTH), 'utf16le').toString('utf16le')}…`;
}

/** Whether Chromium has sent the contents of all objects; it does not for earlier messages (C-CONSOLE-EARLIER). */
export function isComplete(args: readonly RemoteObject[]): boolean {
  return args.every((argument) => !lacksPreview(argument));
}

/** Asks for the contents of objects that were sent without. Never rejects: what the browser does not send stays without. */
export async function completeArguments(session: CDPSession, args: readonly RemoteObject[]): Promise<RemoteObject[]> {
  let asked = 0;
  return await Promise.all(
    args.map(async (argument) => {
      if (!lacksPreview(argument) || asked >= MAX_ASKED) return argument;
      asked += 1;
      return await withPreview(session, argument).catch(() => argument);
    }),
  );
}

function lacksPreview({ type, subtype, objectId, preview }: RemoteObject): boolean {
  return type === 'object' && subtype !== 'error' && objectId !== undefined && preview === undefined;
}

async function withPreview(session: CDPSession, argument: RemoteObject): Promise<RemoteObject> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    ...(argument.objectId !== undefined && { objectId: argument.objectId }),
    functionDeclaration: textOf(sameObject),
    generatePreview: true,
    objectGroup: 'console',
    silent: true,
  });
  return result;
}
