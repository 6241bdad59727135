import * as l10n from '@vscode/l10n';

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** A time in the past in whole minutes, hours or days, so that its texts change at most once a minute. */
interface Age {
  unit: 'now' | 'minutes' | 'hours' | 'days';
  count: number;
}

/** `then` and `now` in milliseconds since the epoch; a time that is not known or in the future counts as now. */
function ageOf(then: number, now: number): Age {
  const age = now - then;
  if (!(age >= MINUTE_MS)) return { unit: 'now', count: 0 };
  if (age < HOUR_MS) return { unit: 'minutes', count: Math.floor(age / MINUTE_MS) };
  if (age < DAY_MS) return { unit: 'hours', count: Math.floor(age / HOUR_MS) };
  return { unit: 'days', count: Math.floor(age / DAY_MS) };
}

/** Time since `then`, for a row: `5 min`. */
export function ageText(then: number, now: number): string {
  const { unit, count } = ageOf(then, now);
  return {
    now: l10n.t('<1 min'),
    minutes: l10n.t('{0} min', count),
    hours: l10n.t('{0} h', count),
    days: l10n.t('{0} d', count),
  }[unit];
}

/** The same as a point in time: `5 min ago`. */
export function agoText(then: number, now: number): string {
  const { unit, count } = ageOf(then, now);
  return {
    now: l10n.t('just now'),
    minutes: l10n.t('{0} min ago', count),
    hours: l10n.t('{0} h ago', count),
    days: l10n.t('{0} d ago', count),
  }[unit];
}

/** The same for a screen reader: `5 minutes ago`. */
export function spokenAgo(then: number, now: number): string {
  const { unit, count } = ageOf(then, now);
  return {
    now: l10n.t('less than a minute ago'),
    minutes: count === 1 ? l10n.t('1 minute ago') : l10n.t('{0} minutes ago', count),
    hours: count === 1 ? l10n.t('1 hour ago') : l10n.t('{0} hours ago', count),
    days: count === 1 ? l10n.t('1 day ago') : l10n.t('{0} days ago', count),
  }[unit];
}

/** A duration in seconds in words, in the largest unit that divides it. */
export function secondsText(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? l10n.t('1 hour') : l10n.t('{0} hours', seconds / 3600);
  if (seconds % 60 === 0) return seconds === 60 ? l10n.t('1 minute') : l10n.t('{0} minutes', seconds / 60);
  return l10n.t('{0} seconds', seconds);
}
