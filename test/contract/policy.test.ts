// Covers: test/fixtures/sample
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { newEngine, pushOnce } from './pushes';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { TestService } from './service';

const SAMPLE = join(__dirname, '..', 'fixtures', 'sample');

/** Forbids DevTools everywhere. */
const POLICY = { DeveloperToolsAvailability: 2 };

/** Where Chromium reads the policies of the machine. */
const POLICIES = '/etc/chromium';

/** Starts a browser with the policy, which is in a mount namespace of its own: no other browser of the machine sees it. */
const program = (browser: string): string => `#!/bin/sh
exec unshare --mount sh -c '
  mount -t tmpfs tmpfs ${POLICIES} && mkdir -p ${POLICIES}/policies/managed || exit 1
  echo "$POLICY" > ${POLICIES}/policies/managed/policy.json
  exec "$@"' sh ${browser} "$@"
`;

describe('a browser whose policy blocks DevTools', function () {
  this.timeout(90_000);
  let folder: string;
  let service: TestService;
  let client: ServiceClient;

  before(async function () {
    const browser = await findBrowser();
    const isPossible = await promisify(execFile)('unshare', [
      '--mount',
      'mount',
      '-t',
      'tmpfs',
      'tmpfs',
      POLICIES,
    ]).then(
      () => true,
      () => false,
    );
    // Elsewhere a policy would be that of all browsers of the machine.
    if (!isPossible || browser === undefined) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'sideload-policy-'));
    const file = join(folder, 'chromium');
    await writeFile(file, program(browser));
    await chmod(file, 0o755);
    service = await TestService.start(['--browser', file], undefined, {
      ...process.env,
      POLICY: JSON.stringify(POLICY),
    });
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
  });
  after(async () => {
    if (!service) return;
    await client.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('gets each push by a restart, and what runs there is reported as not verified, with the policy as the reason', async () => {
    const created = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const browser = { ...created, chromePolicy: POLICY };
    const engine = newEngine();
    try {
      for (const push of [1, 2]) {
        const outcome = await pushOnce(engine, { service: client, browser, folder: SAMPLE });
        assert.equal(outcome.kind, 'unverified', `push ${push}: ${JSON.stringify(outcome)}`);
        assert.equal(outcome.why, 'policy');
      }
      await assert.rejects(
        pushOnce(engine, { service: client, browser, folder: SAMPLE }, { delivery: 'inPlace' }),
        /a policy of the browser blocks them/,
      );
    } finally {
      engine.dispose();
      await client.deleteBrowser(browser.id);
    }
  });
});
