import { ApiError, invalidInput } from '../errors';
import { fieldsList, onlyFields, optionalFields, requiredText, type Fields } from '../fields';
import type { Session } from '../sessions/session';
import { ACTIONS, readSleep, type InputAction } from './actions';

/**
 * Runs the actions of a batch in order, with the session's input to themselves. Each is checked when its turn comes, and the
 * first that fails ends the batch: what was done before stays done. The error is that action's own, and names its place.
 */
export async function runBatch(session: Session, body: Fields): Promise<void> {
  onlyFields(body, ['actions']);
  const actions = fieldsList(body, 'actions');
  if (actions.length === 0) throw invalidInput('"actions" must hold at least one action.');
  await session.input(async (chromium) => {
    for (const [at, action] of actions.entries()) {
      try {
        await readAction(session, action)(chromium);
      } catch (error) {
        throw error instanceof ApiError ? placed(error, at) : error;
      }
    }
  });
}

function readAction(session: Session, action: Fields): InputAction {
  const type = requiredText(action, 'type');
  const read = Object.entries({ ...ACTIONS, sleep: readSleep }).find(([name]) => name === type)?.[1];
  if (!read) {
    const known = [...Object.keys(ACTIONS), 'sleep'].join(', ');
    throw invalidInput(`"type" must be one of ${known}; this service has no "${type}".`);
  }
  onlyFields(action, ['type', type]);
  const fields = optionalFields(action, type);
  if (!fields) throw invalidInput(`An action of the type ${type} needs its fields in "${type}".`);
  return read(session, fields);
}

function placed(error: ApiError, at: number): ApiError {
  const message = `actions[${at}]: ${error.message}`;
  return new ApiError(error.status, error.code, message, error.details, error.retryAfterSeconds);
}
