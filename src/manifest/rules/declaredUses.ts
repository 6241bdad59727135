import type { JsonPath } from '../finding';
import { oncePerCheck, type Context } from '../rule';
import { Text } from '../source/text';
import type { Spot } from '../use/codeFacts';
import { readExtension, type ExtensionCode } from '../use/extensionCode';
import { allSitesIn, isHostPattern, useOfHost } from '../use/hostUse';
import { useOf, withCalls, type Use } from '../use/permissionUse';
import { deliveredFiles } from './delivery';

/** What the code says of a permission or host that the manifest declares. */
export interface DeclaredUse {
  permission: string;
  path: JsonPath;
  isHost: boolean;
  use: Use;
  /** Where it is used, or may be, with the line counted from 1: `worker.js:3`. */
  place?: string;
}

const KEYS = ['permissions', 'optional_permissions', 'host_permissions', 'optional_host_permissions'];

/** The code of the extension among the files that are delivered. */
export const codeOf = oncePerCheck(async (context): Promise<ExtensionCode> => {
  const files = await deliveredFiles(context);
  const code = await readExtension(
    context.folder,
    files.map(({ path }) => path),
    context.manifest.root,
  );
  // The code of a hosted app is that of its web pages.
  return context.packageType === 'hosted app' ? { ...code, isComplete: false } : code;
});

/** What the code, and the calls of a test, say of each permission and host, in the order of the manifest. */
export async function declaredUses(context: Context): Promise<DeclaredUse[]> {
  const { manifest, options } = context;
  const code = await codeOf(context);
  const about = { manifest, code, allSites: allSitesIn(manifest) };
  return KEYS.flatMap((key) =>
    manifest.itemsAt(key).flatMap((node, index): DeclaredUse[] => {
      if (node.kind !== 'string') return [];
      const permission = node.value;
      const isHost = isHostPattern(permission);
      const use = isHost
        ? useOfHost(permission, about)
        : withCalls(useOf(permission, about, key.startsWith('optional')), permission, options.calledApi);
      const place = placeText(use, code);
      return [{ permission, path: [key, index], isHost, use, ...(place !== undefined && { place }) }];
    }),
  );
}

function placeText(use: Use, code: ExtensionCode): string | undefined {
  const place = use.kind === 'none' ? use.near : use.kind === 'covered' || use.kind === 'seen' ? undefined : use;
  if (place?.file === undefined) return undefined;
  const line = place.spot && lineOf(place.file, place.spot, code);
  return line === undefined ? place.file : `${place.file}:${line}`;
}

function lineOf(file: string, { start }: Spot, { scripts }: ExtensionCode): number | undefined {
  const script = scripts.find(({ path }) => path === file);
  return script?.text.slice(0, start).split(/\r\n|\r|\n/).length;
}

/** A place in a script or a page, as a report has it. */
export function sourceAt(
  file: { path: string; text: string },
  { start, end }: Spot,
): { path: JsonPath; source: { file: string; text: Text }; span: Spot } {
  const byteAt = (offset: number): number => Buffer.byteLength(file.text.slice(0, offset));
  const text = new Text(Buffer.from(file.text));
  return { path: [], source: { file: file.path, text }, span: { start: byteAt(start), end: byteAt(end) } };
}
