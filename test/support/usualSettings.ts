import type { PushSettings } from '../../src/push/pushRun';

/** How a folder is packed and delivered without any setting. */
export function usualSettings(): PushSettings {
  return { exclude: [], include: [], storeHints: false, delivery: 'auto', tabs: 'visible', folderName: '' };
}
