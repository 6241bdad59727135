import { errorOfFault, isOfRegistration, withoutFaults } from './buildErrors';
import type { BuildFolders } from './errorSpots';
import { ExtensionErrors, WorkerLocations, type PartError } from './extensionErrors';
import type { ErrorReport } from '../devtools/errors/errorReports';
import type { WorkerError } from '../devtools/workers/serviceWorkers';
import type { WorkerFault } from '../devtools/workers/startingWorker';

interface BrowserErrors {
  id: string;
  /** Identifies the service of the browser. */
  service: string;
  /** What people call the browser. */
  label: string;
  /** By extension id. */
  errors: Map<string, ExtensionErrors>;
  builds: Map<string, BuildFolders>;
  /** The errors with which the worker of the last push failed to start. */
  faults: Map<string, readonly PartError[]>;
  locations: WorkerLocations;
}

/** The errors of one pushed build that are to be shown. */
export interface BuildErrors {
  /** What people call the browser. */
  label: string;
  build: BuildFolders;
  /** Those with which its worker failed to start. */
  faults: readonly PartError[];
  errors: readonly PartError[];
}

/**
 * The errors of pushed extensions since the last push, in each browser: what the Problems panel shows, and how many the status bar, the rows and
 * the view of the pushes count.
 */
export class ReportedErrors {
  /** By the keys of `keyOf`. */
  readonly #browsers = new Map<string, BrowserErrors>();
  /** Of what was edited since. Faults among them still hide the other reports of the same failure. */
  readonly #outdated = new WeakSet<PartError>();

  /**
   * `onChange` is called with the id of the browser whose errors have changed, and its service. `service` identifies the service in use, whose
   * browsers are meant where no other one is given: the ids of another one's browsers may be the same.
   */
  constructor(
    private readonly onChange: (browserId: string, service: string) => void,
    private readonly service: () => string,
  ) {}

  /** Notes the exact location of an error in a worker, for the report of the same error, which follows. */
  noteLocation(browserId: string, error: WorkerError): void {
    this.#of(browserId).locations.note(error);
  }

  /** Adds errors of an extension in a browser; returns those that are now known of it. */
  add(browserId: string, label: string, report: ErrorReport): readonly PartError[] {
    const browser = this.#of(browserId);
    browser.label = label;
    const errors = browser.errors.get(report.extensionId) ?? new ExtensionErrors(report.extensionId);
    browser.errors.set(report.extensionId, errors);
    const added = errors.add(report, browser.locations);
    this.#changed(browser);
    return added;
  }

  /** A build was pushed to a browser; `faults` are the errors with which its worker failed to start. */
  setBuild(
    browserId: string,
    label: string,
    build: BuildFolders,
    faults: readonly WorkerFault[],
    service = this.service(),
  ): void {
    const browser = this.#of(browserId, service);
    browser.label = label;
    // The latest one is the last.
    browser.builds.delete(build.extensionId);
    browser.builds.set(build.extensionId, build);
    browser.faults.set(build.extensionId, faults.map(errorOfFault));
    this.#changed(browser);
  }

  /** A browser has another name now; returns whether that changes what is shown. */
  rename(browserId: string, label: string): boolean {
    const browser = this.#browsers.get(keyOf(this.service(), browserId));
    if (!browser || browser.label === label) return false;
    browser.label = label;
    return true;
  }

  /**
   * How many different errors of an extension have occurred in a browser since the last push, without warnings: as many as are shown, where the
   * same error at the same location is one, whichever parts it is of.
   */
  countOf(browserId: string, extensionId: string, service = this.service()): number {
    const browser = this.#browsers.get(keyOf(service, browserId));
    const errors = browser?.errors.get(extensionId)?.all ?? [];
    const hasFailed = (browser?.faults.get(extensionId) ?? []).length > 0;
    const counted = errors.filter((error) => !error.isWarning && !(hasFailed && isOfRegistration(error)));
    return new Set(counted.map(shownAs)).size;
  }

  /**
   * How many errors there are in a browser of all builds that were pushed there, each counted as by {@link countOf}, by the workspace folders of the
   * builds; folders without errors are left out.
   */
  countsIn(browserId: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { extensionId, root } of this.buildsIn(browserId)) {
      const count = this.countOf(browserId, extensionId);
      if (count > 0) counts.set(root, (counts.get(root) ?? 0) + count);
    }
    return counts;
  }

  /** The errors of an extension in a browser since the last push, those with which its worker failed to start first. */
  errorsOf(browserId: string, extensionId: string): readonly PartError[] {
    const browser = this.#browsers.get(keyOf(this.service(), browserId));
    const faults = browser?.faults.get(extensionId) ?? [];
    return [...faults, ...withoutFaults(browser?.errors.get(extensionId)?.all ?? [], faults)];
  }

  /** The last build of each extension that was pushed to a browser, the latest at the end. */
  buildsIn(browserId: string): readonly BuildFolders[] {
    return [...(this.#browsers.get(keyOf(this.service(), browserId))?.builds.values() ?? [])];
  }

  /** The build of an extension that was pushed to a browser: others may have been pushed there since. */
  buildOf(browserId: string, extensionId: string): BuildFolders | undefined {
    return this.buildsIn(browserId).find((build) => build.extensionId === extensionId);
  }

  /** The errors of each build in each browser. */
  get shown(): BuildErrors[] {
    return [...this.#browsers.values()].flatMap(({ label, errors, builds, faults }) =>
      [...builds.values()].map((build) => {
        const failed = faults.get(build.extensionId) ?? [];
        return {
          label,
          build,
          faults: failed.filter((fault) => !this.#outdated.has(fault)),
          errors: withoutFaults(errors.get(build.extensionId)?.all ?? [], failed),
        };
      }),
    );
  }

  /** What these errors are of was edited: they say nothing of the text as it is now. */
  outdate(outdated: ReadonlySet<PartError>): void {
    if (outdated.size === 0) return;
    for (const error of outdated) this.#outdated.add(error);
    for (const browser of this.#browsers.values()) {
      for (const one of browser.errors.values()) one.remove(outdated);
      this.#changed(browser);
    }
  }

  /** Forgets the errors of an extension in a browser; with `build`, also what was pushed, whose files are not known any more. */
  forget(browserId: string, extensionId: string, what: 'errors' | 'build' = 'errors'): void {
    const browser = this.#browsers.get(keyOf(this.service(), browserId));
    if (!browser) return;
    browser.errors.delete(extensionId);
    browser.faults.delete(extensionId);
    if (what === 'build') browser.builds.delete(extensionId);
    this.#changed(browser);
  }

  /** A browser runs these extensions alone now, by their ids: forgets the errors of all others that were pushed there. */
  keepOnly(browserId: string, running: ReadonlySet<string>): void {
    for (const { extensionId: id } of this.buildsIn(browserId))
      if (!running.has(id) && this.errorsOf(browserId, id).length > 0) this.forget(browserId, id);
  }

  /** Forgets the errors of a browser that has ended. */
  clear(browserId: string): void {
    if (this.#browsers.delete(keyOf(this.service(), browserId))) this.onChange(browserId, this.service());
  }

  #changed({ id, service }: BrowserErrors): void {
    this.onChange(id, service);
  }

  #of(browserId: string, service = this.service()): BrowserErrors {
    const key = keyOf(service, browserId);
    const known = this.#browsers.get(key) ?? {
      id: browserId,
      service,
      label: '',
      errors: new Map<string, ExtensionErrors>(),
      builds: new Map<string, BuildFolders>(),
      faults: new Map<string, readonly PartError[]>(),
      locations: new WorkerLocations(),
    };
    this.#browsers.set(key, known);
    return known;
  }
}

/** What errors have in common that are shown as one. */
function shownAs({ text, location, part }: PartError): string {
  if (location) return JSON.stringify([text, location.url, location.line, location.column]);
  // It is shown where the manifest names the part, which names no host of a content script.
  return JSON.stringify([text, part.kind === 'content' ? part.kind : part]);
}

/** Names a browser among those of all services. */
function keyOf(service: string, browserId: string): string {
  return JSON.stringify([service, browserId]);
}
