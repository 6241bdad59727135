import { isObject } from '../base/fields';

/** Values of Chromium's policy DeveloperToolsAvailability; any other forbids DevTools in what a policy has installed. */
const EVERYWHERE = 1;
const NOWHERE = 2;

/** The modes of ExtensionSettings by which a policy installs an extension. */
const INSTALLING: ReadonlySet<unknown> = new Set(['force_installed', 'normal_installed']);

/** Whether the policies of a browser can keep DevTools from looking at what runs in it (service documentation, `chrome_policy`). */
export function mayBlockDevTools(policies: Readonly<Record<string, unknown>> | null | undefined): boolean {
  if (!policies) return false;
  const {
    DeveloperToolsAvailability: availability,
    ExtensionInstallForcelist: forced,
    ExtensionSettings: each,
  } = policies;
  if (availability === EVERYWHERE || availability === NOWHERE) return availability === NOWHERE;
  const isForced = Array.isArray(forced) && forced.length > 0;
  const isSet = isObject(each) && Object.values(each).some(installs);
  return isForced || isSet;
}

function installs(setting: unknown): boolean {
  return isObject(setting) && INSTALLING.has(setting['installation_mode']);
}
