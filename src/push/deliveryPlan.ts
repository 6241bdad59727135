import type { DeliveryMode } from './browserDelivery';

/** What a delivery has found out before it changes anything. */
interface Situation {
  mode: DeliveryMode;
  /** Whether the browser was last verified to run this build, and the order skips unchanged builds. */
  isUnchanged: boolean;
  /** Whether DevTools reaches the browser. */
  isReached: boolean;
  /** Whether the service has no operations for files. */
  lacksFiles: boolean;
  /** Whether the extension is loaded from its folder. */
  isLoaded: boolean;
  /** Whether it is certain which build runs from there. */
  isCertain: boolean;
  /** Whether the service takes the extension into later starts of the browser without a restart now. */
  isKeptByService: boolean;
}

/**
 * How a delivery goes on: `unchanged` – it does not; `unverified` – by the documented upload, of which nothing can be verified; `newFolder` – by
 * that upload into a folder that no push has used; `next` – in place, over an extension that is loaded; `first` – into a folder from which
 * nothing is loaded, by the upload if the browser may be restarted, else in place; `firstInPlace` – the same, never by the upload; `firstKept` – the
 * same, by an upload that restarts nothing.
 */
export type Plan = 'unchanged' | 'unverified' | 'newFolder' | 'next' | 'first' | 'firstInPlace' | 'firstKept';

/** The plan for a situation. What cannot be seen to run still counts as unchanged where nothing else could be seen of it, either. */
export function planOf({
  mode,
  isUnchanged,
  isReached,
  lacksFiles,
  isLoaded,
  isCertain,
  isKeptByService,
}: Situation): Plan {
  const hasFolder = isReached && !lacksFiles;
  if (isUnchanged && (isCertain || !hasFolder)) return 'unchanged';
  if (!isReached) return 'unverified';
  if (lacksFiles) return 'newFolder';
  if (mode === 'restart') return 'first';
  if (isLoaded) return 'next';
  if (isKeptByService) return 'firstKept';
  return mode === 'inPlace' ? 'firstInPlace' : 'first';
}
