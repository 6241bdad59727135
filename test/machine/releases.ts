import { join } from 'node:path';
import { CACHE } from '../support/paths';

/** `newest`: what the tests run on. `oldest`: the oldest VS Code that `engines` in package.json allows. */
export type Release = 'newest' | 'oldest';

/** A VS Code that the tests can run on, and the npm packages that carry its server. */
export interface ReleaseBuild {
  /** Version of VS Code. */
  readonly version: string;
  readonly serverPackage: string;
  /** Major version of the Node.js that the server needs. */
  readonly node: string;
  /** Folder of the installed server. */
  readonly folder: string;
}

export const RELEASES: Readonly<Record<Release, ReleaseBuild>> = {
  newest: {
    version: '1.139.1',
    serverPackage: 'code-server@4.139.1',
    node: '24',
    folder: join(CACHE, 'server'),
  },
  oldest: {
    version: '1.105.1',
    serverPackage: 'code-server@4.105.1',
    node: '22',
    folder: join(CACHE, 'server-oldest'),
  },
};

/** Environment variable with the release for a suite. */
export const RELEASE_ENV = 'SIDELOAD_TEST_VSCODE';

/** The release that the suite in this process runs on. */
export function releaseOfSuite(): Release {
  return process.env[RELEASE_ENV] === 'oldest' ? 'oldest' : 'newest';
}
