import { once } from 'node:events';
import * as l10n from '@vscode/l10n';
import { commands, env, EventEmitter, Uri, version as editorVersion, workspace } from 'vscode';
import { version } from '../../../package.json';
import { errorMessage } from '../../base/errorMessage';
import { optionalText } from '../../base/fields';
import type { Examination } from '../../doctor/legs';
import type { Fact } from '../../doctor/report';
import type { Browser } from '../../service/model';
import { COMMANDS, DOCTOR_SCHEME } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import { listRunning, pickBrowser } from '../browsers/pickBrowser';
import type { Handler } from '../commandRegistry';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { sentenceFor } from '../messages';
import { offer, showWarning, withProgress } from '../notify';
import { plainText } from '../plainText';
import { readServiceSettings } from '../settings';
import { findChosen } from '../targets/target';

/** A browser that is examined, which may have ended. */
interface Examined {
  id: string;
  label: string;
}

/** What the document of the report is called. */
const REPORT_NAME = 'Sideload Doctor.md';

/** Says which leg between the window and the worker of the pushed extension is broken, and writes a report for an issue. */
export class DoctorFeature {
  readonly handlers: Record<typeof COMMANDS.doctor, Handler> = {
    [COMMANDS.doctor]: (argument) => this.#run(argument),
  };
  readonly #changed = new EventEmitter<Uri>();
  readonly #uri = Uri.from({ scheme: DOCTOR_SCHEME, path: `/${REPORT_NAME}` });
  #report = '';

  constructor(private readonly wiring: BrowserWiring) {
    const provider = { onDidChange: this.#changed.event, provideTextDocumentContent: () => this.#report };
    wiring.own(workspace.registerTextDocumentContentProvider(DOCTOR_SCHEME, provider), this.#changed);
  }

  /** Examines the browser of a row or an argument, else those that pushes go to, else one that the user picks. */
  async #run(argument: unknown): Promise<void> {
    const { unreachedLegs } = await import('../../doctor/examination');
    const examinations: Examination[] = [];
    const secrets: string[] = [];
    try {
      const examined = await this.#examined(argument);
      if (!examined) return;
      const isDone = await withProgress(l10n.t('Examining'), async (signal, tell) => {
        const cancelled = once(signal, 'abort').then(() => undefined);
        for (const one of examined) {
          tell(one.label);
          const examination = await Promise.race([this.#examine(one, secrets), cancelled]);
          if (!examination) return false;
          examinations.push(examination);
        }
        return true;
      });
      if (!isDone) return;
    } catch (error) {
      examinations.push({ browser: undefined, legs: unreachedLegs(error, { sentence }) });
    }
    await this.#show(examinations, secrets);
  }

  /** @throws UserError when there is none; ServiceError and others of the service */
  async #examined(argument: unknown): Promise<readonly Examined[] | undefined> {
    const row = itemOf(argument, 'browser');
    const named = optionalText(argument, 'browser');
    if (row) return [asExamined(row)];
    const { connection } = this.wiring;
    const client = await connection.client();
    if (named !== undefined) {
      const found = await client.findBrowser(named);
      return [found ? asExamined(found) : { id: named, label: named }];
    }
    const { running, ended } = await findChosen(client, this.wiring);
    const chosen = [...running.map(asExamined), ...ended.map(({ browserId, label }) => ({ id: browserId, label }))];
    if (chosen.length > 0) return chosen;
    const all = await listRunning(connection);
    const browser = all.length === 1 ? all[0] : await pickBrowser(connection, l10n.t('Select the browser to examine'));
    return browser && [asExamined(browser)];
  }

  async #examine({ id, label }: Examined, secrets: string[]): Promise<Examination> {
    const { connection, devTools, records } = this.wiring;
    const [{ examine }, { browserProbe }] = await Promise.all([
      import('../../doctor/examination'),
      import('../../doctor/browserProbe'),
    ]);
    const record = records.get(id);
    // The record of a push that has failed names no extension, and the build before may run.
    const hasFailed = record?.state === 'failed';
    const extensionId = hasFailed ? records.build(id)?.extensionId : record?.extensionId;
    const legs = await examine({
      ...browserProbe(
        async () => await (await connection.client()).findBrowser(id),
        () => devTools.ofService(),
        secrets,
      ),
      sentence,
      pushed:
        extensionId === undefined ? undefined : { id: extensionId, version: hasFailed ? undefined : record?.version },
      advice: {
        copy: l10n.t('Remove it by "Remove Extension…" in its row.'),
        workerFailed: l10n.t('The error is in the Problems panel, at its line. Correct it and push again.'),
      },
    });
    return { browser: label, legs };
  }

  async #show(examinations: readonly Examination[], secrets: readonly string[]): Promise<void> {
    const [{ brokenLeg, legTitle }, { legText, reportLines }] = await Promise.all([
      import('../../doctor/legs'),
      import('../../doctor/report'),
    ]);
    const lines = reportLines(examinations, this.#facts(), secrets);
    // Names of extensions and messages of services are texts of others.
    this.#report = lines.map(plainText).join('\n');
    this.#changed.fire(this.#uri);
    await commands.executeCommand('vscode.open', this.#uri, { preview: false });
    const ill = examinations.find((one) => brokenLeg(one) !== undefined);
    const leg = ill && brokenLeg(ill);
    this.wiring.log.info(leg ? `Doctor: ${leg.name} is broken` : 'Doctor: all legs work');
    const copy = l10n.t('Copy Report');
    const shown = leg
      ? showWarning(`${legTitle(leg.name)}: ${legText(leg)}`, copy)
      : offer(l10n.t('All works, from the service to the worker.'), copy);
    void shown.then(async (button) => {
      if (button === copy) await env.clipboard.writeText(this.#report);
    });
  }

  #facts(): Fact[] {
    const { service, headless } = readServiceSettings();
    // In a browser it is the address of the server.
    const place =
      env.remoteName === undefined ? '' : /^[a-z-]+$/.test(env.remoteName) ? `, ${env.remoteName}` : ', web';
    return [
      ['Sideload', version],
      ['VS Code', editorVersion],
      [l10n.t('System'), `${process.platform} ${process.arch}${place}`],
      [l10n.t('Service'), service],
      [l10n.t('Windows of browsers'), headless],
      [l10n.t('Workspace'), workspace.isTrusted ? l10n.t('trusted') : l10n.t('not trusted')],
      ...this.#pushes(),
    ];
  }

  /** How the last push to each browser ended. */
  #pushes(): Fact[] {
    const { records } = this.wiring;
    return records.builds.map(({ browser }) => {
      const { state = '', label = '' } = records.get(browser.id) ?? {};
      return [l10n.t('Last push to {0}', browserLabel(browser)), label === '' ? state : `${state}, ${label}`];
    });
  }
}

function asExamined(browser: Browser): Examined {
  return { id: browser.id, label: browserLabel(browser) };
}

function sentence(error: unknown): string {
  return sentenceFor(error) ?? errorMessage(error);
}
