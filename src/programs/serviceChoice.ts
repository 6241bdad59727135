import { join } from 'node:path';
import { browserOfVariable, findBrowser, noBrowserMessage } from '../local/chromium/browserPaths';
import { defaultDataFolder } from '../local/dataFolder';
import {
  AddressError,
  CLOUD_BASE_URL,
  isLoopback,
  parseBaseUrl,
  parseProject,
  ProjectError,
  TOKEN_VARIABLE,
  tokenOfVariable,
} from '../service/serviceAddress';
import type { BrowserService } from '../service/browserService';
import { ServiceClient } from '../service/client';
import { connectLocalService } from '../service/localProcess';
import type { Logger } from '../service/logger';
import { UsageError } from './cliOptions';
import { routeSockets } from './socketProxy';

/** A service that a program cannot use; the message says what to do. */
class ServiceChoiceError extends Error {
  override readonly name = 'ServiceChoiceError';
}

/** Which service a command line names. */
export interface ServiceChoice {
  /** Whether its browsers run on this machine. */
  isLocal: boolean;
  /** Connects to it; starts the local service if need be, which ends after `release`. `onLost`: it has ended before, and may be started again. */
  connect: (onLost?: () => void) => Promise<BrowserService>;
  release: () => void;
}

export interface ServiceOptions {
  /** `local`, `cloud` or an address. */
  service: string;
  project?: string | undefined;
  /** Folder of the local service's data; the usual one of this user by default. */
  dataDir?: string | undefined;
  log: Logger;
}

/**
 * The service that a command line names.
 * @throws UsageError for an option that cannot be read or is not for such a service; ServiceChoiceError when its token is missing
 */
export function chooseService(options: ServiceOptions): ServiceChoice {
  const { service, log } = options;
  if (service === 'local') {
    if (options.project !== undefined && options.project !== '')
      throw new UsageError(
        'The local service has no projects. Leave --project out, or name another service with --service.',
      );
    return localService(options);
  }
  if (options.dataDir !== undefined)
    throw new UsageError('Only the local service has a data folder here. Leave --data-dir out.');
  const baseUrl = readOption(() => parseBaseUrl(service === 'cloud' ? CLOUD_BASE_URL : service));
  const token = tokenOfVariable(process.env);
  if (token === undefined) {
    throw new ServiceChoiceError(`The service needs a token. Put it into the environment variable ${TOKEN_VARIABLE}.`);
  }
  const project = readOption(() => parseProject(options.project ?? ''));
  routeSockets();
  return {
    isLocal: isLoopback(baseUrl),
    connect: () => Promise.resolve(new ServiceClient({ baseUrl, token, project, log })),
    release: () => undefined,
  };
}

/** What an option says. @throws UsageError */
function readOption<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AddressError || error instanceof ProjectError) throw new UsageError(error.message);
    throw error;
  }
}

/** What the variable names holds also for a service that another program has started with another browser. */
function localService({ dataDir = defaultDataFolder(), log }: ServiceOptions): ServiceChoice {
  let release = (): void => undefined;
  return {
    isLocal: true,
    connect: async (onLost = () => undefined) => {
      const isNamed = browserOfVariable(process.env) !== undefined;
      const browserPath = isNamed ? await findBrowser() : undefined;
      if (isNamed && browserPath === undefined) throw new ServiceChoiceError(noBrowserMessage());
      const local = await connectLocalService({
        // Beside the bundle of this program.
        script: join(__dirname, 'local.js'),
        dataDir,
        ...(browserPath !== undefined && { browserPath }),
        log,
        onLost,
      });
      release = () => local.dispose();
      return new ServiceClient({ baseUrl: parseBaseUrl(local.baseUrl), token: local.token, log });
    },
    release: () => release(),
  };
}
