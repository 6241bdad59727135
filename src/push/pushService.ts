import type { ServiceClient } from '../service/client';

/** What a push needs of the service: the files on a browser's machine, the upload that restarts Chromium, and a key press. */
export type PushService = Pick<
  ServiceClient,
  | 'baseUrl'
  | 'uploadExtensionsToBrowser'
  | 'uploadZip'
  | 'listFiles'
  | 'fileInfo'
  | 'readFile'
  | 'moveFile'
  | 'deleteFile'
  | 'deleteDirectory'
  | 'pressKey'
>;
