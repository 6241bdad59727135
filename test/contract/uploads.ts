import type Kernel from '@onkernel/sdk';
import { toFile } from '@onkernel/sdk';
import type { TestService } from './service';

/** Uploads one extension with the official client. */
export async function upload(client: Kernel, id: string, name: string, zip: Buffer): Promise<void> {
  await client.browsers.loadExtensions(id, { extensions: [{ name, zip_file: await toFile(zip, `${name}.zip`) }] });
}

/** One part of a hand-made multipart body: text, or the bytes of a file. */
export type RawPart = readonly [name: string, value: string | Buffer];

/** Posts parts as they are given, which the official client would not do. */
export function post(service: TestService, path: string, parts: readonly RawPart[]): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'a.zip');
  }
  return service.request(path, { method: 'POST', body: form });
}

/** The names of what lies in the session's extension folder. */
export async function extensionFolders(client: Kernel, id: string): Promise<string[]> {
  const files = await client.browsers.fs.listFiles(id, { path: '/home/kernel/extensions' });
  return files.map((file) => file.name);
}
