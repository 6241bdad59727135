import * as l10n from '@vscode/l10n';
import { ROWS } from '../../ids';
import { changedPaths } from '../../push/prepare/changes';
import type { PushedArchive } from '../../push/pushRun';
import { durationText, shortened, sizeText } from '../../base/units';
import { errorsSinceFact, fact, shownFacts, spokenFacts } from '../lists/facts';
import type { Node } from '../lists/nodes';
import { plainText } from '../plainText';

/** Longest version, name of a browser and reason in a row, in characters. */
const MAX_LENGTH = 60;
const MAX_REASON = 400;

/** How many characters of a digest tell builds apart for people, as git does it. */
const DIGEST_LENGTH = 7;

const ICONS = { running: 'pass', unverified: 'question', failed: 'error' } as const;

/** A push of this window to one browser that has ended. */
export interface PastPush {
  /** Unique in this window. */
  id: number;
  /** In milliseconds since the epoch. */
  at: number;
  /** Identifies the service of the browser. */
  service: string;
  browserId: string;
  /** What people call the browser. */
  browser: string;
  /** The extension folder, absolute. */
  folder: string;
  archive: PushedArchive;
  state: 'running' | 'unverified' | 'failed';
  /** How it ended, in two or three words, empty when it runs, and as a sentence. */
  label: string;
  sentence: string;
  /** Milliseconds; undefined when it failed. */
  ms: number | undefined;
  extensionId: string | undefined;
  /** Errors of the extension since, until the next push to the browser began; undefined while they are still counted. */
  errors: number | undefined;
  /** Whether what was pushed runs no longer, or another program has replaced it, so that nothing more is counted. */
  isOver?: boolean;
}

/** A file that two builds do not have alike. */
export interface FileDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed';
}

/** Which files a later build does not have as an earlier one, by their paths. */
export function differences(before: PushedArchive, after: PushedArchive): FileDifference[] {
  return changedPaths(before.digests, after.digests).map((path) => {
    if (!before.digests.has(path)) return { path, kind: 'added' };
    return { path, kind: after.digests.has(path) ? 'changed' : 'removed' };
  });
}

/** The row of a push. `errors`: of the extension since; `language`: in which times are written. */
export function pushNode(push: PastPush, errors: number, language: string): Node<PastPush> {
  const { id, at, browser, archive, state, label, sentence, ms, folder } = push;
  const time = new Date(at).toLocaleTimeString(language);
  const build = buildText(push);
  // What is cut off in a narrow view is what a glance needs least.
  const facts = [
    ...(state === 'running' ? [] : [fact(label)]),
    ...(errors === 0 ? [] : [errorsSinceFact(errors)]),
    fact(cut(browser)),
    ...(ms === undefined ? [] : [fact(durationText(ms))]),
    fact(time),
  ];
  return {
    id: `push/${id}`,
    label: build,
    description: shownFacts(facts),
    tooltip: [
      `${cut(archive.name)} ${build}`,
      shortened(plainText(sentence), MAX_REASON),
      l10n.t('{0} files, {1} packed', archive.digests.size, sizeText(archive.bytes)),
      l10n.t('digest {0}', archive.digest),
      folder,
    ].join('\n'),
    icon: ICONS[state],
    spoken: spokenFacts(l10n.t('Push of {0}', build), facts),
    contextValue: ROWS.push,
    item: push,
  };
}

/** The version of a build and the beginning of its digest. */
export function buildText({ archive }: PastPush): string {
  return `${cut(archive.version)} · ${archive.digest.slice(0, DIGEST_LENGTH)}`;
}

/** How many files two builds do not have alike, by kind. */
export function differencesText(differences: readonly FileDifference[]): string {
  const count = (wanted: FileDifference['kind']): number => differences.filter(({ kind }) => kind === wanted).length;
  return l10n.t('{0} changed, {1} added, {2} removed', count('changed'), count('added'), count('removed'));
}

/** The word for a difference. */
export function differenceText({ kind }: FileDifference): string {
  return {
    added: l10n.t('added'),
    removed: l10n.t('removed'),
    changed: l10n.t('changed'),
  }[kind];
}

function cut(text: string): string {
  return shortened(plainText(text), MAX_LENGTH);
}
