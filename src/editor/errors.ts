/** The chosen service needs a token and there is none. */
export class TokenMissingError extends Error {
  override readonly name = 'TokenMissingError';
}

/** An error that the user can resolve; the message says how. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The environment variable that is read when no token is stored, or no secret storage exists. */
export const TOKEN_VARIABLE = 'SIDELOAD_TOKEN';

/** VS Code's secret storage failed; the message is the verb of the failed operation. */
export class TokenStorageError extends Error {
  override readonly name = 'TokenStorageError';
}
