import type { CDPSession } from '../protocol/connect';
import type { FileField } from './pageModel';

/** What a field of a page takes; undefined when it is gone or no field for files. Rejects never. */
export async function readFileField(session: CDPSession, backendNodeId: number): Promise<FileField | undefined> {
  const described = await session.send('DOM.describeNode', { backendNodeId }).catch(() => undefined);
  const attributes = new Map<string, string>();
  const pairs = described?.node.attributes ?? [];
  for (let at = 0; at + 1 < pairs.length; at += 2) attributes.set(pairs[at] ?? '', pairs[at + 1] ?? '');
  if (attributes.get('type')?.toLowerCase() !== 'file') return undefined;
  return { isFolder: attributes.has('webkitdirectory'), extensions: extensionsOf(attributes.get('accept') ?? '') };
}

/** The extensions of an `accept` attribute; none when it also names media types, which a dialog cannot filter by. */
function extensionsOf(accept: string): string[] {
  const wanted = accept.split(',').map((each) => each.trim());
  return wanted.every((each) => each.startsWith('.') && each.length > 1) ? wanted.map((each) => each.slice(1)) : [];
}
