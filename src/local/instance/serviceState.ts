import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomicFile';
import { isJsonObject } from '../requestFields';
import { readOwnFile } from '../ownFile';

/** What a shared service publishes about itself. */
export interface ServiceState {
  pid: number;
  baseUrl: string;
  token: string;
  version: string;
}

const HEALTH_LIMIT_MS = 3_000;

/** The state file of a shared service. It contains the token, so only its owner can read it. */
export class StateFile {
  readonly #file: string;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'service.json');
  }

  async read(): Promise<ServiceState | undefined> {
    try {
      return decode(JSON.parse((await readOwnFile(this.#file)) ?? 'null'));
    } catch {
      // A missing or damaged file: no service can be found by it.
      return undefined;
    }
  }

  async write(state: ServiceState): Promise<void> {
    await writeFileAtomically(this.#file, `${JSON.stringify(state)}\n`);
  }

  /** Removes the file if it belongs to that process. */
  async remove(pid: number): Promise<void> {
    if ((await this.read())?.pid === pid) await rm(this.#file, { force: true });
  }
}

/** True when a service answers at that address and accepts the token. */
export async function answers({ baseUrl, token }: ServiceState): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/sideload/health`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(HEALTH_LIMIT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function decode(value: unknown): ServiceState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, baseUrl, token, version } = value;
  if (typeof pid !== 'number' || typeof baseUrl !== 'string' || typeof token !== 'string') return undefined;
  return { pid, baseUrl, token, version: typeof version === 'string' ? version : '' };
}
