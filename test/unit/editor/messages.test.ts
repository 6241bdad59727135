import assert from 'node:assert/strict';
import { DevToolsError } from '../../../src/devtools/connect';
import { TokenMissingError, TokenStorageError, UserError } from '../../../src/editor/errors';
import { sentenceFor } from '../../../src/editor/messages';
import { FolderNameError } from '../../../src/push/folderName';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';

function serviceError(kind: ServiceErrorKind): ServiceError {
  return new ServiceError({ kind, message: 'It is said.', operation: 'getBrowser', mayHaveHappened: false });
}

describe('sentenceFor', () => {
  it('names the next step for each kind of service error, and repeats what the service said', () => {
    const steps: Record<ServiceErrorKind, RegExp> = {
      unreachable: /Check the connection/,
      timeout: /Try again/,
      unauthorized: /Set Token/,
      forbidden: /permission/,
      notFound: /no longer exists/,
      conflict: /Choose another name/,
      badRequest: /refused the request/,
      tooLarge: /sideload\.exclude/,
      rateLimited: /^Rate limit reached: .* Try again later/,
      server: /create another browser/,
      invalidAnswer: /Check the address/,
    };
    for (const [kind, step] of Object.entries(steps)) {
      const sentence = sentenceFor(serviceError(kind as ServiceErrorKind)) ?? '';
      assert.match(sentence, step);
      assert.match(sentence, /It is said\./);
    }
  });

  it('takes the message of errors that are written for the user', () => {
    assert.equal(sentenceFor(new UserError('Open a folder.')), 'Open a folder.');
    assert.equal(sentenceFor(new FolderNameError('Use letters.')), 'Use letters.');
    assert.match(sentenceFor(new DevToolsError('the connection was refused')) ?? '', /DevTools.*refused.*Refresh/);
    assert.match(sentenceFor(new TokenMissingError()) ?? '', /Set Token/);
    assert.match(sentenceFor(new TokenStorageError('read')) ?? '', /not read the token.*SIDELOAD_TOKEN/);
  });

  it('has no sentence for an unexpected error', () => {
    assert.equal(sentenceFor(new TypeError('x is undefined')), undefined);
    assert.equal(sentenceFor('text'), undefined);
  });
});
