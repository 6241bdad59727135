import * as l10n from '@vscode/l10n';
import { durationText } from '../../base/units';
import type { PushRecord } from '../../push/known/pushRecords';
import { errorsFact } from '../lists/facts';
import type { StatusTexts } from '../notify';
import type { PushOnSave } from '../settings';

/** What the status bar is about: the browsers of the last push, or those that the next one goes to. */
export interface StatusFacts {
  /** The label of the browser, or how many there are; undefined when none is chosen. */
  browser: string | undefined;
  /** The labels of these browsers, in the order of the records. */
  labels?: readonly string[];
  /** The records of these browsers; undefined where this window has not pushed. */
  records: readonly (PushRecord | undefined)[];
  /** How many errors there are of what was pushed to these browsers from the folder. */
  errors?: number;
  /** The step of a push that runs. */
  step?: string | undefined;
  /** Why pushes by themselves wait for the user: two or three words, and a sentence. */
  waiting?: { label: string; reason: string } | undefined;
  saves: PushOnSave;
  /** The folder that was pushed, where several are open, and those whose saves push where these are others. */
  folder?: string | undefined;
  savesOf?: string;
}

/** The texts of the item; `spoken` for screen readers and as the tooltip. */
export type StatusText = Omit<StatusTexts, 'tooltip'>;

/** What the status-bar item says: only what is known to be true now. */
export function statusText(facts: StatusFacts): StatusText {
  const { icon, words, spoken, isWarning = false, isRunning = false } = stateOf(facts);
  const { browser, folder, saves, errors = 0 } = facts;
  const since = isRunning && errors > 0 ? errorsFact(errors) : undefined;
  const subject = [folder, browser].filter((one) => one !== undefined).join(' → ');
  const saving = savesText(saves, facts.savesOf);
  return {
    icon,
    text: [subject === '' ? 'Sideload' : subject, words, since?.shown ?? '', saving.short]
      .filter((one) => one !== '')
      .join(' · '),
    // A reason is a sentence, whose full stop would stand before the next comma.
    spoken: [
      ...(folder === undefined ? [] : [folder]),
      spoken.replace(/[.。]$/, ''),
      ...(since ? [since.spoken] : []),
      saving.long,
    ].join(', '),
    isWarning,
  };
}

interface State {
  icon: string;
  words: string;
  spoken: string;
  isWarning?: boolean;
  /** Whether the build runs in all of the browsers. */
  isRunning?: boolean;
}

function stateOf({ browser, labels = [], records, step, waiting }: StatusFacts): State {
  const named = browser ?? '';
  if (step !== undefined) {
    return { icon: 'sync~spin', words: step, spoken: l10n.t('pushing to {0}: {1}', named, step) };
  }
  if (waiting) return { icon: 'debug-pause', words: waiting.label, spoken: waiting.reason, isWarning: true };
  const known = records.filter((record) => record !== undefined);
  const bad = known.find(({ state }) => state === 'failed' || state === 'stopped');
  const running = known.filter(({ state }) => state === 'running').length;
  if (bad) {
    const count = l10n.t('running in {0} of {1}', running, records.length);
    const label = labels[records.indexOf(bad)];
    if (records.length > 1 && label !== undefined) {
      const words = l10n.t('{0}: {1}', label, bad.label);
      return {
        icon: 'warning',
        words: running > 0 ? `${count} · ${words}` : words,
        spoken: l10n.t('{0}, {1}: {2}', count, label, bad.reason),
        isWarning: true,
      };
    }
    const words = running > 0 ? count : bad.label;
    const spoken =
      bad.state === 'failed'
        ? l10n.t('push to {0} failed at {1}: {2}', named, timeOf(bad), bad.reason)
        : l10n.t('no longer running in {0}: {1}', named, bad.reason);
    return { icon: 'warning', words, spoken, isWarning: true };
  }
  const [first] = known;
  // What another window has pushed, or this one before it was loaded again, is not known.
  if (!first) {
    return browser === undefined
      ? { icon: 'cloud-upload', words: '', spoken: l10n.t('no browser is chosen') }
      : { icon: 'target', words: '', spoken: l10n.t('pushes go to {0}', named) };
  }
  const unverified = known.find(({ state }) => state === 'unverified');
  if (unverified) {
    const spoken = l10n.t('pushed to {0} at {1}: {2}', named, timeOf(unverified), unverified.reason);
    return { icon: 'question', words: unverified.label, spoken };
  }
  if (known.length < records.length) {
    const words = l10n.t('running in {0} of {1}', known.length, records.length);
    return { icon: 'question', words, spoken: words };
  }
  const other = known.find(({ byOther }) => byOther);
  if (other) {
    return {
      icon: 'check',
      isRunning: true,
      words: l10n.t('another program, {0}', shortTime(other)),
      spoken: l10n.t(
        '{0} {1} is running in {2}, pushed by another program at {3}',
        other.name ?? '',
        other.version ?? '',
        named,
        timeOf(other),
      ),
    };
  }
  const slowest = Math.max(...known.map(({ ms = 0 }) => ms));
  return {
    icon: 'check',
    isRunning: true,
    words: shortTime(first),
    spoken: l10n.t(
      '{0} {1} is running in {2}, pushed at {3} in {4}',
      first.name ?? '',
      first.version ?? '',
      named,
      timeOf(first),
      durationText(slowest),
    ),
  };
}

function savesText(saves: PushOnSave, folders?: string): { short: string; long: string } {
  switch (saves) {
    case 'off':
      return { short: '', long: l10n.t('push on save is off') };
    case 'onSave':
      return folders === undefined
        ? { short: l10n.t('on save'), long: l10n.t('push on save is on') }
        : { short: l10n.t('on save: {0}', folders), long: l10n.t('push on save is on for {0}', folders) };
    case 'onBuild':
      return folders === undefined
        ? { short: l10n.t('on build'), long: l10n.t('push on build is on') }
        : { short: l10n.t('on build: {0}', folders), long: l10n.t('push on build is on for {0}', folders) };
  }
}

function shortTime({ at }: PushRecord): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

function timeOf({ at }: PushRecord): string {
  return new Date(at).toLocaleTimeString();
}
