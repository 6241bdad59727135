/** The chosen service needs a token and there is none. */
export class TokenMissingError extends Error {
  override readonly name = 'TokenMissingError';
}

/** The user has to do something first; the message says what. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Read when no token is stored, and where no secret storage exists. */
export const TOKEN_VARIABLE = 'SIDELOAD_TOKEN';

/** The secret storage of the editor did not work; the message names the way around it. */
export class TokenStorageError extends Error {
  override readonly name = 'TokenStorageError';
}
