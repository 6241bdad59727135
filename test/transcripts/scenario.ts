import { deliver } from '../../src/push/deliver';
import { Delivery, type DeliveryOrder, type InBrowser } from '../../src/push/browserDelivery';
import type { Demands } from '../../src/push/demands';
import type { DeliveryOutcome } from '../../src/push/outcome';
import { Cancellation } from '../../src/push/pointOfNoReturn';
import type { Prepared } from '../../src/push/prepare/prepare';
import type { Browser } from '../../src/service/model';
import { type Build, preparedOf, zipOfBuild } from './build';

/** How a push of a scenario differs from one that keeps the visible tabs up to date and restarts no browser. */
export type How = Partial<Pick<DeliveryOrder, 'tabs' | 'delivery' | 'confirmRestart'>> &
  Pick<Browser, 'restartOptional'> &
  Partial<Omit<Demands, 'copies'>>;

/** What a scenario does to a browser besides pushing: to a real one, or noted in a transcript. */
export type Act =
  /** Opens a page of the scenario's site, in front or behind. */
  | { act: 'open site'; isBehind?: boolean }
  /** Opens a page of the extension in a tab. */
  | { act: 'open page'; path: string }
  | { act: 'open side panel' };

/** Where a scenario takes place. */
export interface ScenarioPlace extends InBrowser {
  act: (act: Act) => Promise<void>;
  /** Resolves when the browser has nothing more to say. */
  settle: () => Promise<void>;
}

/** A few pushes to one browser, in a real one or in a replay. */
export interface Scenario {
  /** Of its transcript. */
  name: string;
  /** What happens. */
  title: string;
  run: (on: ScenarioRun) => Promise<void>;
  /** The outcomes of its pushes, as {@link told}. */
  outcomes: readonly string[];
}

/** One run of a scenario. */
export class ScenarioRun {
  readonly outcomes: DeliveryOutcome[] = [];
  #digest: string | undefined;

  constructor(readonly place: ScenarioPlace) {}

  /** Pushes a build. */
  async push(build: Build, how: How = {}, signal?: AbortSignal): Promise<DeliveryOutcome> {
    const prepared = await preparedOf(build, this.place.connections.clock.now());
    const outcome = await deliver(
      deliveryOf(this.place, 'sample', prepared, how, new Cancellation(signal), this.#digest),
    );
    this.outcomes.push(outcome);
    if (outcome.kind === 'running') this.#digest = outcome.digest;
    await this.place.settle();
    return outcome;
  }

  /** Uploads a build under another name, as somebody else may do: the browser restarts. */
  async uploadByHand(name: string, build: Build): Promise<void> {
    const { service, browser, settle } = this.place;
    await service.uploadExtensionsToBrowser(browser.id, [{ name, zip: await zipOfBuild(build) }]);
    await settle();
  }

  async act(act: Act): Promise<void> {
    await this.place.act(act);
    await this.place.settle();
  }
}

/**
 * The delivery of a build to a folder of this name, which restarts no browser unless it is told to. `digest`: of the build that the browser was
 * last seen to run.
 */
export function deliveryOf(
  { service, browser, connections, known, log }: InBrowser,
  folderName: string,
  prepared: Prepared,
  how: How,
  cancellation = new Cancellation(),
  digest?: string,
): Delivery {
  const {
    tabs = 'visible',
    delivery = 'auto',
    confirmRestart = () => Promise.resolve('inPlace'),
    restartOptional = false,
  } = how;
  const { mustReload = false, skipUnchanged = false, withoutFiles = false } = how;
  const order = { service, isLocal: true, delivery, tabs, folderName, confirmRestart, onStep: () => undefined };
  const demands = { mustReload, skipUnchanged, withoutFiles, isWanted: () => true, copies: [] };
  const shared = { connections, known, log, unchangedDigest: () => digest, pushedIds: () => Promise.resolve([]) };
  return new Delivery(order, { ...browser, restartOptional }, prepared, demands, shared, cancellation);
}

/** What tells one outcome from another, whatever ids and times it has. */
export function told(outcome: DeliveryOutcome): string {
  switch (outcome.kind) {
    case 'running':
      return `running ${outcome.version} by ${outcome.reload}, worker ${outcome.worker}`;
    case 'refusedByBrowser':
      return `refused: ${outcome.chromium}`;
    case 'workerFailed':
      return `worker failed: ${outcome.faults.map(({ text, line, column }) => `${text} at ${line}:${column}`).join('; ')}`;
    case 'wrong':
      return `wrong: ${outcome.reason}`;
    case 'doubled':
      return `doubled by ${outcome.others.length}`;
    default:
      return outcome.kind;
  }
}

/** The name of an act in a transcript. */
export function actName(act: Act): string {
  switch (act.act) {
    case 'open site':
      return act.isBehind ? 'open site behind' : 'open site';
    case 'open page':
      return `open page ${act.path}`;
    case 'open side panel':
      return 'open side panel';
  }
}
