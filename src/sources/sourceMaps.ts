import { join } from 'node:path';
import { JobThreads } from '../base/jobThreads';
import { isAtPort, loopbackPort } from '../base/loopback';
import { findSourceFile, type SourceFolders } from './sourceFiles';
import type { TracedSource, TraceJob } from './trace';

/** A location in a file. Line and column count from 0. */
export interface Spot {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
}

/** A location in a built file, or in code that a development server gives: then `file` is its address. The column may not be known. */
export interface BuiltSpot extends Omit<Spot, 'column'> {
  column: number | undefined;
}

/** The bundle of sourceWorker.ts, in the folder of the bundle that contains this code. */
const SCRIPT = join(__dirname, 'sources.js');

/** Limits of one position: the largest maps that are read need a tenth of them. */
const LIMITS = { limitMs: 10_000, heapMb: 512, parallel: 2, idleMs: 10_000 };

const threads = new JobThreads<TraceJob, TracedSource | undefined>({
  script: SCRIPT,
  name: 'sideload-sources',
  ...LIMITS,
});

/**
 * The source position of a position in a built file (without a column: only if all of the line is from one source line), by the file's source map, which is inline or a file in the extension folder.
 * Undefined when there is no map, when it has no mapping for the position or cannot be decoded within limits of size, time and memory,
 * or when the source is not a file in the workspace. Reads the disk, or asks the server, as it is now, in a worker thread. Never rejects.
 */
export async function findSource(built: BuiltSpot, locations: SourceFolders): Promise<Spot | undefined> {
  const { file, line, column } = built;
  // A script may name any server as the place of its code.
  if (loopbackPort(file) !== undefined && !isAtPort(file, locations.servers?.())) return undefined;
  const job = { file, line, column, folder: locations.folder };
  const original = await traced(job).catch(() => undefined);
  if (!original) return undefined;
  const source = await findSourceFile(original, locations);
  return source === undefined ? undefined : { file: source, line: original.line, column: original.column };
}

async function traced(job: TraceJob): Promise<TracedSource | undefined> {
  if (typeof SIDELOAD_BUNDLES === 'undefined') {
    const { traceSource } = await import('./trace');
    return traceSource(job);
  }
  return threads.run(job);
}
