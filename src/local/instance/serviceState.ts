import { rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
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
export function answers({ baseUrl, token }: ServiceState): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise<boolean>((resolve) => {
    // Node's own agent may ask a proxy of the environment for it.
    const options = { headers, agent: new Agent(), signal: AbortSignal.timeout(HEALTH_LIMIT_MS) };
    const asked = get(`${baseUrl}/sideload/health`, options, (response) => {
      response.destroy();
      resolve(response.statusCode === 200);
    });
    asked.once('error', () => resolve(false));
    // The file may hold any address.
  }).catch(() => false);
}

function decode(value: unknown): ServiceState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, baseUrl, token, version } = value;
  if (typeof pid !== 'number' || typeof baseUrl !== 'string' || typeof token !== 'string') return undefined;
  return { pid, baseUrl, token, version: typeof version === 'string' ? version : '' };
}
