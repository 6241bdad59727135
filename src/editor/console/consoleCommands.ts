import * as l10n from '@vscode/l10n';
import { commands, languages, window } from 'vscode';
import { COMMANDS, CONTEXT } from '../../ids';
import type { Browser } from '../../service/model';
import { durationText } from '../../base/units';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withBrowser } from '../browsers/gone';
import { givenBrowser } from '../browsers/namedBrowser';
import { pickBrowser } from '../browsers/pickBrowser';
import { notPushedError } from '../browsers/pushedExtensions';
import type { PushedBuild, PushRecord } from '../../push/known/pushRecords';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { pick, showInformation } from '../notify';
import type { ErrorEntries } from '../problems/errorEntries';
import { readIdleSeconds } from '../settings';
import { isChosen } from '../targets/target';
import { ConsoleLinks } from './consoleLinks';
import { CHANNEL, type ConsoleOutput } from './consoleOutput';
import { type ConsoleBuild, ConsoleSession } from './consoleSession';
import { OutOfSight } from './outOfSight';

/** Characters of a digest in a line. */
const DIGEST_LENGTH = 7;

/** What the console uses. */
export interface ConsoleWiring extends BrowserWiring {
  console: ConsoleOutput;
  errors: Pick<ErrorEntries, 'reported'>;
}

/** Starts and stops the consoles of browsers, and writes a line for each push. */
export class ConsoleCommands {
  readonly handlers = {
    [COMMANDS.startConsole]: (row: unknown) => this.start(row),
    [COMMANDS.stopConsole]: (row: unknown) => this.stop(row),
    [COMMANDS.showConsole]: () => this.wiring.console.show(),
  };
  /** Those that run, in browsers of whichever service. */
  readonly #sessions = new Set<ConsoleSession>();
  /** When the last push to each browser ended, by the key of its service and its id. */
  readonly #pushes = new Map<string, number>();
  /** Consoles keep workers awake, and cloud browsers from standby. */
  readonly #outOfSight: OutOfSight;

  constructor(private readonly wiring: ConsoleWiring) {
    const { records } = wiring;
    this.#outOfSight = new OutOfSight({
      isRunning: () => this.#sessions.size > 0,
      isVisible: () => wiring.console.isVisible,
      seconds: readIdleSeconds,
      end: (seconds) => {
        const reason = l10n.t(
          'The console is stopped, because it was not in sight for {0} s. "Sideload: Start Console" starts it again.',
          seconds,
        );
        for (const session of this.#sessions) session.stop(reason);
      },
    });
    wiring.own(
      this.#outOfSight,
      languages.registerDocumentLinkProvider({ scheme: 'output', pattern: `**/*${CHANNEL}*` }, new ConsoleLinks()),
      records.onDidChange((id) => {
        this.#onRecord(id);
      }),
      wiring.lists.browsers.onDidLoad(() => {
        for (const browser of wiring.lists.browsers.items) this.#sessionOf(browser.id)?.describe(browser);
      }),
      wiring.connection.onDidChange(() => this.#setContext()),
      window.onDidChangeVisibleTextEditors(() => {
        this.#outOfSight.update();
      }),
      {
        dispose: () => {
          for (const session of this.#sessions) session.stop();
        },
      },
    );
  }

  /**
   * Starts the console of the row's extension; of the last one that was pushed to the row's browser; else of the only browser that was pushed to,
   * where those that pushes go to count alone if there are such; else asks.
   */
  async start(argument: unknown): Promise<void> {
    const { console: output, records } = this.wiring;
    const ofRow = this.#buildOfRow(argument);
    const browser = ofRow?.browser ?? (await this.#chooseForStart(argument));
    if (!browser) return;
    const build = ofRow ?? records.build(browser.id);
    if (!build) throw notPushedError();
    output.show();
    const running = this.#sessionOf(browser.id);
    if (ofRow) running?.choose(ofRow);
    if (running) return;
    const started = new ConsoleSession(this.wiring, output, { ...build, browser }, () => {
      this.#sessions.delete(started);
      this.#setContext();
      this.#outOfSight.update();
    });
    if (ofRow) started.choose(ofRow);
    this.#sessions.add(started);
    this.#setContext();
    await withBrowser(this.wiring, browser, () => started.start());
    this.#outOfSight.update();
  }

  /** Stops the console of the row's browser, else the only one that runs, else asks. */
  async stop(argument: unknown): Promise<void> {
    const session = await this.#chooseForStop(argument);
    session?.stop();
  }

  /** The console of a browser of the service in use. */
  #sessionOf(browserId: string): ConsoleSession | undefined {
    return [...this.#sessions].find((session) => session.isOf(browserId));
  }

  /** The build of the row of an extension; undefined for no such row. @throws UserError when this window has not pushed it there */
  #buildOfRow(argument: unknown): ConsoleBuild | undefined {
    const row = itemOf(argument, 'browserExtension');
    if (!row) return undefined;
    const { browser, extension } = row;
    // Others may have been pushed there since.
    const build = this.wiring.errors.reported.buildOf(browser.id, extension.id);
    if (!build) throw notPushedError();
    return { ...build, browser };
  }

  async #chooseForStart(argument: unknown): Promise<Browser | undefined> {
    const { connection, records } = this.wiring;
    const browser = await givenBrowser(connection, argument);
    if (browser) return browser;
    const { builds } = records;
    if (builds.length === 0) throw notPushedError();
    const preferred = builds.filter(({ browser: { id } }) => isChosen(this.wiring, id));
    const running = await this.#findRunning(preferred.length > 0 ? preferred : builds);
    const [only] = running;
    if (running.length === 1) return only;
    return await pickBrowser(
      connection,
      l10n.t('Select the browser to start the console of'),
      undefined,
      ({ id }) => records.build(id) !== undefined,
    );
  }

  async #findRunning(builds: readonly PushedBuild[]): Promise<Browser[]> {
    const client = await this.wiring.connection.client();
    const found = await Promise.all(builds.map(({ browser }) => client.findBrowser(browser.id)));
    return found.filter((browser) => browser !== undefined);
  }

  async #chooseForStop(argument: unknown): Promise<ConsoleSession | undefined> {
    const row = itemOf(argument, 'browserExtension')?.browser;
    const browser = row ?? (await givenBrowser(this.wiring.connection, argument));
    const running = [...this.#sessions].filter((session) => !browser || session.isOf(browser.id));
    if (running.length > 1) {
      const choices = running.map((session) => ({ label: browserLabel(session.browser), session }));
      return (await pick(choices, { placeHolder: l10n.t('Select the browser to stop the console of') }))?.session;
    }
    const [only] = running;
    if (!only) showInformation(l10n.t('The console is not started. "Sideload: Start Console" starts it.'));
    return only;
  }

  #onRecord(id: string): void {
    const { records, console: output } = this.wiring;
    const [record, build] = [records.get(id), records.build(id)];
    const key = `${this.wiring.connection.key} ${id}`;
    const session = this.#sessionOf(id);
    if (build) session?.describe(build.browser);
    // The new worker writes before the push has ended, from files that are there already.
    if (build && records.isPushing(id)) session?.follow(build);
    if (record && build && record.at !== this.#pushes.get(key)) {
      this.#pushes.set(key, record.at);
      // Each of several that were pushed together has had its own line.
      const isOfAll = record.together !== undefined && record.digest === undefined && record.state !== 'failed';
      if (output.exists && !isOfAll) output.note(build.browser, ...markOf(record));
      session?.follow(build);
    }
    if (!record) {
      this.#pushes.delete(key);
      session?.stop(l10n.t('The browser has ended, and so has its console. Run the extension in another one.'));
    }
    this.#setContext();
  }

  #setContext(): void {
    const { builds } = this.wiring.records;
    const isEverywhere = builds.length > 0 && builds.every(({ browser }) => this.#sessionOf(browser.id));
    void commands.executeCommand('setContext', CONTEXT.consoleRuns, this.#sessions.size > 0);
    void commands.executeCommand('setContext', CONTEXT.consoleRunsEverywhere, isEverywhere);
  }
}

/** The line that marks a push. */
function markOf({ state, version = '', digest = '', ms, reason }: PushRecord): ['info' | 'warn', string] {
  if (state !== 'running' && state !== 'unverified') return ['warn', l10n.t('— push failed: {0} —', reason)];
  const short = digest.slice(0, DIGEST_LENGTH);
  // How long a push of another program has taken is not known.
  if (ms === undefined) return ['info', l10n.t('— {0} ({1}) pushed by another program —', version, short)];
  return ['info', l10n.t('— {0} ({1}) pushed, {2} —', version, short, durationText(ms))];
}
