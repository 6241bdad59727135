import type { Finding } from '../../src/manifest/finding';
import { BROKEN_WORKER } from '../../src/manifest/rules/brokenWorker';
import { MANIFEST_LINK } from '../../src/manifest/rules/delivery';

/** Errors of ours, which Chromium does not have. */
const OWN_ERRORS = [BROKEN_WORKER, MANIFEST_LINK];

/**
 * Whether a finding keeps the Chromium of the cases (headless, on Linux, without WebGL) from loading a folder. A worker that never runs
 * and a manifest that is not packed are errors of ours, and load all the same; what depends on the browser is a warning of ours, and this one refuses it.
 */
export function isRefusal({ severity, rule, dependsOnBrowser }: Finding): boolean {
  return (severity === 'error' && !OWN_ERRORS.includes(rule)) || dependsOnBrowser === true;
}
