import type { CollectedError, ExtensionInfo, ExtensionsPageApi, ItemStateChange } from './chromeApi';

declare const chrome: ExtensionsPageApi;
declare const self: {
  sideloadErrors?: ErrorListener;
  reportErrors?: (json: string) => void;
};

/** The limits of {@link listenForErrors}. */
export interface ErrorLimits {
  /** Longest text of an error and longest stack that are reported, in characters and frames. */
  text: number;
  frames: number;
  /** More reports per second than this are put together into one, which follows after that second. */
  reports: number;
  /** So many records of an extension are remembered as reported. */
  records: number;
  /** How long the reports may be paused, in milliseconds, when they are not resumed. */
  pauseMs: number;
}

/** What {@link listenForErrors} leaves in the page for the calls after it. */
interface ErrorListener {
  pause(id: string): void;
  watch(id: string, isPushed: boolean, isByOther: boolean): void;
}

/** What is known of a watched extension. */
interface Watched {
  /** How often each error was reported to have occurred. */
  before: Map<number, number>;
  /** Whether it was reloaded since it was last pushed, so that all errors that Chromium lists are those of the new build. */
  isReloaded: boolean;
  /** Whether its last push has reloaded pages alone. */
  isOfPages: boolean;
  /** How many first reports are asked for. */
  asked: number;
  /** Whether an error came meanwhile, which such a report may have or not. */
  isLate: boolean;
}

/** An error as it is reported; line and column count from 1. */
export interface ReportedError {
  /** Chromium's number of the record. */
  id: number;
  /** Whether it is about the manifest, and not about what runs. */
  isOfManifest: boolean;
  text: string;
  isWarning: boolean;
  /** The script or page in which it occurred; empty when Chromium does not know. */
  source: string;
  /** The page or worker that ran it; empty when Chromium does not know. */
  contextUrl: string;
  isWorker: boolean;
  /** How often it has occurred since it was reported last. */
  count: number;
  /** The key of the manifest that it is about; empty for others. */
  manifestKey: string;
  /** The stack, innermost first. */
  frames: { url: string; line: number; column: number }[];
}

/** A report, which comes as JSON. */
export interface ReportedErrors {
  extensionId: string;
  isFirst: boolean;
  isOfPages: boolean;
  errors: ReportedError[];
}

/**
 * Makes chrome://extensions ready for {@link watchErrorsOf} and {@link pauseErrorsOf}; `binding` is the function that takes a report. Chromium
 * remembers the errors of each extension, also over its reloads, the same ones counted in one record, and describes the whole extension in each event
 * (C-ERRORS-KEPT, C-RELOAD-EVENTS); of that, only records that are new or were counted again are reported.
 */
export function listenForErrors(binding: 'reportErrors', limits: ErrorLimits): void {
  const event = chrome.developerPrivate.onItemStateChanged;
  const watched = new Map<string, Watched>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let second = 0;
  let count = 0;
  const own = {
    cut(text: string | undefined): string {
      return String(text ?? '').slice(0, limits.text);
    },
    errorOf(error: CollectedError): ReportedError {
      const { id, type, message, severity, source, contextUrl, isServiceWorker, occurrences, manifestKey } = error;
      return {
        id,
        isOfManifest: type === 'MANIFEST',
        text: own.cut(message),
        isWarning: severity === 'WARN',
        source: own.cut(source),
        contextUrl: own.cut(contextUrl),
        isWorker: isServiceWorker === true,
        count: occurrences ?? 1,
        manifestKey: own.cut(manifestKey),
        frames: (error.stackTrace ?? []).slice(0, limits.frames).map(({ url, lineNumber, columnNumber }) => ({
          url: own.cut(url),
          line: lineNumber,
          column: columnNumber,
        })),
      };
    },
    send(report: ReportedErrors): void {
      self[binding]?.(JSON.stringify(report));
    },
    report({ id, runtimeErrors, manifestErrors }: ExtensionInfo, isFirst: boolean): void {
      const state = watched.get(id);
      if (!state) return;
      if (state.asked > 0 && !isFirst) {
        state.isLate = true;
        return;
      }
      const { before } = state;
      const all = [...manifestErrors, ...runtimeErrors];
      const errors = all
        .map((error) => own.errorOf(error))
        .map((error) => ({ ...error, count: error.count - (before.get(error.id) ?? 0) }))
        .filter((error) => error.count > 0);
      // An answer may be older than an event that came before it.
      for (const { id: record, occurrences = 1 } of all) {
        before.set(record, Math.max(occurrences, before.get(record) ?? 0));
      }
      for (const record of before.keys()) if (before.size > limits.records) before.delete(record);
      if (!isFirst && errors.length === 0) return;
      own.send({ extensionId: id, isFirst, isOfPages: isFirst && state.isOfPages, errors });
    },
    onChanged(this: void, { event_type, extensionInfo }: ItemStateChange): void {
      if (event_type !== 'ERROR_ADDED' || !extensionInfo) return;
      own.report(extensionInfo, false);
      const now = Math.floor(performance.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      if (count > limits.reports) own.pause(1000);
    },
    pause(limitMs: number): void {
      event.removeListener(own.onChanged);
      clearTimeout(timer);
      timer = setTimeout(() => {
        own.resume(undefined);
      }, limitMs);
    },
    /** What Chromium knows of an extension. It records the errors of one of its command line, as all are after a restart, only on request (C-ERRORS-FLAG). */
    async infoOf(id: string): Promise<ExtensionInfo | undefined> {
      const { developerPrivate } = chrome;
      const info = await developerPrivate.getExtensionInfo(id).catch(() => undefined);
      const recording = { extensionId: id, errorCollection: true };
      if (info && !info.errorCollection.isActive) {
        await developerPrivate.updateExtensionConfiguration(recording).catch(() => undefined);
      }
      return info;
    },
    async read(id: string, isFirst: boolean): Promise<void> {
      const state = watched.get(id);
      if (!state) return;
      if (isFirst) state.asked += 1;
      const info = await own.infoOf(id);
      if (isFirst) state.asked -= 1;
      // The answer to a later question has these errors, too: two first reports would each make the receiver forget what came before.
      if (isFirst && state.asked > 0) return;
      if (info) own.report(info, isFirst);
      if (!state.isLate || state.asked > 0) return;
      state.isLate = false;
      void own.read(id, false);
    },
    resume(first: string | undefined): void {
      clearTimeout(timer);
      if (!event.hasListener(own.onChanged)) event.addListener(own.onChanged);
      for (const id of watched.keys()) void own.read(id, id === first);
    },
  };
  self.sideloadErrors = {
    pause(id: string): void {
      const state = watched.get(id);
      if (state) state.isReloaded = true;
      chrome.developerPrivate.deleteExtensionErrors({ extensionId: id, type: 'RUNTIME' });
      own.pause(limits.pauseMs);
    },
    watch(id: string, isPushed: boolean, isByOther: boolean): void {
      const known = watched.get(id);
      const state = known ?? { before: new Map(), isReloaded: true, isOfPages: false, asked: 0, isLate: false };
      watched.set(id, state);
      if (isByOther) state.isReloaded = true;
      // One report answers all that are asked for now: where one of them is of the whole extension, so is that.
      state.isOfPages = !state.isReloaded && (state.asked === 0 || state.isOfPages);
      if (state.isReloaded) state.before = new Map();
      if (isPushed) state.isReloaded = false;
      own.resume(id);
    },
  };
}

/** Reports the errors of an extension from now on, and ends a pause; see `ErrorReports.watch`. */
export function watchErrorsOf(id: string, isPushed: boolean, isByOther: boolean): void {
  if (!self.sideloadErrors) throw new Error('The page does not listen for errors.');
  self.sideloadErrors.watch(id, isPushed, isByOther);
}

/** Deletes the errors of an extension and reports nothing until the next {@link watchErrorsOf}; see `ErrorReports.pause`. */
export function pauseErrorsOf(id: string): void {
  if (!self.sideloadErrors) throw new Error('The page does not listen for errors.');
  self.sideloadErrors.pause(id);
}
