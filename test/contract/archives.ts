import JSZip from 'jszip';

const SYMLINK_MODE = 0o120777;

/** A zip archive of some files. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content, { createFolders: false });
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** A zip archive with a symbolic link, made as on Unix. */
export async function zipWithLink(name: string, target: string): Promise<Buffer> {
  const zip = new JSZip();
  zip.file('manifest.json', manifest());
  zip.file(name, target, { unixPermissions: SYMLINK_MODE });
  return zip.generateAsync({ type: 'nodebuffer', platform: 'UNIX' });
}

/** The text of a small Manifest V3; `more` adds or replaces. */
export function manifest(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ manifest_version: 3, name: 'Contract', version: '1.0', ...more });
}

/** A whole extension whose service worker tells which build it is, as `self.build`. */
export function extensionZip(build: number, more: Readonly<Record<string, unknown>> = {}): Promise<Buffer> {
  const text = manifest({ version: `1.${build}`, background: { service_worker: 'worker.js' }, ...more });
  return zipOf({ 'manifest.json': text, 'worker.js': `self.build = ${build};` });
}
