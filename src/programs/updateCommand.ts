import { stat, writeFile } from 'node:fs/promises';
import { isWithin, readRegularFile } from '../base/disk';
import { exportedStorage, type ExportedStorage } from '../devtools/storage/exportFormat';
import { oldVersionNamed } from '../publish/oldVersion';
import { reportJson, shownText } from '../publish/reportText';
import { checkTitle, hasPassed, type UpdateReport } from '../publish/updateReport';
import { stepTitle, UpdateTestError } from '../publish/updateStep';
import { runUpdateTest } from '../publish/updateTest';
import type { Logger } from '../service/logger';
import { oneLine } from '../agents/bounds';
import { EXIT } from '../agents/exitCodes';
import { UsageError, type CliOptions } from './cliOptions';
import { onEndSignal } from './endSignals';
import { LOCAL_VIEWPORT } from './headless/localViewport';
import { junitOfCases } from './junit';
import { chooseService } from './serviceChoice';
import { jsonLine } from './printable';

/** The largest file with storage that is read, in bytes. */
const MOST_STORAGE_BYTES = 64 * 1024 * 1024;

/**
 * Tests the update of the extension in `path` from an old version, prints what it finds and writes the report if one is asked for. Resolves to the
 * exit code.
 * @throws UsageError
 */
export async function testUpdate(
  options: CliOptions & { updateFrom: string },
  path: string,
  log: Logger,
  print: (line: string) => void,
): Promise<number> {
  const { updateFrom, storage: storageFile, mayDownload, json, junit, exclude, include, headless } = options;
  const [folder = path] = options.folders;
  const cwd = process.cwd();
  const from = await oldVersionNamed(updateFrom, cwd);
  if (!from)
    throw new UsageError(`"${oneLine(updateFrom, 100)}" is neither the id nor the address of a published extension.`);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new UsageError(`There is no folder ${oneLine(path)}.`);
  const storage = storageFile === undefined ? undefined : await readStorageFile(storageFile);
  const root = isWithin(cwd, path) ? cwd : path;
  const stop = new AbortController();
  onEndSignal(() => stop.abort());
  const choice = chooseService({ ...options, log });
  try {
    const service = await choice.connect();
    const report = await runUpdateTest(
      {
        folder: path,
        root,
        from,
        ...(storage && { storage }),
        isLocal: choice.isLocal,
        settings: { exclude, include, storeHints: false, delivery: 'auto', tabs: 'visible', folderName: '' },
        browser: { ...(choice.isLocal && { viewport: LOCAL_VIEWPORT }), ...(headless && { headless }) },
      },
      { service, log, mayDownload: () => Promise.resolve(mayDownload) },
      stop.signal,
    ).finally(() => void service.close());
    if (junit !== undefined) await writeFile(junit, junitOfCases(report.name, casesOf(report, root)));
    if (json) print(jsonLine(reportJson(report, root)));
    else for (const line of linesOf(report, root)) print(line);
    return exitCodeOf(report);
  } catch (error) {
    if (!(error instanceof UpdateTestError)) throw error;
    if (junit !== undefined) await writeFile(junit, junitOfCases(folder, [failedStep(error, root)]));
    const message = shownText(error.message, root);
    if (json) print(jsonLine({ passed: false, step: error.step, error: message }));
    else print(`STOPPED at the step "${stepTitle(error.step)}": ${message}`);
    return EXIT.serviceFailed;
  } finally {
    choice.release();
  }
}

/** @throws UsageError for what "Export Storage…" has not written */
async function readStorageFile(path: string): Promise<ExportedStorage> {
  const bytes = await readRegularFile(path, MOST_STORAGE_BYTES);
  if (!bytes)
    throw new UsageError(`The file ${oneLine(path)} cannot be read. Name one that "Export Storage…" has saved.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new UsageError(`The file ${oneLine(path)} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const found = exportedStorage(value);
  if ('problem' in found) {
    throw new UsageError(`The file ${oneLine(path)} holds no storage. Name one that "Export Storage…" has saved.`);
  }
  return found;
}

function exitCodeOf(report: UpdateReport): number {
  if (hasPassed(report)) return EXIT.running;
  return report.checks.some(({ id, state }) => id === 'runs' && state === 'failed') ? EXIT.workerFailed : EXIT.refused;
}

function linesOf(report: UpdateReport, root: string): string[] {
  const { name, old, next, checks, ms } = report;
  const failed = checks.filter(({ state }) => state === 'failed').length;
  return [
    `${oneLine(name, 100)}: update from ${oneLine(old.version, 50)} (${oneLine(shownText(old.origin, root))}) to ${oneLine(next.version, 50)}`,
    ...checks.flatMap(({ id, state, message }) => [
      `${state} ${checkTitle(id)}`,
      ...message
        .split('\n')
        .filter(Boolean)
        .map((line) => `  ${oneLine(shownText(line, root))}`),
    ]),
    `${checks.filter(({ state }) => state === 'passed').length} passed, ${failed} failed, ${checks.filter(({ state }) => state === 'skipped').length} skipped in ${(ms / 1000).toFixed(1)} s`,
  ];
}

/** The checks as tests; the time of the whole is that of the first. */
function casesOf({ checks, ms }: UpdateReport, root: string): Parameters<typeof junitOfCases>[1] {
  return checks.map(({ id, state, message }, index) => ({
    name: checkTitle(id),
    state,
    message: shownText(message, root),
    ms: index === 0 ? ms : 0,
  }));
}

function failedStep({ step, message }: UpdateTestError, root: string): Parameters<typeof junitOfCases>[1][number] {
  return { name: stepTitle(step), state: 'failed', message: shownText(message, root), ms: 0 };
}
