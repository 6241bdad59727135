import * as l10n from '@vscode/l10n';
import { durationText } from '../../units';
import type { PushRecord } from '../browsers/pushRecords';

/** What the screen says of the last push to its browser. */
export interface PushTexts {
  /** Shown on the picture for a moment, when a push has just ended; empty otherwise. */
  mark: string;
  /** What runs now; empty when nothing was pushed. */
  line: string;
}

/** The texts for a record. `isNew`: the push has just ended. */
export function pushTexts(record: PushRecord | undefined, isPushing: boolean, isNew: boolean): PushTexts {
  if (isPushing) return { mark: '', line: l10n.t('pushing') };
  if (!record) return { mark: '', line: '' };
  const { state, label, name = '', version = '', ms } = record;
  const build = [name, version].filter((part) => part !== '').join(' ');
  const line = state === 'running' ? l10n.t('{0} runs', build) : label;
  const took = ms === undefined ? [] : [durationText(ms)];
  return { mark: isNew && state === 'running' ? [build, ...took].join(' · ') : '', line };
}
