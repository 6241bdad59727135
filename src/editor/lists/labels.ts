import type { BrowserSession } from '../../service/model';

/** The label of a browser: its name, else the beginning of its id. */
export function browserLabel(session: BrowserSession): string {
  return session.name ?? session.session_id.slice(0, SHORT_ID_LENGTH);
}

const SHORT_ID_LENGTH = 12;

/** The label of one or several browsers that a push goes to. */
export function browsersLabel(sessions: readonly BrowserSession[]): string {
  const [only] = sessions;
  return sessions.length === 1 && only ? browserLabel(only) : `${sessions.length} browsers`;
}

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** Time since `iso`, in whole minutes, hours or days, so that a list changes at most once a minute. */
export function ageText(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (!(age >= MINUTE_MS)) return '<1 min';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  return age < DAY_MS ? `${Math.floor(age / HOUR_MS)} h` : `${Math.floor(age / DAY_MS)} d`;
}
