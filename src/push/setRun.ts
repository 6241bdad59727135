import * as l10n from '@vscode/l10n';
import type { Browser } from '../service/model';
import type { ConfirmRestart, RestartAnswer } from './browserDelivery';
import { deliverSet } from './deliverSet';
import type { Demands } from './demands';
import { FolderNameError, folderNameOf } from './folderName';
import { Cancellation } from './pointOfNoReturn';
import type { Prepared } from './prepare/prepare';
import {
  type BrowserOutcome,
  demandsOf,
  type PushOutcome,
  type PushOrder,
  PushRun,
  removeDemandedCopies,
  type RunContext,
} from './pushRun';

/** A folder of a set that was checked and packed. */
interface PreparedRun {
  run: PushRun;
  order: PushOrder;
  prepared: Prepared;
}

/** One push of several folders together to one or several browsers: in each, all of them are delivered or none. */
export class SetRun {
  readonly #runs: readonly { run: PushRun; order: PushOrder }[];
  /** The answers to the question whether a browser may be restarted, by its id: it is asked once for all folders. */
  readonly #answers = new Map<string, Promise<RestartAnswer>>();

  /** `orders`: one for each folder, to the same browsers of one service. `signal` cancels the push to all browsers. */
  constructor(
    orders: readonly PushOrder[],
    context: RunContext,
    private readonly signal?: AbortSignal,
  ) {
    this.#runs = orders.map((given) => {
      const order = { ...given, confirmRestart: this.#askOnce(given) };
      return { order, run: new PushRun(order, context, signal) };
    });
  }

  /**
   * Resolves to an outcome for each folder, in their order. Never rejects: errors are outcomes, too. `demands`: those of the orders, and of orders
   * that they have replaced, in the same order.
   */
  async deliver(browser: Browser, demands: readonly Demands[]): Promise<BrowserOutcome[]> {
    this.#runs[0]?.run.connect(browser);
    const all = await Promise.all(this.#runs.map(async (entry) => ({ ...entry, prepared: await entry.run.prepare() })));
    const ready = all.flatMap(({ prepared, ...entry }): PreparedRun[] =>
      'kind' in prepared ? [] : [{ ...entry, prepared }],
    );
    const failed = all.find(({ prepared }) => 'kind' in prepared);
    if (failed) {
      const by = nameOf(failed.order.folder, this.#folders);
      return all.map(({ prepared, order: { folder } }) => {
        const outcome: PushOutcome =
          'kind' in prepared
            ? prepared
            : isCancelled(failed.prepared)
              ? { kind: 'cancelled' }
              : { kind: 'heldBack', by, isRestored: false };
        return { browser, folder, outcome, isForAll: true, isTooLate: false };
      });
    }
    if (!demands.some(({ isWanted }) => isWanted())) {
      return ready.map(({ run, prepared }) =>
        run.outcomeOf(browser, { kind: 'cancelled', why: 'notWanted' }, prepared),
      );
    }
    try {
      checkNames(ready, this.#folders);
      for (const { run } of ready) run.checkAddress(browser);
      const cancellation = new Cancellation(this.signal);
      const deliveries = ready.map(({ run, order, prepared }, index) =>
        run.deliveryTo(browser, prepared, demands[index] ?? demandsOf(order, browser), cancellation),
      );
      await removeDemandedCopies(deliveries, this.signal);
      const outcomes = await deliverSet(deliveries);
      return ready.map(({ run, prepared }, index) => {
        const outcome: PushOutcome = outcomes[index] ?? { kind: 'cancelled' };
        return run.outcomeOf(browser, outcome, prepared);
      });
    } catch (error) {
      return ready.map(({ run, prepared }) => run.outcomeOf(browser, { kind: 'failed', error }, prepared));
    }
  }

  get #folders(): string[] {
    return this.#runs.map(({ order }) => order.folder);
  }

  #askOnce({ confirmRestart }: PushOrder): ConfirmRestart {
    return (browser, canAvoid) => {
      const answer = this.#answers.get(browser.id) ?? confirmRestart(browser, canAvoid);
      this.#answers.set(browser.id, answer);
      return answer;
    };
  }
}

/** @throws FolderNameError when two folders of a set would have the same folder on the browser. */
function checkNames(ready: readonly PreparedRun[], folders: readonly string[]): void {
  const taken = new Map<string, PreparedRun>();
  for (const entry of ready) {
    const { order, prepared } = entry;
    const name = folderNameOf(prepared.manifest.name, order.folderName);
    const other = taken.get(name);
    if (!other) {
      taken.set(name, entry);
      continue;
    }
    throw new FolderNameError(
      order.folderName === ''
        ? l10n.t(
            '{0} and {1} have the same name in their manifests, "{2}", so they would be one extension on the browser. Give one of them another name, or push them one by one.',
            nameOf(other.order.folder, folders),
            nameOf(order.folder, folders),
            prepared.manifest.name,
          )
        : l10n.t(
            '{0} and {1} would both be the folder "{2}" on the browser. Remove the setting sideload.folderName to push several folders together.',
            nameOf(other.order.folder, folders),
            nameOf(order.folder, folders),
            name,
          ),
    );
  }
}

function isCancelled(prepared: Prepared | PushOutcome): boolean {
  return 'kind' in prepared && prepared.kind === 'cancelled';
}

/** A folder as people name it: by its last name, and by as many above it as distinguish it from all `others`. */
function nameOf(folder: string, others: readonly string[]): string {
  const names = folder.split(/[\\/]/).filter(Boolean);
  const all = others.filter((other) => other !== folder).map((other) => other.split(/[\\/]/).filter(Boolean));
  for (let count = 1; count < names.length; count++) {
    const name = names.slice(-count).join('/');
    if (all.every((other) => other.slice(-count).join('/') !== name)) return name;
  }
  return folder;
}
