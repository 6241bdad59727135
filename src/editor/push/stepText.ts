import * as l10n from '@vscode/l10n';

import type { PushStep } from '../../push/outcome';
import { durationText, shortened, sizeText } from '../../base/units';

/** Uploads from this size on take long enough to show a percentage, in bytes. */
const LARGE_UPLOAD_BYTES = 1_000_000;

/** How many ignored globs a log line names, and how much of each, in characters. */
const MAX_NAMED_GLOBS = 5;
const MAX_GLOB_LENGTH = 60;

/** The log line of a step that has ended. English, like the whole log. */
export function stepLine(step: PushStep): string | undefined {
  switch (step.step) {
    case 'waiting':
      return 'waiting for the push of another program to this browser';
    case 'ignoredGlobs': {
      const globs = step.globs.slice(0, MAX_NAMED_GLOBS).map((glob) => `"${shortened(glob, MAX_GLOB_LENGTH)}"`);
      const count = step.globs.length > globs.length ? ` and ${step.globs.length - globs.length} more` : '';
      return `patterns of sideload.exclude and sideload.include that are too long, too many or malformed count as literal paths: ${globs.join(', ')}${count}`;
    }
    case 'checked':
      return `checked in ${durationText(step.ms)}, ${countText(step.findings)}`;
    case 'foundConnections': {
      const places = step.uses.map(({ address, file, line }) => `${address} (${file}:${line})`).join(', ');
      return `the build connects to your machine, which a remote browser cannot reach: ${places}`;
    }
    case 'carriedSockets':
      return `a line was added to ${filesNamed(step.files)}, so that websockets reach localhost on this computer`;
    case 'packed':
      return `packed ${step.files} files, ${sizeText(step.bytes)} in ${durationText(step.ms)}${secretsNote(step.secrets)}`;
    case 'uploaded':
      return `uploaded in ${durationText(step.ms)}${step.restarted ? ', Chromium restarted' : ''}`;
    case 'removedCopies':
      return `removed other copies: ${step.copies.map(({ id, path }) => `${id} (${path})`).join(', ')}`;
    case 'checking':
    case 'packing':
    case 'uploading':
    case 'verifying':
      return undefined;
  }
}

/** Names some of the files that are left out as secrets. */
function secretsNote(secrets: readonly string[] = []): string {
  return secrets.length === 0 ? '' : `; left out because they look like secrets: ${filesNamed(secrets)}`;
}

/** The first of some files, and how many more there are. */
function filesNamed(files: readonly string[]): string {
  const named = files.slice(0, MAX_NAMED_GLOBS).map((path) => shortened(path, MAX_GLOB_LENGTH));
  return `${named.join(', ')}${files.length > named.length ? ` and ${files.length - named.length} more` : ''}`;
}

function countText(findings: readonly { severity: string }[]): string {
  const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const counts = [
    errors === 0 ? 'no errors' : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
  ];
  return counts.join(', ');
}

/** The progress message of a step under way. */
export function stepMessage(step: PushStep): string | undefined {
  if (step.step === 'uploading') return uploadMessage(step);
  const underWay: Partial<Record<PushStep['step'], string>> = {
    waiting: l10n.t('waiting for the push of another program'),
    checking: l10n.t('checking'),
    packing: l10n.t('packing'),
    verifying: l10n.t('verifying'),
  };
  return underWay[step.step];
}

/** A large upload shows its percentage. */
function uploadMessage({ bytes, sent, restarts }: Extract<PushStep, { step: 'uploading' }>): string {
  const size = sizeText(bytes);
  const amount = bytes < LARGE_UPLOAD_BYTES ? size : l10n.t('{0}, {1} %', size, Math.floor((100 * sent) / bytes));
  if (!restarts) return l10n.t('uploading {0}', amount);
  return sent < bytes ? l10n.t('uploading {0}, then Chromium restarts', amount) : l10n.t('restarting Chromium');
}
