// The script of a worker thread that compresses files: a bundle of its own.
import { parentPort } from 'node:worker_threads';
import { type FileZip, zipFile } from './zip';

/** A file to compress, as it is posted to the worker thread. */
export interface CompressJob {
  id: number;
  path: string;
  content: Uint8Array;
  level: number;
}

/** The answer of the worker thread to a job. */
export type CompressResult = { id: number } & ({ zip: FileZip } | { error: string });

async function run({ id, path, content, level }: CompressJob): Promise<void> {
  try {
    const zip = await zipFile(path, content, level);
    parentPort?.postMessage({ id, zip } satisfies CompressResult, [zip.bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies CompressResult);
  }
}

parentPort?.on('message', (job: CompressJob) => {
  void run(job);
});
