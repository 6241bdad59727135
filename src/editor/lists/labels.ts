import type { BrowserSession, Profile } from '../../service/model';
import { shortened } from '../../units';

/** Longest name that the interface allows, in characters. */
const NAME_LENGTH = 255;

const SHORT_ID_LENGTH = 12;

/** The label of a browser: its name, else the beginning of its id. */
export function browserLabel({ name, session_id }: BrowserSession): string {
  return shortened(name ?? session_id.slice(0, SHORT_ID_LENGTH), NAME_LENGTH);
}

/** The label of a profile or a stored extension: its name, else its id. */
export function recordLabel({ name, id }: Pick<Profile, 'id' | 'name'>): string {
  return shortened(name ?? id, NAME_LENGTH);
}

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
