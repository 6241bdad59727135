import * as l10n from '@vscode/l10n';
import { workerFile } from '../namedFile';
import type { Proposal } from '../proposal';
import { refusal } from '../refusal';
import { pageFile } from '../values/resource';
import { ruleOf } from '../rule';
import { missingFile } from './missingFile';

/**
 * R-SW-MISSING: the worker's file, or a folder of that name, has to exist. Chromium's text has an empty name, because it fails before it
 * knows the name. Measured on Chromium 156.
 */
export const missingWorkerRule = ruleOf('R-SW-MISSING', 'files', async (context) => {
  const worker = workerFile(context);
  if (!worker || (await context.folder.exists(worker.file))) return [];
  const message = l10n.t('The service worker "{0}" is not in the folder.', worker.written);
  return missingFile(context.folder, worker, refusal("Could not load background script ''.", message, worker.path));
});

/** R-SW-VALUE and R-SW-TYPE: a file of the extension, as a classic script or a module. Measured on Chromium 156. */
export const workerValueRule = ruleOf('R-SW-VALUE', 'keys', function* ({ manifest }) {
  const path = ['background', 'service_worker'];
  const worker = manifest.at(...path);
  if (!worker) return;
  if (worker.kind !== 'string' || pageFile(worker.value) === undefined) {
    const message = l10n.t('"service_worker" has to be the name of a script in the folder.');
    yield refusal("Invalid value for 'background.service_worker'.", message, path);
  }
  const type = manifest.at('background', 'type');
  if (!type || (type.kind === 'string' && ['classic', 'module'].includes(type.value))) return;
  const fix: Proposal = { do: 'replace', by: 'module', isGuess: true };
  const message = l10n.t('"type" has to be "module" or "classic".');
  yield refusal("Invalid value for 'background.type'.", message, ['background', 'type'], { fix, rule: 'R-SW-TYPE' });
});
