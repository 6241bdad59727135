import { ROWS } from '../../ids';
import type { BrowserSession, Profile, StoredExtension } from '../../service/model';
import { sizeText } from '../../units';
import { ageText, browserLabel, recordLabel } from './labels';

/** A row of a list as plain data: its texts, its icon and the item that it shows. */
export interface Node<T> {
  /** The service's own id, so that a row keeps its selection over a refresh. */
  id: string;
  label: string;
  description: string;
  tooltip: string;
  /** Id of a theme icon. */
  icon: string;
  /** The row as one phrase, for a screen reader. */
  spoken: string;
  contextValue: string;
  item: T;
}

/** The role of a browser in pushes that do not ask: `target` is the only one they go to, `pinned` one of several. */
export type PushRole = 'target' | 'pinned' | 'none';

const ROLE_FACTS: Record<PushRole, readonly string[]> = {
  target: ['push target'],
  pinned: ['pinned push target'],
  none: [],
};

export function browserNode(session: BrowserSession, role: PushRole, now: number): Node<BrowserSession> {
  const label = browserLabel(session);
  const state = session.deleted_at ? 'ended' : 'running';
  const facts = [
    state,
    ...ROLE_FACTS[role],
    session.headless ? 'headless' : 'with window',
    ageText(session.created_at, now),
    ...(session.profile ? [`profile ${recordLabel(session.profile)}`] : []),
  ];
  return {
    id: session.session_id,
    label,
    description: facts.join(' · '),
    tooltip: [
      label,
      `id ${session.session_id}`,
      facts.join(', '),
      `ends after ${session.timeout_seconds} s without use`,
      ...(session.viewport ? [`screen ${session.viewport.width} × ${session.viewport.height}`] : []),
    ].join('\n'),
    icon: iconOf(role, session.headless),
    spoken: `Browser ${label}, ${spokenFacts(facts)}`,
    contextValue: role === 'pinned' ? ROWS.pinnedBrowser : ROWS.browser,
    item: session,
  };
}

function iconOf(role: PushRole, isHeadless: boolean): string {
  if (role === 'pinned') return 'pinned';
  if (role === 'target') return 'target';
  return isHeadless ? 'server-process' : 'browser';
}

export function profileNode(profile: Profile, now: number): Node<Profile> {
  const label = recordLabel(profile);
  const used = profile.last_used_at ? `used ${ageText(profile.last_used_at, now)} ago` : 'not used yet';
  return {
    id: profile.id,
    label,
    description: used,
    tooltip: [label, `id ${profile.id}`, `created ${profile.created_at}`, used].join('\n'),
    icon: 'account',
    spoken: `Profile ${label}, ${spokenFacts([used])}`,
    contextValue: ROWS.profile,
    item: profile,
  };
}

export function extensionNode(extension: StoredExtension, now: number): Node<StoredExtension> {
  const label = recordLabel(extension);
  const facts = [sizeText(extension.size_bytes), `${ageText(extension.created_at, now)} old`];
  return {
    id: extension.id,
    label,
    description: facts.join(' · '),
    tooltip: [label, `id ${extension.id}`, ...facts].join('\n'),
    icon: 'extensions',
    spoken: `Stored extension ${label}, ${spokenFacts(facts)}`,
    contextValue: ROWS.extension,
    item: extension,
  };
}

/** The facts as a phrase for a screen reader. */
function spokenFacts(facts: readonly string[]): string {
  return facts
    .join(', ')
    .replace('<1 min', 'under a minute')
    .replace(/\bmin\b/g, 'minutes');
}
