import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { errorMessage } from '../base/errorMessage';
import { LatestRun } from '../base/latestRun';
import { type ErrorRecord, locateError, recordOf } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import type { BuildErrors } from '../console/reportedErrors';
import type { PushStep } from '../push/outcome';
import type { BrowserOutcome } from '../push/pushRun';
import { oneLine } from '../agents/bounds';
import { errorAdvice } from '../agents/errorAdvice';
import { exitCodeOf, exitCodeOfAll } from '../agents/exitCodes';
import { browserName } from '../agents/namedBrowsers';
import { pushText } from '../agents/pushText';
import { errorLines, SETTLE_MS, settleMsAfter } from '../agents/runtimeErrors';
import { findingJson, shownPath } from './checkCommand';
import type { HeadlessWindow } from './headless/headlessWindow';
import { jsonLine } from './printable';

interface PrinterOptions {
  /** The folders, as they were given. */
  readonly folders: readonly string[];
  readonly json: boolean;
  readonly print: (line: string) => void;
  /** Aborts when the program is asked to end. */
  readonly signal: AbortSignal;
}

/** Errors of an extension, and the build that has them. */
type TakenErrors = Pick<BuildErrors, 'errors' | 'build'>;

/** Prints how pushes of a program end, and the errors of what runs, each of them once. */
export class PushPrinter {
  /** The findings of the last check, by folder, absolute. */
  readonly #findings = new Map<string, object[]>();
  /** How the last push of each folder ended. */
  readonly #ends = new Map<string, BrowserOutcome>();
  /** The extension that each folder had last in its browser, where a refused build has left it. */
  readonly #ids = new Map<string, string>();
  readonly #printed = new WeakSet<PartError>();
  /** One at a time, so that lines of two folders do not mix. */
  readonly #inTurn = pLimit(1);
  readonly #following = new LatestRun(() => this.#printNew());
  #isFollowing = false;
  /** Pushes that are under way: the errors meanwhile are printed with their ends. */
  #pushes = 0;

  constructor(
    private readonly window: HeadlessWindow,
    private readonly options: PrinterOptions,
  ) {}

  /** The exit code of what was pushed last. */
  get exitCode(): number {
    return exitCodeOfAll([...this.#ends.values()].map(({ outcome }) => outcome));
  }

  /** The extensions that were pushed. */
  get extensionIds(): string[] {
    return [...this.#ends.values()].flatMap(({ outcome }) => ('extensionId' in outcome ? [outcome.extensionId] : []));
  }

  /** Whether a browser runs what was pushed last of a folder, absolute. */
  isRunning(folder: string): boolean {
    return this.#ends.get(folder)?.outcome.kind === 'running';
  }

  /** Takes note of a step of a push. */
  noteStep(step: PushStep, folder: string): void {
    if (step.step === 'checked') this.#findings.set(folder, step.findings.map(findingJson));
  }

  /** To be called when errors may have changed. */
  noteErrors(): void {
    if (this.#isFollowing && this.#pushes === 0) void this.#following.run();
  }

  /** Prints how pushes have ended, with the errors soon after; `at`: when, where there were pushes before. */
  async show(ends: readonly BrowserOutcome[], at?: Date): Promise<void> {
    const pushMs = Math.max(...ends.map(({ outcome }) => (outcome.kind === 'running' ? outcome.ms : 0)));
    const settled = delay(settleMsAfter(pushMs), undefined, { signal: this.options.signal }).catch(() => undefined);
    for (const end of ends) {
      this.#ends.set(end.folder, end);
      if ('extensionId' in end.outcome) this.#ids.set(end.folder, end.outcome.extensionId);
    }
    await this.#inTurn(async () => {
      for (const end of ends) await this.#show(end, settled, at);
    });
  }

  /** Prints how a later push of a folder ends, unless it has changed nothing. */
  async showLater(push: Promise<BrowserOutcome>): Promise<void> {
    this.#pushes += 1;
    try {
      const end = await push;
      const { kind } = end.outcome;
      if (kind !== 'unchanged' && kind !== 'cancelled') await this.show([end], new Date());
    } finally {
      this.#pushes -= 1;
      this.noteErrors();
    }
  }

  /** Prints errors from now on when they occur. */
  follow(): void {
    this.#isFollowing = true;
    this.noteErrors();
  }

  async #show(end: BrowserOutcome, settled: Promise<void>, at: Date | undefined): Promise<void> {
    const { json, print, folders } = this.options;
    const isRunning = end.outcome.kind === 'running';
    // With what a worker has thrown that does not start.
    if (!isRunning && 'extensionId' in end.outcome) this.#takeErrors(end);
    if (json) {
      if (isRunning) await settled;
      const more = isRunning ? { errors: await recordsOf(this.#takeErrors(end)) } : { text: await this.#textOf(end) };
      print(jsonLine({ ...this.#jsonOf(end), ...more, findings: this.#findings.get(end.folder) ?? [] }));
      return;
    }
    const time = at ? [at.toTimeString().slice(0, 8)] : [];
    const heading = [...time, ...(folders.length > 1 ? [`${oneLine(shownPath(end.folder))}:`] : [])];
    if (heading.length > 0) print(heading.join(' '));
    print(await this.#textOf(end));
    if (!isRunning) return;
    await settled;
    await this.#printErrors(this.#takeErrors(end), 'since the push');
  }

  /** Prints the errors that have occurred since the last push, and were not printed. */
  async #printNew(): Promise<void> {
    const { json, print, signal } = this.options;
    await delay(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || this.#pushes > 0) return;
    await this.#inTurn(async () => {
      for (const end of this.#ends.values()) {
        const taken = this.#takeErrors(end);
        if (taken.errors.length === 0) continue;
        if (json) print(jsonLine({ ...this.#namesOf(end), errors: await recordsOf(taken) }));
        else await this.#printErrors(taken, 'since then');
      }
    });
  }

  /** The errors of what was pushed that were not printed; they count as printed now. */
  #takeErrors({ browser, folder }: BrowserOutcome): TakenErrors {
    const extensionId = this.#ids.get(folder) ?? '';
    const errors = this.window.errors(browser, extensionId).filter((error) => !this.#printed.has(error));
    for (const error of errors) this.#printed.add(error);
    return { errors, build: { folder, root: this.window.rootOf(folder), extensionId } };
  }

  async #printErrors({ errors, build }: TakenErrors, since: string): Promise<void> {
    for (const line of await errorLines(this.window, errors, build, since, shownPath, 'person'))
      this.options.print(line);
  }

  #textOf(end: BrowserOutcome): Promise<string> {
    const { folder } = end;
    return pushText(end, { folder, root: this.window.rootOf(folder), show: shownPath, reader: 'person' });
  }

  #namesOf({ folder, browser }: BrowserOutcome): { folder: string; browser: string } {
    const given = this.options.folders.find((one) => resolve(one) === folder) ?? folder;
    return { folder: given, browser: browserName(browser) };
  }

  #jsonOf(end: BrowserOutcome): object {
    const { outcome, archive } = end;
    const { kind } = outcome;
    return {
      ...this.#namesOf(end),
      outcome: kind,
      exitCode: exitCodeOf(outcome),
      ...(archive && { name: archive.name, version: archive.version, digest: archive.digest, bytes: archive.bytes }),
      ...(kind === 'running' && {
        extensionId: outcome.extensionId,
        worker: outcome.worker,
        ms: Math.round(outcome.ms),
      }),
      ...(kind === 'refusedByBrowser' && { chromium: outcome.chromium }),
      ...(kind === 'workerFailed' && { faults: outcome.faults }),
      ...(kind === 'failed' && { error: errorMessage(outcome.error) }),
    };
  }
}

/** An error for a program; `advice` says what to do about it, where that is known. */
interface AdvisedError extends ErrorRecord {
  advice?: string;
}

async function recordsOf({ errors, build }: TakenErrors): Promise<AdvisedError[]> {
  return await Promise.all(
    errors.map(async (error) => {
      const spot = await locateError(error, build);
      const advice = await errorAdvice(error, spot, build.folder);
      const record = recordOf(error, spot);
      return { ...record, file: shownPath(record.file), ...(advice !== undefined && { advice }) };
    }),
  );
}
