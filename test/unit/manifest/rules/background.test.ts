import assert from 'node:assert/strict';
import { checkCase, onlyOf } from '../checkManifest';

describe('manifest check of the worker', () => {
  for (const name of ['b.js', '/b.js', './b.js', '../b.js', 'b.js?x=1', 'js/../b.js', 'js\\c%20d.js']) {
    it(`finds the file that ${name} leads to`, async () => {
      const { findings } = await checkCase({ background: { service_worker: name } }, { 'b.js': '', 'js/c d.js': '' });
      assert.deepEqual(findings, []);
    });
  }

  it('is case-sensitive, and names the file that is meant', async () => {
    const finding = onlyOf((await checkCase({ background: { service_worker: 'B.js' } }, { 'b.js': '' })).findings);
    assert.deepEqual([finding.rule, finding.path], ['R-SW-MISSING', ['background', 'service_worker']]);
    assert.equal(finding.chromium, "Could not load background script ''.");
    assert.match(finding.message, /b\.js exists: upper and lower case count/);
  });

  it('suggests a name that differs in a letter', async () => {
    const { findings } = await checkCase({ background: { service_worker: 'sw/worker.js' } }, { 'sw/wroker.js': '' });
    assert.match(onlyOf(findings).message, /Did you mean sw\/wroker\.js\?/);
  });

  it('recognises a module', async () => {
    const { manifest } = await checkCase({ background: { service_worker: './b.js', type: 'module' } }, { 'b.js': '' });
    assert.deepEqual(manifest?.serviceWorker, { path: 'b.js', type: 'module' });
  });
});
