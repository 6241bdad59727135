import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../manifest/load';
import { allowsBrowser, minimumBrowser } from '../manifest/update/minimumBrowser';
import { isSameVersion } from '../manifest/values/version';
import type { InstallNote } from '../devtools/inPage/updateCalls';
import { lineOfValue, type CheckedVersion, type ComparedVersions } from './comparedVersions';
import { emptied } from './extensionData';
import type { LoadedOutcome } from './testedBrowser';
import { differenceLine } from './reportLines';
import type { FilePlace, UpdateCheck, UpdateReport } from './updateReport';

/** What the checks judge besides the facts of the report. */
export interface Judged {
  versions: ComparedVersions;
  /** How the old version and the new build were loaded. */
  loaded: LoadedOutcome;
  outcome: LoadedOutcome;
  /** What the worker of the new build has noted of `runtime.onInstalled`; undefined where none could be asked. */
  note: InstallNote | undefined;
}

type Facts = Omit<UpdateReport, 'checks' | 'ms'>;

/** The checks of an update, in their order. */
export function checksOf(facts: Facts, judged: Judged): UpdateCheck[] {
  const { versions, loaded, outcome } = judged;
  const { next, rises } = versions;
  const { version } = next.manifest;
  return [
    {
      id: 'version',
      state: rises ? 'passed' : 'failed',
      message: rises
        ? l10n.t('From {0} to {1}', facts.old.version, facts.next.version)
        : l10n.t('Both versions are {0}: no browser updates to it. Raise "version".', version),
      ...(!rises && { at: placeIn(next, ['version']) }),
    },
    {
      id: 'id',
      state: loaded.extensionId === outcome.extensionId ? 'passed' : 'failed',
      message:
        loaded.extensionId === outcome.extensionId
          ? outcome.extensionId
          : l10n.t(
              'It was {0} and is {1}, so nothing that was stored is there.',
              loaded.extensionId,
              outcome.extensionId,
            ),
    },
    minimumCheck(next, facts.chromium),
    permissionCheck(facts, next),
    runsCheck(outcome),
    installedCheck(facts, judged),
    dataCheck(facts),
    errorCheck(facts),
  ];
}

function placeIn(version: CheckedVersion, path: readonly (string | number)[]): FilePlace {
  const [line, column] = lineOfValue(version, path);
  return { file: join(version.folder, MANIFEST_FILE), line, column };
}

function minimumCheck(next: CheckedVersion, chromium: string): UpdateCheck {
  const least = minimumBrowser(next.document);
  const version = /[\d.]+$/.exec(chromium)?.[0];
  if (least === undefined || version === undefined) {
    return { id: 'minimum', state: 'skipped', message: l10n.t('The manifest names no "minimum_chrome_version".') };
  }
  const message = l10n.t('The manifest wants {0}, and this is {1}.', least, chromium);
  if (allowsBrowser(next.document, version)) return { id: 'minimum', state: 'passed', message };
  return { id: 'minimum', state: 'failed', message, at: placeIn(next, ['minimum_chrome_version']) };
}

function permissionCheck({ permissions: { isAskedAgain, causes } }: Facts, next: CheckedVersion): UpdateCheck {
  if (!isAskedAgain) {
    const message = l10n.t('Nothing is new in it that Chromium asks about.');
    return { id: 'permissions', state: 'passed', message };
  }
  const lines = causes.map(({ path, name, warning }) => {
    const { line, column } = placeIn(next, path);
    return `${MANIFEST_FILE}:${line}:${column} ${warning === undefined ? name : `${name}: ${warning}`}`;
  });
  const [first] = causes;
  return {
    id: 'permissions',
    state: 'failed',
    message: [l10n.t('Chromium disables it after the update until its user agrees to:'), ...lines].join('\n'),
    ...(first && { at: placeIn(next, first.path) }),
  };
}

function runsCheck(outcome: LoadedOutcome): UpdateCheck {
  if (outcome.kind === 'workerFailed') {
    const faults = outcome.faults.map(({ text }) => text);
    return { id: 'runs', state: 'failed', message: [l10n.t('Its service worker failed.'), ...faults].join('\n') };
  }
  const message =
    outcome.worker === 'none'
      ? l10n.t('It is enabled, and has no service worker.')
      : l10n.t('Its service worker has run to its end.');
  return { id: 'runs', state: 'passed', message };
}

function installedCheck({ installed, old }: Facts, { outcome, note }: Judged): UpdateCheck {
  const id = 'installed';
  if (outcome.kind === 'workerFailed' || outcome.worker === 'none') {
    return { id, state: 'skipped', message: l10n.t('It has no service worker that runs.') };
  }
  if (!note) return { id, state: 'skipped', message: l10n.t('Its service worker could not be asked.') };
  if (!note.listens) return { id, state: 'skipped', message: l10n.t('It does not listen to runtime.onInstalled.') };
  if (!installed) return { id, state: 'failed', message: l10n.t('runtime.onInstalled did not come.') };
  const { reason, previousVersion } = installed;
  const message = `runtime.onInstalled: ${JSON.stringify({ reason, previousVersion })}`;
  const isOld = previousVersion !== undefined && isSameVersion(previousVersion, old.version);
  return { id, state: reason === 'update' && isOld ? 'passed' : 'failed', message };
}

function dataCheck({ before, after, differences }: Facts): UpdateCheck {
  const gone = emptied(before, after);
  const lines = differences.map(differenceLine);
  if (gone.length === 0) {
    return { id: 'data', state: 'passed', message: lines.length === 0 ? l10n.t('Nothing differs.') : lines.join('\n') };
  }
  const message = l10n.t('All of this is gone: {0}', gone.join(', '));
  return { id: 'data', state: 'failed', message: [message, ...lines].join('\n') };
}

function errorCheck({ errors }: Facts): UpdateCheck {
  const real = errors.filter(({ isWarning }) => !isWarning);
  const [first] = real;
  const lines = errors.map(({ file, line, column, part, text, isWarning }) =>
    isWarning
      ? `${file}:${line}:${column} ${part}: ${l10n.t('warning')}: ${text}`
      : `${file}:${line}:${column} ${part}: ${text}`,
  );
  if (!first) return { id: 'errors', state: 'passed', message: lines.join('\n') || l10n.t('None.') };
  const { file, line, column } = first;
  return { id: 'errors', state: 'failed', message: lines.join('\n'), at: { file, line, column } };
}
