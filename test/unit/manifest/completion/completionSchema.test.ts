import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PERMISSIONS } from '../../../../src/manifest/availability';
import { PERMISSION_TEXTS } from '../../../../src/manifest/completion/permissionTexts';
import { manifestSchema } from '../../../../src/manifest/completion/completionSchema';
import { SCHEMA_FILE, schemaText } from '../../../support/manifestSchema';

describe('the schema for completion and hover', () => {
  it('is up to date with the tables: "npm run schema" writes it', () => {
    assert.equal(readFileSync(SCHEMA_FILE, 'utf8'), schemaText());
  });

  it('completes what an extension may use and accepts everything', () => {
    const text = JSON.stringify(manifestSchema());
    for (const offered of [
      '"storage"',
      '"declarativeNetRequest"',
      '"content_scripts"',
      '"side_panel"',
      '"document_idle"',
    ]) {
      assert.ok(text.includes(offered), offered);
    }
    assert.doesNotMatch(
      text,
      /"webRequestBlocking"|"browser_action"|"additionalProperties"|"type":"(string|array|object)"/,
    );
  });

  it('describes only known permissions', () => {
    const unknown = Object.keys(PERMISSION_TEXTS).filter((name) => !PERMISSIONS.has(name));
    assert.deepEqual(unknown, []);
    assert.ok(JSON.stringify(manifestSchema()).includes(PERMISSION_TEXTS['alarms'] ?? 'no text'));
  });
});
