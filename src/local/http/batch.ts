import { ApiError, invalidInput } from '../httpErrors';
import { objectList, onlyFields, optionalObject, requiredText, type JsonObject } from '../requestFields';
import type { Session } from '../sessions/session';
import { ACTIONS, readSleep, type InputAction } from './inputActions';

const MOST_ACTIONS = 1000;

/**
 * Runs the actions of a batch in sequence, without other input in between. Each is validated before it runs, and the first that fails ends
 * the batch, without rollback. The error is that of the action, with its index.
 */
export async function runBatch(session: Session, body: JsonObject): Promise<void> {
  onlyFields(body, ['actions']);
  const actions = objectList(body, 'actions');
  if (actions.length === 0) throw invalidInput('"actions" must contain at least one action.');
  if (actions.length > MOST_ACTIONS) throw invalidInput(`"actions" must contain at most ${MOST_ACTIONS}.`);
  await session.input(async (chromium) => {
    for (const [at, action] of actions.entries()) {
      try {
        await readAction(session, action)(chromium);
      } catch (error) {
        throw error instanceof ApiError ? withIndex(error, at) : error;
      }
    }
  });
}

function readAction(session: Session, action: JsonObject): InputAction {
  const type = requiredText(action, 'type');
  const read = Object.entries({ ...ACTIONS, sleep: readSleep }).find(([name]) => name === type)?.[1];
  if (!read) {
    const known = [...Object.keys(ACTIONS), 'sleep'].join(', ');
    throw invalidInput(`"type" must be one of ${known}; this service has no "${type}".`);
  }
  onlyFields(action, ['type', type]);
  const fields = optionalObject(action, type);
  if (!fields) throw invalidInput(`An action of the type ${type} needs its fields in "${type}".`);
  return read(session, fields);
}

function withIndex(error: ApiError, at: number): ApiError {
  const message = `actions[${at}]: ${error.message}`;
  return new ApiError(error.status, error.code, message, error.details, error.retryAfterSeconds);
}
