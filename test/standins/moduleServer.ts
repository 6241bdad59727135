import { transform } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { fieldOf } from '../../src/base/fields';

/** A development server that gives each TypeScript module of a folder as Vite does: by itself, its map in it, its source named by the file alone. */
export class ModuleServer {
  /** The paths that were asked for, without queries. */
  readonly asked: string[] = [];
  readonly #server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    this.asked.push(pathname);
    response.setHeader('access-control-allow-origin', '*');
    void this.#code(pathname).then(
      (code) => response.setHeader('content-type', 'text/javascript').end(code),
      () => response.writeHead(404).end(),
    );
  });

  private constructor(private readonly folder: string) {}

  static async start(folder: string): Promise<ModuleServer> {
    const server = new ModuleServer(folder);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, 'localhost', resolve);
    });
    return server;
  }

  get port(): number {
    return Number(fieldOf(this.#server.address(), 'port'));
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #code(path: string): Promise<string> {
    const source = await readFile(join(this.folder, path), 'utf8');
    return (await transform(source, { loader: 'ts', sourcefile: basename(path), sourcemap: 'inline' })).code;
  }
}
