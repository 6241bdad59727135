import * as l10n from '@vscode/l10n';
import { LOOPBACK_HOSTS } from '../base/loopback';

/** The environment variable with the token of the service, for programs and for editors without secret storage. */
export const TOKEN_VARIABLE = 'SIDELOAD_TOKEN';

/** The token in the environment variable; undefined without one, also when it is empty, as an editor sets it from another one that is not set. */
export function tokenOfVariable(env: NodeJS.ProcessEnv): string | undefined {
  const token = env[TOKEN_VARIABLE];
  return token === '' ? undefined : token;
}

/** The environment variable that names the executable of a browser for the local service. */
export const BROWSER_VARIABLE = 'SIDELOAD_BROWSER';

/** Base URL of the public service (source: the official client 0.84.0). */
export const CLOUD_BASE_URL = 'https://api.onkernel.com';

/** Whether `url` leads to this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK_HOSTS.has(url.hostname);
}

/** A base URL that must not be used; the message says why, and what to use instead. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** A project that no request can name; the message says why. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}

/**
 * The id or name of a project, without blanks around it; undefined for none. It is sent in a header, which has no other characters.
 * @throws ProjectError
 */
export function parseProject(text: string): string | undefined {
  const project = text.trim();
  if (!/^[\x20-\x7e]*$/.test(project)) {
    throw new ProjectError(
      l10n.t('The project "{0}" has characters that a request cannot carry. Use its id.', project),
    );
  }
  return project === '' ? undefined : project;
}

/**
 * A validated base URL without trailing slash. The token is sent to it, so it must be `https:`, or `http:` on loopback, without
 * credentials, query and fragment.
 * @throws AddressError
 */
export function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new AddressError(l10n.t('"{0}" is not an address. Write one such as https://service.example.com.', text));
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new AddressError(
      l10n.t(
        'The address must begin with https:// (http:// is allowed for this machine only), because the token is sent to it.',
      ),
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new AddressError(l10n.t('The address must not contain a user name, a password, a query or a fragment.'));
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
