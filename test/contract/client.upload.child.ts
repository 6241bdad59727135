/**
 * Uploads in a process of its own, so that its memory can be measured: `client.upload.child.ts <base address> <file|bytes>
 * <file or number of bytes>`. Prints one line of JSON, a `Measured`.
 */
import { openAsBlob } from 'node:fs';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';

export interface Measured {
  /** Resident memory when the upload began, and the most of it until its end, in bytes. */
  startRss: number;
  peakRss: number;
  /** What `onProgress` was called with: how often, the last numbers, and whether it only ever grew. */
  calls: number;
  sent: number;
  total: number;
  grewOnly: boolean;
}

const SAMPLE_MS = 5;

async function main([baseUrl = '', kind = '', what = '']: readonly string[]): Promise<Measured> {
  const client = new ServiceClient({ baseUrl: new URL(baseUrl), token: 't', log: silentLogger });
  // The code is loaded and warm before memory is looked at.
  await client.uploadExtension(new Uint8Array(1), 'warm');
  const content = kind === 'file' ? await openAsBlob(what) : new Uint8Array(Number(what)).fill(1);
  const startRss = process.memoryUsage.rss();
  const measured: Measured = { startRss, peakRss: startRss, calls: 0, sent: 0, total: 0, grewOnly: true };
  const sample = (): void => {
    measured.peakRss = Math.max(measured.peakRss, process.memoryUsage.rss());
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  await client.uploadExtension(content, 'big', undefined, (sent, total) => {
    measured.calls += 1;
    measured.grewOnly &&= sent > measured.sent && sent <= total;
    measured.sent = sent;
    measured.total = total;
  });
  sample();
  clearInterval(sampling);
  await client.close();
  return measured;
}

void main(process.argv.slice(2)).then((measured) => {
  console.log(JSON.stringify(measured));
});
