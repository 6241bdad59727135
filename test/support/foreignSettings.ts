import { SETTINGS } from '../../src/ids';

/** A value for each setting that a workspace may not set unless it is trusted, all different from the defaults. */
export const FOREIGN_SETTINGS: Readonly<Record<string, unknown>> = {
  [SETTINGS.service]: 'other',
  [SETTINGS.serviceUrl]: 'https://example.com',
  [SETTINGS.project]: 'of-somebody-else',
  [SETTINGS.browserPath]: '/tmp/some-browser',
  [SETTINGS.folder]: 'somewhere',
  [SETTINGS.folders]: ['somewhere', 'elsewhere'],
  [SETTINGS.folderName]: 'some-name',
  [SETTINGS.exclude]: ['**/*.css'],
  [SETTINGS.include]: ['**/.env'],
  [SETTINGS.storeHints]: false,
  [SETTINGS.updateFrom]: 'v1.0',
  [SETTINGS.pushOnSave]: 'onSave',
  [SETTINGS.pushOnAutoSave]: true,
  [SETTINGS.startUrl]: 'https://example.com',
  [SETTINGS.openAfterPush]: ['https://example.com'],
  [SETTINGS.delivery]: 'restart',
  [SETTINGS.tabs]: 'none',
  [SETTINGS.debugPages]: 'extensionOnly',
  [SETTINGS.idleSeconds]: 3600,
  [SETTINGS.agentConfirmation]: 'never',
};
