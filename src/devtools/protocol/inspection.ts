import * as l10n from '@vscode/l10n';
import { whileAttached } from './attach';
import { type Connection, DevToolsError } from './connect';

/** A policy of the browser keeps DevTools from looking at what runs in it. */
export class BlockedByPolicyError extends DevToolsError {
  constructor() {
    super(l10n.t('a policy of the browser blocks them'));
  }
}

/** The answer to an attempt to look into a page or worker that a policy forbids (C-INSPECT-FORBIDDEN). */
const NOT_ALLOWED = 'Not allowed';

/**
 * Tries to look into any page of the browser. Resolves also when it has none.
 * @throws BlockedByPolicyError
 */
export async function requireInspection(connection: Connection): Promise<void> {
  const { targetInfos } = await connection.send('Target.getTargets');
  const page = targetInfos.find(({ type }) => type === 'page');
  if (!page) return;
  try {
    await whileAttached(connection, page.targetId, () => Promise.resolve());
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes(NOT_ALLOWED)) throw new BlockedByPolicyError();
    throw cause;
  }
}
