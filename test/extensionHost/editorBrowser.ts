// Covers: test/fixtures/sample
/** For tests in the extension host: real browsers of a service that the suite has started. */
import assert from 'node:assert/strict';
import { commands, ConfigurationTarget, extensions, workspace } from 'vscode';
import { TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { COMMANDS, EXTENSION_ID, ROWS, SETTINGS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { packTexts } from '../support/packFiles';
import { isFullRun } from '../runner/seed';
import { SERVICE_ENV } from '../support/serviceEnvironment';
import { SlowNetwork } from '../standins/slowNetwork';
import { decodeBrowser } from '../../src/service/decode/decode';
import type { Browser } from '../../src/service/model';

/** Longest time until a worker returns the expected value, in milliseconds. */
const WORKER_LIMIT_MS = 30_000;

/** After this time without an answer a worker is asked again, in milliseconds: the one of before a push may never answer. */
const ASK_AGAIN_MS = 2000;

/** How long a worker may stand at a breakpoint, in milliseconds: longer than a test may take to read the variables there. */
const STOPPED_LIMIT_MS = 100_000;

/** Interval at which a worker is polled, in milliseconds. */
const LOOK_MS = 20;

/** The network to the service, and the address of the service behind it. */
let network: SlowNetwork | undefined;
let near: string | undefined;

/**
 * Configures Sideload to use that service, by the address of a proxy if one is given, until `leaveService`. Its browsers were not started
 * by Sideload, so a save must not restart them: pushes are delivered in place.
 */
export async function useService(baseUrl = service().baseUrl): Promise<void> {
  await extensions.getExtension(EXTENSION_ID)?.activate();
  await set(SETTINGS.serviceUrl, baseUrl, ConfigurationTarget.Global);
  await set(SETTINGS.service, 'other', ConfigurationTarget.Global);
  await set(SETTINGS.delivery, 'inPlace', ConfigurationTarget.Global);
}

/** The round trips to the service that tests run with, in milliseconds: far away only in a run with full doses. */
export function distances(): readonly number[] {
  return isFullRun() ? [0, 80] : [0];
}

/** What a test's title says of the distance. */
export function distanceText(roundTripMs: number): string {
  return roundTripMs === 0 ? '' : ` over a network with a round trip of ${roundTripMs} ms`;
}

/** The same over a network with a round trip of so many milliseconds, which all requests and sockets pass, those of the test too. */
export async function useDistantService(roundTripMs: number): Promise<void> {
  if (roundTripMs > 0) {
    near = service().baseUrl;
    network = await SlowNetwork.start(near, { upMs: roundTripMs / 2, downMs: roundTripMs / 2 });
    process.env[SERVICE_ENV] = network.baseUrl;
  }
  await useService();
}

/** Reverts what `useService` and `useDistantService` have set. */
export async function leaveService(): Promise<void> {
  await set(SETTINGS.delivery, undefined, ConfigurationTarget.Global);
  await set(SETTINGS.service, undefined, ConfigurationTarget.Global);
  await set(SETTINGS.serviceUrl, undefined, ConfigurationTarget.Global);
  if (!network) return;
  process.env[SERVICE_ENV] = near;
  await network.close();
  network = undefined;
}

/** Sets a setting of the workspace; undefined removes it. */
export async function set(name: string, value: unknown, scope = ConfigurationTarget.Workspace): Promise<void> {
  await workspace.getConfiguration().update(name, value, scope);
}

/** A headless browser of that service. */
export class EditorBrowser {
  private constructor(
    readonly name: string,
    readonly described: Browser,
  ) {}

  /** Starts one. */
  static async start(name: string): Promise<EditorBrowser> {
    const answer = await request('browsers', 'POST', { name, headless: true, timeout_seconds: 600 });
    return new EditorBrowser(name, decodeBrowser(await answer.json()));
  }

  /** The one that runs under a name, which may not be of this test. */
  static async named(name: string): Promise<EditorBrowser> {
    const answer = await request(`browsers/${name}`, 'GET');
    return new EditorBrowser(name, decodeBrowser(await answer.json()));
  }

  /** Its row in the list, as commands get it. */
  get row(): unknown {
    return { contextValue: ROWS.browser, item: this.described };
  }

  /** Sets it as the push target. */
  async choose(): Promise<void> {
    await commands.executeCommand(COMMANDS.setTarget, this.row);
  }

  /**
   * Waits until an expression has the value `wanted` in a service worker of this browser. Rejects with its last values when that takes
   * too long.
   */
  async says(expression: string, wanted: unknown): Promise<void> {
    const end = performance.now() + WORKER_LIMIT_MS;
    let seen: unknown[] = [];
    while (performance.now() < end) {
      seen = await this.ask(expression, ASK_AGAIN_MS).catch(() => []);
      if (seen.includes(wanted)) return;
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
    assert.fail(`In ${this.name} ${expression} is ${JSON.stringify(seen)} and not ${JSON.stringify(wanted)}.`);
  }

  /** The values of an expression in the running service workers. Rejects when none answers within `limitMs`. */
  async ask(expression: string, limitMs = WORKER_LIMIT_MS): Promise<unknown[]> {
    const devtools = await DevTools.connect(this.described.devToolsUrl);
    try {
      return await devtools.askWorkers(expression, limitMs);
    } finally {
      devtools.close();
    }
  }

  /** The same for an expression that comes to a breakpoint: its value is there only when the test has let the worker go on. */
  async askOverStop(expression: string): Promise<unknown[]> {
    return await this.ask(expression, STOPPED_LIMIT_MS);
  }

  /** Loads a folder without Sideload, as another copy of the extension. Returns its id. */
  async loadCopy(folder: string): Promise<string> {
    const { id } = await this.#command('Extensions.loadUnpacked', { path: folder });
    assert.equal(typeof id, 'string');
    return String(id);
  }

  async unload(id: string): Promise<void> {
    await this.#command('Extensions.uninstall', { id });
  }

  /** Restarts its Chromium, as an upload of another extension does. */
  async restart(): Promise<void> {
    const { baseUrl, token } = service();
    const { zip } = await packTexts({
      'manifest.json': '{ "manifest_version": 3, "name": "Other", "version": "1" }',
    });
    const form = new FormData();
    form.append('extensions[0][name]', 'other');
    form.append('extensions[0][zip_file]', new Blob([await zip()]), 'other.zip');
    const url = new URL(`browsers/${this.described.id}/extensions`, `${baseUrl}/`);
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
    assert.ok(answer.ok, await answer.text());
  }

  /** Ends it. */
  async end(): Promise<void> {
    await request(`browsers/${this.described.id}`, 'DELETE');
  }

  async #command(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const devtools = await DevTools.connect(this.described.devToolsUrl);
    try {
      return await devtools.result(method, params);
    } finally {
      devtools.close();
    }
  }
}

/** Ends a browser that something else has started. */
export async function endBrowser(name: string): Promise<void> {
  await request(`browsers/${name}`, 'DELETE');
}

/** The address of the service that the suite has started. */
export function serviceUrl(): string {
  return service().baseUrl;
}

function service(): { baseUrl: string; token: string } {
  const [baseUrl, token] = [process.env[SERVICE_ENV], process.env[TOKEN_VARIABLE]];
  assert.ok(baseUrl !== undefined && token !== undefined, 'the suite has started no service');
  return { baseUrl, token };
}

async function request(path: string, method: string, body?: unknown): Promise<Response> {
  const { baseUrl, token } = service();
  const answer = await fetch(new URL(path, `${baseUrl}/`), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer;
}
