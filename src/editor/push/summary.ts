import * as l10n from '@vscode/l10n';

import type { PushEnd } from './pushRun';

/** How a push ended in one browser, in the words for people. */
export interface EndText {
  browser: string;
  outcome: PushEnd['outcome'];
  text: string;
  /** Holds for every browser alike. */
  isForAll: boolean;
}

export interface Summary {
  /**
   * `running`: in all browsers, in some of them anew. `unverified`: delivered to all, but not seen to run in each. `nothing`: nothing
   * was changed, nothing went wrong.
   */
  state: 'running' | 'unverified' | 'partly' | 'nothing' | 'failed';
  /** In how many browsers the build runs. */
  running: number;
  text: string;
}

/** One sentence about all browsers of a push, and what it comes to. At least one end. */
export function summarise(ends: readonly EndText[]): Summary {
  const isRunning = ({ outcome }: EndText): boolean => outcome === 'running' || outcome === 'unchanged';
  const running = ends.filter(isRunning).length;
  const others = ends.filter((end) => !isRunning(end));
  const isNew = ends.some(({ outcome }) => outcome === 'running');
  const [first] = ends;
  const state = stateOf(others, running, isNew);
  if (ends.length === 1 || first?.isForAll === true) return { state, running, text: first?.text ?? '' };
  if (others.length === 0 && !isNew) return { state, running, text: first?.text ?? '' };
  const names = ends.map(({ browser }) => browser).join(', ');
  return {
    state,
    running,
    text:
      others.length === 0
        ? l10n.t('Running in {0} browsers: {1}.', ends.length, names)
        : l10n.t(
            'Running in {0} of {1} browsers; {2}',
            running,
            ends.length,
            others.map(({ browser, text }) => `${browser}: ${text}`).join(' '),
          ),
  };
}

function stateOf(others: readonly EndText[], running: number, isNew: boolean): Summary['state'] {
  if (others.length > 0 && others.every(({ outcome }) => outcome === 'unverified')) return 'unverified';
  const isFailed = others.some(({ outcome }) => outcome !== 'cancelled' && outcome !== 'unverified');
  if (isFailed) return running > 0 ? 'partly' : 'failed';
  if (others.length > 0) return isNew || others.some(({ outcome }) => outcome === 'unverified') ? 'partly' : 'nothing';
  return isNew ? 'running' : 'nothing';
}
