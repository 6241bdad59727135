import * as l10n from '@vscode/l10n';

import type { PushStep } from '../../push/outcome';
import { durationText, sizeText } from '../../units';

/** The log line of a step that is done. English, like all of the log. */
export function stepLine(step: PushStep): string | undefined {
  switch (step.step) {
    case 'checked':
      return `checked in ${durationText(step.ms)}, ${countText(step.findings)}`;
    case 'foundConnections': {
      const places = step.uses.map(({ address, file, line }) => `${address} (${file}:${line})`).join(', ');
      return `a browser elsewhere cannot reach your machine, so this will not connect: ${places}`;
    }
    case 'packed':
      return `packed ${step.files} files, ${sizeText(step.bytes)} in ${durationText(step.ms)}`;
    case 'uploaded':
      return `uploaded in ${durationText(step.ms)}${step.restarted ? ', Chromium restarted' : ''}`;
    case 'checking':
    case 'packing':
    case 'uploading':
    case 'verifying':
      return undefined;
  }
}

function countText(findings: readonly { severity: string }[]): string {
  const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const parts = [
    errors === 0 ? 'no errors' : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
  ];
  return parts.join(', ');
}

/** What a person sees while a step is under way. */
export function stepMessage(step: PushStep): string | undefined {
  switch (step.step) {
    case 'checking':
      return l10n.t('checking');
    case 'packing':
      return l10n.t('zipping');
    case 'uploading':
      return step.restarts
        ? l10n.t('uploading {0}, then Chromium restarts', sizeText(step.bytes))
        : l10n.t('uploading {0}', sizeText(step.bytes));
    case 'verifying':
      return l10n.t('verifying');
    case 'checked':
    case 'foundConnections':
    case 'packed':
    case 'uploaded':
      return undefined;
  }
}
