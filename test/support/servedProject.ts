import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The line of a module's statement in its source, from 1: another one than in what the server gives. */
export const SERVED_LINE = 4;

function sourceOf(statement: string): string {
  return `interface Count {\n  value: number;\n}\n${statement}\nconst count: Count = { value: 1 };\nexport default count;\n`;
}

/** The statement of each module. */
export interface ServedStatements {
  worker: string;
  options: string;
}

/** Writes a project in a folder: its build in `dist` loads the modules of its worker and of its options page from a development server. */
export async function writeServedProject(
  root: string,
  origin: string,
  { worker, options }: ServedStatements,
): Promise<void> {
  const manifest = {
    manifest_version: 3,
    name: 'Served',
    version: '1.0',
    background: { service_worker: 'worker.js', type: 'module' },
    options_page: 'options.html',
    host_permissions: [`${origin}/*`],
    content_security_policy: { extension_pages: `script-src 'self' ${origin}; object-src 'self'` },
  };
  const files = {
    'package.json': '{ "private": true }',
    'src/worker.ts': sourceOf(worker),
    'src/options.ts': sourceOf(options),
    // Another file of this name, which is not the source.
    'options.ts': 'export {};\n',
    'dist/manifest.json': JSON.stringify(manifest),
    'dist/worker.js': `import '${origin}/src/worker.ts';\n`,
    'dist/options.html': `<!doctype html><title>Options</title><script type="module" src="${origin}/src/options.ts"></script>`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
