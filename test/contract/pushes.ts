import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFiles } from '../../src/archive/packer';
import { selectFiles } from '../../src/archive/select';
import { BrowserConnections } from '../../src/push/browsers';
import type { PushRequest } from '../../src/push/push';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/log';
import type { BrowserSession } from '../../src/service/model';
import { DevTools } from './devtools';

/** How long a worker may take to answer the test, in milliseconds. */
const WORKER_LIMIT_MS = 10_000;

/** Longer than any test: the connection is kept between its pushes. */
const IDLE_MS = 60_000;

/** What a window would keep of its browsers. */
export function newWindow(): BrowserConnections {
  return new BrowserConnections(() => IDLE_MS);
}

/** A push of `folder` under the name `sample`, as by hand and with every question answered with yes. */
export function pushRequest(
  push: { service: ServiceClient; session: BrowserSession; browsers: BrowserConnections; folder: string },
  more: Partial<PushRequest> = {},
): PushRequest {
  return {
    ...push,
    delivery: 'auto',
    tabs: 'visible',
    isLocal: true,
    folderName: 'sample',
    exclude: [],
    include: [],
    confirmRestart: () => Promise.resolve(true),
    log: silentLogger,
    onStep: () => undefined,
    ...more,
  };
}

/** A zip of files with these texts, by name. */
export async function zipOf(texts: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'sideload-zip-'));
  try {
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    const { files } = await selectFiles(folder);
    return (await packFiles(folder, files)).bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The smallest extension, as somebody else may upload it. */
export function zipOfOther(): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf({ 'manifest.json': '{ "manifest_version": 3, "name": "Other", "version": "1" }' });
}

/** The value of an expression in the worker of the only extension, asked for over a connection of the test's own. */
export async function askWorker(session: BrowserSession, expression: string): Promise<unknown> {
  const devtools = await DevTools.connect(session.cdp_ws_url);
  try {
    return await devtools.askWorker(expression, WORKER_LIMIT_MS);
  } finally {
    devtools.close();
  }
}
