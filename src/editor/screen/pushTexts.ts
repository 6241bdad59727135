import * as l10n from '@vscode/l10n';
import { durationText } from '../../base/units';
import type { PushRecord } from '../../push/known/pushRecords';

/** What the screen says of the last push to its browser. */
export interface PushTexts {
  /** Shown on the picture for a moment, when a push has just ended; empty otherwise. */
  mark: string;
  /** What runs now; empty when nothing was pushed. */
  line: string;
  /** Whether what was pushed runs, as far as is known. */
  isRunning: boolean;
}

/** The texts for a record. `isNew`: the push has just ended. */
export function pushTexts(record: PushRecord | undefined, isPushing: boolean, isNew: boolean): PushTexts {
  if (isPushing) return { mark: '', line: l10n.t('pushing'), isRunning: false };
  if (!record) return { mark: '', line: '', isRunning: false };
  const { state, label, name = '', version = '', ms } = record;
  const build = [name, version].filter((one) => one !== '').join(' ');
  const isRunning = state === 'running';
  const line = isRunning ? l10n.t('{0} runs', build) : label;
  const took = ms === undefined ? [] : [durationText(ms)];
  return { mark: isNew && isRunning ? [build, ...took].join(' · ') : '', line, isRunning };
}
