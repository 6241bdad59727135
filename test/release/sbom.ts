import { createHash } from 'node:crypto';
import { isObject, listField, textField, textsField } from '../../src/base/fields';

/** What a bill of materials is about. */
export interface SbomSubject {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** When the release was made, in seconds since 1970. */
  readonly epoch: number;
  /** What the bundles contain, as `name@version`. */
  readonly bundled: readonly string[];
}

/**
 * The bill of materials of a release in the form of CycloneDX: of what `npm sbom` says of all that is installed, the packages that the bundles contain.
 * It has the same bytes for the same release. Throws when npm does not know one of them.
 */
export function sbomOf(npmSbom: unknown, { name, version, description, epoch, bundled }: SbomSubject): string {
  if (!isObject(npmSbom) || !isObject(npmSbom['metadata'])) throw new Error('npm sbom gave no bill of materials.');
  const { metadata } = npmSbom;
  const component = isObject(metadata['component']) ? metadata['component'] : {};
  const root = `${name}@${version}`;
  const components = bundled.toSorted().map((ref) => {
    const known = listField(npmSbom, 'components').find((one) => textField(one, 'bom-ref') === ref);
    if (!isObject(known)) throw new Error(`npm sbom does not know ${ref}, which the bundles contain.`);
    // The repository has it as a tool, the release as a part.
    return { ...known, scope: 'required', properties: [] };
  });
  const dependencies = bundled.toSorted().map((ref) => {
    const known = listField(npmSbom, 'dependencies').find((one) => textField(one, 'ref') === ref);
    return {
      ref,
      dependsOn: textsField(known, 'dependsOn')
        .filter((one) => bundled.includes(one))
        .toSorted(),
    };
  });
  const content = {
    ...npmSbom,
    metadata: {
      ...metadata,
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        ...component,
        'bom-ref': root,
        name,
        version,
        description,
        purl: `pkg:npm/${root}`,
        type: 'application',
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: bundled.toSorted() }, ...dependencies],
  };
  return `${JSON.stringify({ ...content, serialNumber: serialOf(JSON.stringify({ ...content, serialNumber: '' })) }, null, 2)}\n`;
}

/** A serial number, which the form wants as a UUID, from the content in place of chance. */
function serialOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
