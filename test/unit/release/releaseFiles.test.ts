import assert from 'node:assert/strict';
import { notesOf } from '../../release/changelog';
import { sbomOf } from '../../release/sbom';

const SUBJECT = { name: 'sideload', version: '1.0.0', description: 'It pushes.', epoch: 1_800_000_000 };

const component = (ref: string, dependsOn: string[] = []) => ({
  component: {
    'bom-ref': ref,
    scope: 'optional',
    properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
  },
  dependency: { ref, dependsOn },
});

/** What npm says of these packages, at a time and with a serial number of chance. */
function npmSbom(...all: ReturnType<typeof component>[]): unknown {
  return {
    bomFormat: 'CycloneDX',
    serialNumber: `urn:uuid:${Math.random()}`,
    metadata: { timestamp: new Date().toISOString(), component: { name: 'folder', version: '0.9.0' } },
    components: all.map((one) => one.component),
    dependencies: all.map((one) => one.dependency),
  };
}

describe('the bill of materials', () => {
  const [ws, tool, zip] = [
    component('ws@8.0.0', ['zip@1.0.0', 'tool@1.0.0']),
    component('tool@1.0.0'),
    component('zip@1.0.0'),
  ];
  const subject = { ...SUBJECT, bundled: ['zip@1.0.0', 'ws@8.0.0'] };

  it('names what the bundles contain as parts, and no tool', () => {
    const made = JSON.parse(sbomOf(npmSbom(tool, ws, zip), subject)) as Record<string, unknown>;
    assert.deepEqual(made['components'], [
      { 'bom-ref': 'ws@8.0.0', scope: 'required', properties: [] },
      { 'bom-ref': 'zip@1.0.0', scope: 'required', properties: [] },
    ]);
    assert.deepEqual(made['dependencies'], [
      { ref: 'sideload@1.0.0', dependsOn: ['ws@8.0.0', 'zip@1.0.0'] },
      { ref: 'ws@8.0.0', dependsOn: ['zip@1.0.0'] },
      { ref: 'zip@1.0.0', dependsOn: [] },
    ]);
    assert.match(JSON.stringify(made['metadata']), /"name":"sideload","version":"1\.0\.0"/);
  });

  it('has the same bytes for the same release, and another serial number for another one', () => {
    const made = sbomOf(npmSbom(tool, ws, zip), subject);
    assert.equal(sbomOf(npmSbom(zip, ws), { ...subject, bundled: ['ws@8.0.0', 'zip@1.0.0'] }), made);
    const serial = /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/;
    assert.match(made, serial);
    assert.notEqual(
      serial.exec(sbomOf(npmSbom(ws), { ...subject, bundled: ['ws@8.0.0'] }))?.[0],
      serial.exec(made)?.[0],
    );
  });

  it('is not made without a package that the bundles contain', () => {
    assert.throws(() => sbomOf(npmSbom(ws), subject), /does not know zip@1\.0\.0/);
    assert.throws(() => sbomOf('nothing', subject), /no bill of materials/);
  });
});

describe('the notes of a release', () => {
  it('are the section of the changelog, which may be the last one', () => {
    const text =
      '# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-11-26\n\n### Added\n\n- A.\n\n## [0.9.0] - 2026-01-01\n\n- B.\n';
    assert.equal(notesOf(text, '1.0.0'), '### Added\n\n- A.\n');
    assert.equal(notesOf(text, '0.9.0'), '- B.\n');
    assert.throws(() => notesOf(text, '2.0.0'), /has no section "## \[2\.0\.0\]"/);
  });
});
