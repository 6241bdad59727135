import type { Finding } from '../../src/manifest/finding';
import { BROKEN_WORKER } from '../../src/manifest/rules/brokenWorker';

/**
 * Whether a finding keeps the Chromium of the cases (headless, on Linux, without WebGL) from loading a folder. A worker that never runs is an
 * error of ours, and loads all the same; what depends on the browser is a warning of ours, and this one refuses it.
 */
export function isRefusal({ severity, rule, dependsOnBrowser }: Finding): boolean {
  return (severity === 'error' && rule !== BROKEN_WORKER) || dependsOnBrowser === true;
}
