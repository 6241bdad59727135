import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { type Site, startSite } from '../standins/site';
import { differences } from '../transcripts/confirm';
import { SCENARIOS } from '../transcripts/scenarios';
import { readTranscript, storeTranscript } from '../transcripts/stored';
import { TestService } from './service';
import { record } from './transcriptStage';

/** Set by `npm test -- contract --record`: the transcripts are recorded again. */
const isRecording = process.env['SIDELOAD_TEST_RECORD'] === '1';

/** What to do when Chromium, or Sideload, has changed on purpose. */
const RECORD_AGAIN = 'If this is right, record the transcripts again: npm test -- contract --record';

describe(isRecording ? 'the transcripts' : 'Chromium', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: ServiceClient;
  let site: Site;

  before(async () => {
    [service, site] = await Promise.all([TestService.start(), startSite()]);
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
  });
  after(async () => {
    site.close();
    await client.close();
    await service.stop();
  });

  for (const scenario of SCENARIOS) {
    it(isRecording ? `are stored of ${scenario.title}` : `still confirms ${scenario.title}`, async () => {
      const browser = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
      try {
        const { transcript, outcomes } = await record(scenario, { client, browser, site });
        assert.deepEqual(outcomes, scenario.outcomes);
        if (isRecording) storeTranscript(scenario.name, transcript);
        else assert.deepEqual(differences(readTranscript(scenario.name), transcript), [], RECORD_AGAIN);
      } finally {
        await client.deleteBrowser(browser.id);
      }
    });
  }
});
