import * as l10n from '@vscode/l10n';

/** The parts between Sideload and the code of an extension, in their order: each part depends on the previous one. */
const LEGS = ['service', 'browser', 'devTools', 'extension', 'worker'] as const;

export type LegName = (typeof LEGS)[number];

/** What was found out about one of them. */
export interface Leg {
  name: LegName;
  /** `unknown`: it was not reached, because one before it is broken. */
  state: 'works' | 'broken' | 'unknown';
  /** What was seen, as sentences; empty where nothing was. */
  said: string;
  /** What a person can do about one that is broken; empty where `said` says it. */
  advice: string;
  /** How long the answer took, in milliseconds; undefined where nothing was asked for it, or it is broken. */
  ms?: number;
}

/** The legs of one browser, in their order. */
export interface Examination {
  /** What people call the browser; undefined without one. */
  browser: string | undefined;
  legs: readonly Leg[];
}

/** What people call a leg. */
export function legTitle(name: LegName): string {
  const titles: Readonly<Record<LegName, string>> = {
    service: l10n.t('Service'),
    browser: l10n.t('Browser'),
    devTools: l10n.t('DevTools'),
    extension: l10n.t('Extension'),
    worker: l10n.t('Worker'),
  };
  return titles[name];
}

/** A leg that works. */
export function works(name: LegName, said: string): Leg {
  return { name, state: 'works', said, advice: '' };
}

/** A leg with how long its answer took, in milliseconds, when it works. */
export function timed(leg: Leg, ms: number): Leg {
  return leg.state === 'works' ? { ...leg, ms: Math.round(ms) } : leg;
}

/** A leg that is broken. */
export function broken(name: LegName, said: string, advice = ''): Leg {
  return { name, state: 'broken', said, advice };
}

/** All legs, of which those after the known ones were not reached. */
export function allLegs(known: readonly Leg[]): Leg[] {
  return LEGS.map((name) => known.find((leg) => leg.name === name) ?? { name, state: 'unknown', said: '', advice: '' });
}

/** The leg that is broken; undefined when all work. */
export function brokenLeg({ legs }: Examination): Leg | undefined {
  return legs.find(({ state }) => state === 'broken');
}
