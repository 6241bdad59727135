// Covers: src/push, src/service, src/programs, src/editor/push/stepText.ts
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepMessage } from '../../src/editor/push/stepText';
import type { PushStep } from '../../src/push/outcome';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { DocumentService } from '../standins/documentService';
import { newEngine, pushOnce } from './pushes';
import { runProgram } from './shippedPrograms';

/** How long the service needs for an upload, in milliseconds: longer than anything else that it is asked for may take. */
const UPLOAD_MS = 60_000;

/** Size of what does not become smaller in an archive, in bytes: enough for a percentage. */
const FILE_BYTES = 3_000_000;

/** The browsers of the window and of the terminal; pushes to one browser would take turns. */
const BROWSERS = ['brw-1', 'brw-2'] as const;

describe('an upload that takes a minute', function () {
  this.timeout(150_000);
  let folder: string;
  let services: DocumentService[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-slow-'));
    await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3, "name": "slow", "version": "1.0" }');
    await writeFile(join(folder, 'picture.bin'), randomBytes(FILE_BYTES));
    services = await Promise.all(BROWSERS.map((id) => DocumentService.start({ browsers: [id], uploadMs: UPLOAD_MS })));
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  // Both wait at the same time.
  it('is waited for and delivered by one request, in a window, which says what it waits for, and on a terminal', async () => {
    const [window, terminal] = services;
    assert(window && terminal);
    const steps: PushStep[] = [];
    /** How long ago the last step was said when the push ended, in milliseconds. */
    let silence = 0;
    const push = async (): Promise<string> => {
      const service = new ServiceClient({
        baseUrl: parseBaseUrl(window.baseUrl),
        token: window.token,
        log: silentLogger,
      });
      const engine = newEngine();
      let last = 0;
      try {
        const browser = { id: BROWSERS[0], devToolsUrl: '' };
        const onStep = (step: PushStep): void => {
          if (step.step === 'uploading') last = performance.now();
          steps.push(step);
        };
        const { kind: outcome } = await pushOnce(engine, { service, browser, folder }, { isLocal: false, onStep });
        silence = performance.now() - last;
        return outcome;
      } finally {
        engine.dispose();
        await service.close();
      }
    };
    const args = ['push', folder, '--service', terminal.baseUrl, '--browser', BROWSERS[1]];
    const [outcome, printed] = await Promise.all([
      push(),
      runProgram('cli', args, { env: { SIDELOAD_TOKEN: terminal.token } }),
    ]);
    assert.equal(outcome, 'unverified');
    assert.deepEqual([printed.code, printed.stderr], [4, '']);
    assert.match(printed.stdout, /^DELIVERED, NOT VERIFIED: Uploaded to brw-2; /);
    for (const service of services) {
      assert.equal(service.count(/^POST \/browsers\/brw-\d\/extensions$/), 1, service.requests.join('\n'));
      assert.equal(service.uploads.length, 1);
    }
    const said = steps.flatMap((step) => (step.step === 'uploading' ? (stepMessage(step) ?? []) : []));
    assert.match(said[0] ?? '', /^uploading 3\.\d MB, \d+ %, then Chromium restarts$/);
    // What is said last stands for the rest of the minute.
    assert.equal(said.at(-1), 'restarting Chromium');
    const sent = steps.flatMap((step) => (step.step === 'uploading' ? step.sent : []));
    assert.ok(sent.length > 2, sent.join());
    assert.deepEqual(
      sent,
      [...sent].sort((one, other) => one - other),
    );
    assert.ok(silence > UPLOAD_MS * 0.9 && silence < UPLOAD_MS * 1.5, `${silence} ms`);
  });
});
