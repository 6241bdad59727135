import * as l10n from '@vscode/l10n';

import type { PushOutcome } from '../../push/pushRun';

/** How a push ended in one browser, with its sentence. */
export interface ToldOutcome {
  browser: string;
  /** The extension that was pushed, as people call it. */
  extension: string;
  kind: PushOutcome['kind'];
  text: string;
  /** The reason holds for every browser. */
  isForAll: boolean;
}

export interface Summary {
  /**
   * `running`: runs in all browsers, and some got a new build. `unverified`: delivered to all, but not verified in some. `nothing`:
   * nothing was changed, and nothing failed.
   */
  state: 'running' | 'unverified' | 'partly' | 'nothing' | 'failed';
  /** In how many browsers the build runs. */
  running: number;
  text: string;
}

/** One sentence about all browsers of a push, and the state it amounts to. Needs at least one outcome. */
export function summarise(outcomes: readonly ToldOutcome[]): Summary {
  const isRunning = ({ kind: outcome }: ToldOutcome): boolean => outcome === 'running' || outcome === 'unchanged';
  const running = outcomes.filter(isRunning).length;
  const others = outcomes.filter((told) => !isRunning(told));
  const isNew = outcomes.some(({ kind: outcome }) => outcome === 'running');
  const [first] = outcomes;
  const extensions = [...new Set(outcomes.map(({ extension }) => extension))];
  const state = stateOf(others, running, isNew);
  if (outcomes.length === 1 || (extensions.length === 1 && first?.isForAll === true))
    return { state, running, text: first?.text ?? '' };
  if (others.length === 0 && !isNew) return { state, running, text: first?.text ?? '' };
  if (extensions.length > 1) return { state, running, text: textOfSet(outcomes, others, extensions) };
  const names = outcomes.map(({ browser }) => browser).join(', ');
  return {
    state,
    running,
    text:
      others.length === 0
        ? l10n.t('Running in {0} browsers: {1}.', outcomes.length, names)
        : l10n.t(
            'Running in {0} of {1} browsers; {2}',
            running,
            outcomes.length,
            others.map(({ browser, text }) => `${browser}: ${text}`).join(' '),
          ),
  };
}

/** The same of extensions that were pushed together. */
function textOfSet(
  outcomes: readonly ToldOutcome[],
  others: readonly ToldOutcome[],
  extensions: readonly string[],
): string {
  const browsers = [...new Set(outcomes.map(({ browser }) => browser))].join(', ');
  const names = extensions.join(', ');
  if (others.length === 0) return l10n.t('Running in {0}: {1}.', browsers, names);
  const causes = others.filter(({ kind: outcome }) => outcome !== 'heldBack');
  const [only] = causes;
  const texts = [...new Set(causes.map(({ text }) => text))];
  // All have ended in the same way.
  if (only && texts.length === 1 && causes.length === outcomes.length) return `${names}: ${only.text}`;
  const said = causes.map(({ extension, text }) => `${extension}: ${text}`);
  const isHeld = causes.length < others.length;
  return [
    ...new Set(said),
    ...(isHeld ? [l10n.t('None of the {0} extensions was pushed.', extensions.length)] : []),
  ].join(' ');
}

function stateOf(others: readonly ToldOutcome[], running: number, isNew: boolean): Summary['state'] {
  if (others.length > 0 && others.every(({ kind: outcome }) => outcome === 'unverified')) return 'unverified';
  const isFailed = others.some(({ kind: outcome }) => outcome !== 'cancelled' && outcome !== 'unverified');
  if (isFailed) return running > 0 ? 'partly' : 'failed';
  if (others.length > 0)
    return isNew || others.some(({ kind: outcome }) => outcome === 'unverified') ? 'partly' : 'nothing';
  return isNew ? 'running' : 'nothing';
}
