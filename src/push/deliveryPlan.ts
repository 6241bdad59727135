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
}

/**
 * How a delivery goes on: `unchanged` – it does not; `unverified` – by the documented upload, of which nothing can be verified; `newFolder` – by
 * that upload into a folder that no push has used; `next` – in place, over an extension that is loaded; `first` – into a folder from which
 * nothing is loaded, by the upload if the browser may be restarted, else in place; `firstInPlace` – the same, never by the upload.
 */
export type Plan = 'unchanged' | 'unverified' | 'newFolder' | 'next' | 'first' | 'firstInPlace';

/** The plan for a situation. What cannot be seen to run still counts as unchanged where nothing else could be seen of it, either. */
export function planOf({ mode, isUnchanged, isReached, lacksFiles, isLoaded, isCertain }: Situation): Plan {
  const hasFolder = isReached && !lacksFiles;
  if (isUnchanged && (isCertain || !hasFolder)) return 'unchanged';
  if (!isReached) return 'unverified';
  if (lacksFiles) return 'newFolder';
  if (isLoaded && mode !== 'restart') return 'next';
  return mode === 'inPlace' ? 'firstInPlace' : 'first';
}
