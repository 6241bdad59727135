import assert from 'node:assert/strict';
import { DevToolsError } from '../../../src/devtools/protocol/connect';
import {
  RefusedError,
  TokenMissingError,
  TokenStorageError,
  UntrustedError,
  UserError,
} from '../../../src/editor/errorTexts';
import { failureEnd, sentenceFor, waysOutOf } from '../../../src/editor/messages';
import { FolderNameError } from '../../../src/push/folderName';
import { ProjectError } from '../../../src/service/serviceAddress';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/serviceErrors';
import type { NoBrowserDetail } from '../../../src/service/interface';

function serviceError(kind: ServiceErrorKind): ServiceError {
  return new ServiceError({
    kind,
    message: 'It is said.',
    status: 400,
    operation: 'getBrowser',
    mayHaveHappened: false,
  });
}

describe('sentenceFor', () => {
  it('names the next step for each kind of service error, and repeats what the service said', () => {
    const steps: Record<ServiceErrorKind, RegExp> = {
      unreachable: /Check the connection/,
      timeout: /Try again/,
      unauthorized: /Set Token/,
      forbidden: /permission/,
      notFound: /refresh the list/,
      unsupported: /does not have the operation|does not describe/,
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

  it('says that no browser was found without advice that does not help, and offers what does', () => {
    const server = {
      kind: 'server',
      code: 'browser_not_found',
      operation: 'createBrowser',
      mayHaveHappened: false,
    } as const;
    const error = new ServiceError({ ...server, message: 'Chromium was looked for.' });
    assert.equal(sentenceFor(error), 'No browser was found on this machine. Chromium was looked for.');
    const told = (...details: NoBrowserDetail[]): string | undefined =>
      sentenceFor(new ServiceError({ ...server, message: 'in English', details }));
    assert.match(
      told({ code: 'named_by_setting', message: '/gone' }) ?? '',
      /"\/gone", .*sideload\.local\.browserPath/,
    );
    assert.match(told({ code: 'named_by_variable', message: '/gone' }) ?? '', /"\/gone", .*SIDELOAD_BROWSER/);
    assert.match(
      told({ code: 'searched_folder', message: '/usr/bin' }, { code: 'searched_folder', message: '/opt' }) ?? '',
      /nor in \/usr\/bin, \/opt\.$/,
    );
    assert.deepEqual(
      waysOutOf(error).map(({ label }) => label),
      ['Open Setting', 'How to Install One', 'Choose Service'],
    );
  });

  it('offers the one command that helps', () => {
    const first = (error: unknown): string | undefined => waysOutOf(error)[0]?.label;
    assert.equal(first(serviceError('unauthorized')), 'Set Token');
    assert.equal(first(new TokenMissingError()), 'Set Token');
    assert.equal(first(serviceError('unreachable')), 'Choose Service');
    assert.equal(first(serviceError('tooLarge')), 'Show What Is Pushed');
    assert.equal(first(new FolderNameError('x')), 'Open Setting');
    assert.equal(first(new ProjectError('x')), 'Open Setting');
    assert.equal(first(new UserError('x', { label: 'Open Folder…', command: 'x' })), 'Open Folder…');
    assert.equal(first(new TypeError('x')), 'Show Log');
  });

  it('takes the message of errors that are written for the user', () => {
    assert.equal(sentenceFor(new UserError('Open a folder.')), 'Open a folder.');
    assert.equal(sentenceFor(new FolderNameError('Use letters.')), 'Use letters.');
    assert.match(sentenceFor(new DevToolsError('the connection was refused')) ?? '', /DevTools.*refused.*Refresh/);
    assert.match(sentenceFor(new TokenMissingError()) ?? '', /Set Token/);
    assert.match(sentenceFor(new TokenStorageError('read')) ?? '', /secret storage does not work.*SIDELOAD_TOKEN/);
  });

  it('has no sentence for an unexpected error', () => {
    assert.equal(sentenceFor(new TypeError('x is undefined')), undefined);
    assert.equal(sentenceFor('text'), undefined);
  });
});

describe('failures', () => {
  it('hold until what they tell of has ended, where they tell of a state', () => {
    const about = { operation: 'listBrowsers', message: 'x.', mayHaveHappened: false };
    const of = (kind: ServiceErrorKind, code?: string) => new ServiceError({ ...about, kind, ...(code && { code }) });
    assert.equal(failureEnd(new RefusedError('A file is missing.')), 'push');
    assert.equal(failureEnd(new UntrustedError('This workspace is not trusted.')), 'trust');
    assert.equal(failureEnd(new TokenMissingError()), 'otherService');
    assert.equal(failureEnd(of('unauthorized')), 'otherService');
    assert.equal(failureEnd(of('server', 'browser_not_found')), 'otherService');
    assert.equal(failureEnd(of('unreachable')), 'answer');
    assert.equal(failureEnd(of('rateLimited')), 'answer');
    for (const error of [of('conflict'), of('notFound'), new UserError('No.'), new Error('x')]) {
      assert.equal(failureEnd(error), undefined);
    }
  });
});
