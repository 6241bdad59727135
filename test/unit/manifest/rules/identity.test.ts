import assert from 'node:assert/strict';
import { checkCase, onlyOf } from '../checkManifest';

describe('manifest check of name and version', () => {
  for (const name of [undefined, '', 5, null, [], {}]) {
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      const finding = onlyOf((await checkCase({ name })).findings);
      assert.equal(finding.chromium, "Required value 'name' is missing or invalid.");
    });
  }

  it('accepts spaces and long names', async () => {
    assert.deepEqual((await checkCase({ name: ' ' })).findings, []);
    assert.deepEqual((await checkCase({ name: 'x'.repeat(5000) })).findings, []);
  });

  it('localises the name before it checks it', async () => {
    const named = { name: 'The __MSG_App__!', default_locale: 'de' };
    const { manifest } = await checkCase(named, { '_locales/de/messages.json': '{"app": {"message": "Ding"}}' });
    assert.equal(manifest?.name, 'The Ding!');
    const empty = { name: '__MSG_app__', default_locale: 'de' };
    const { findings } = await checkCase(empty, { '_locales/de/messages.json': '{"app": {"message": ""}}' });
    assert.equal(onlyOf(findings).rule, 'R-NAME');
  });

  for (const version of ['1', '1.2.3.4', '65536', '4294967295', '0', '0.0.1']) {
    it(`accepts the version ${version}`, async () => {
      assert.deepEqual((await checkCase({ version })).findings, []);
    });
  }
  for (const version of [
    undefined,
    1,
    null,
    '',
    '1.',
    '.1',
    '1..2',
    '1.2.3.4.5',
    '01',
    '-1',
    '+1',
    '1 ',
    '1.0a',
    '4294967296',
    '١',
  ]) {
    it(`refuses the version ${JSON.stringify(version)}`, async () => {
      assert.match(
        onlyOf((await checkCase({ version })).findings).chromium ?? '',
        /^Required value 'version' is missing or invalid\./,
      );
    });
  }

  it('warns of a leading zero, which Chromium drops', async () => {
    const finding = onlyOf((await checkCase({ version: '1.02.0' })).findings);
    assert.deepEqual([finding.severity, finding.chromium], ['warning', "The extension version is parsed as '1.2.0'."]);
  });
});
