import * as l10n from '@vscode/l10n';

/** A push that would restart browsers. */
interface RestartingPush {
  /** The labels of the browsers. */
  names: readonly string[];
  /** Whether a push without a restart is possible. */
  canAvoid: boolean;
  /** Whether each push restarts them, as the setting says. */
  isEachPush: boolean;
}

/** The question whether browsers may be restarted, and what it means, line by line. */
export function restartText({ names, canAvoid, isEachPush }: RestartingPush): { question: string; lines: string[] } {
  const listed = names.join(', ');
  const isFirst = canAvoid && !isEachPush;
  const question =
    isFirst && names.length === 1
      ? l10n.t('The first push restarts Chromium in {0}.', listed)
      : isFirst
        ? l10n.t('The first push to a browser restarts its Chromium. You are pushing to {0}.', listed)
        : l10n.t('The push restarts Chromium in {0}.', listed);
  return { question, lines: [whatItDoes(canAvoid, isEachPush), ...(canAvoid ? [whatElse()] : [])] };
}

function whatItDoes(canAvoid: boolean, isEachPush: boolean): string {
  if (!canAvoid) {
    return l10n.t(
      'A restart closes the open tabs and breaks DevTools connections. Logins and storage are kept. Without DevTools each push restarts it.',
    );
  }
  if (isEachPush) {
    return l10n.t(
      'A restart closes the open tabs and breaks DevTools connections. Logins and storage are kept. The setting {0} is "restart", so each push restarts it.',
      'sideload.delivery',
    );
  }
  return l10n.t(
    'A restart closes the open tabs and breaks DevTools connections. Logins and storage are kept. Later pushes need no restart.',
  );
}

function whatElse(): string {
  return l10n.t(
    'Without a restart the tabs stay. The extension is gone when the browser restarts, until the next push brings it back.',
  );
}
