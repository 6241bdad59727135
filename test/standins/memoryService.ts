import { dirname, posix } from 'node:path';
import type { PushService } from '../../src/push/pushService';
import type { UploadRestart } from '../../src/service/interface';
import { ServiceError, type ServiceErrorFields } from '../../src/service/serviceErrors';
import type { FileInfo } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import type { TestClock } from '../support/testClock';
import { unzip } from '../support/unzip';

/** The operations of the service that change or read files, by their names in the client. */
export type Operation = Exclude<keyof PushService, 'baseUrl'>;

/** What goes wrong with an operation. */
export interface ServiceFault {
  operation: Operation;
  /** Only with this in one of its paths. */
  path?: string;
  /** `before`: nothing is done. `after`: it is done, and the answer is lost. `slow`: it is done after `ms`. `late`: it is done at once, and answered after `ms`. */
  kind: 'before' | 'after' | 'slow' | 'late';
  ms?: number;
  /** The error, other than the usual one of a connection that broke. */
  error?: Partial<ServiceErrorFields>;
  /** Called when the request comes. */
  act?: () => void;
  /** How often it goes wrong; once without it. */
  times?: number;
}

interface Node {
  /** Undefined of a folder. */
  content: Buffer | undefined;
  changed: number;
}

/** A file on the machine of a browser: a text, by its path. */
export type Tree = Record<string, string>;

/**
 * The files on the machine of one browser, in memory, with what the local service does to them: the same operations are refused, with the
 * same errors. Operations fail, lose their answers or take time as a test says.
 */
export class MemoryService implements PushService {
  readonly baseUrl = new URL('http://service.test/');
  /** What was asked for, in the order of its coming: the operation and its paths without the root of extensions. */
  readonly calls: string[] = [];
  /** What the uploads of extensions have said of the restart. */
  readonly uploads: (UploadRestart | undefined)[] = [];
  /** Faults that have not happened yet. */
  readonly faults: ServiceFault[] = [];
  /** Called when Chromium restarts for an upload, after the files are in place. */
  onRestart: () => Promise<void> = () => Promise.resolve();
  readonly #nodes = new Map<string, Node>();
  #ticks = 0;
  #inFlight = 0;

  constructor(private readonly clock: TestClock) {
    for (const path of ['/', '/home', dirname(EXTENSIONS_ROOT)])
      this.#nodes.set(path, { content: undefined, changed: 0 });
  }

  /** Whether an operation is being done that needs no time of the clock. */
  get isBusy(): boolean {
    return this.#inFlight > 0;
  }

  /** The texts of all files below a folder, by path. */
  tree(folder = EXTENSIONS_ROOT): Tree {
    const files = [...this.#nodes].filter(([path, { content }]) => path.startsWith(`${folder}/`) && content);
    return Object.fromEntries<string>(
      files
        .map(([path, { content }]) => [path.slice(folder.length + 1), String(content)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** The names in the root of extensions, with the random ends of temporary folders replaced by what they are. */
  names(): string[] {
    const names = [...this.#childrenOf(EXTENSIONS_ROOT)].map((path) => posix.basename(path));
    return names.map((name) => name.replace(/^\.sideload-(\w+)-.*$/, '($1)')).sort();
  }

  /** Writes files, as somebody else may have done before. */
  write(tree: Tree): void {
    for (const [path, text] of Object.entries(tree)) this.#write(`${EXTENSIONS_ROOT}/${path}`, Buffer.from(text));
  }

  uploadExtensionsToBrowser: PushService['uploadExtensionsToBrowser'] = (_id, uploads, signal, onProgress, restart) =>
    this.#run(
      'uploadExtensionsToBrowser',
      uploads.map(({ name }) => name),
      signal,
      async () => {
        const files = await Promise.all(uploads.map(({ zip }) => unzip(bytesOf(zip))));
        for (const { name } of uploads) {
          if (this.#nodes.has(`${EXTENSIONS_ROOT}/${name}`)) {
            throw refused('uploadExtensionsToBrowser', `extension name already exists: ${name}`);
          }
        }
        for (const [at, { name }] of uploads.entries()) {
          for (const [path, { content }] of files[at] ?? []) this.#write(`${EXTENSIONS_ROOT}/${name}/${path}`, content);
        }
        const bytes = uploads.reduce((sum, { zip }) => sum + bytesOf(zip).length, 0);
        onProgress?.(bytes);
        this.uploads.push(restart);
        if (restart !== 'later') await this.onRestart();
      },
    );

  uploadZip: PushService['uploadZip'] = (_id, zip, folder, signal, onProgress) =>
    this.#run('uploadZip', [folder], signal, async () => {
      const bytes = bytesOf(zip);
      const files = await unzip(bytes);
      this.#makeFolder(folder);
      for (const [path, { content }] of files) this.#write(`${folder}/${path}`, content);
      onProgress?.(bytes.length);
    });

  listFiles: PushService['listFiles'] = (_id, folder, signal) =>
    this.#run('listFiles', [folder], signal, () => {
      const node = this.#nodeAt('listFiles', folder);
      if (node.content) throw refused('listFiles', `Not a folder: "${folder}".`);
      return [...this.#childrenOf(folder)].sort().map((path) => this.#describe(path));
    });

  fileInfo: PushService['fileInfo'] = (_id, path, signal) =>
    this.#run('fileInfo', [path], signal, () => {
      this.#nodeAt('fileInfo', path);
      return this.#describe(path);
    });

  readFile: PushService['readFile'] = (_id, path, signal) =>
    this.#run('readFile', [path], signal, () => {
      const { content } = this.#nodeAt('readFile', path);
      if (!content) throw refused('readFile', `Not a file: "${path}".`);
      return content;
    });

  moveFile: PushService['moveFile'] = (_id, from, to) =>
    this.#run('moveFile', [from, to], undefined, () => {
      const node = this.#nodeAt('moveFile', from);
      const target = this.#nodes.get(to);
      const isFull = [...this.#childrenOf(to)].length > 0;
      if (!this.#nodes.has(dirname(to))) throw notFound('moveFile', to);
      if (target && (isFull || (target.content === undefined) !== (node.content === undefined))) {
        throw refused('moveFile', `Already exists: "${to}".`);
      }
      for (const [path, inner] of [...this.#nodes]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        this.#nodes.delete(path);
        this.#nodes.set(to + path.slice(from.length), inner);
      }
      this.#touch(dirname(from));
      this.#touch(dirname(to));
    });

  deleteFile: PushService['deleteFile'] = (_id, path, signal) =>
    this.#run('deleteFile', [path], signal, () => {
      const node = this.#nodes.get(path);
      // The client takes 404 for done.
      if (!node) return;
      if (!node.content) throw refused('deleteFile', `Not a file: "${path}".`);
      this.#nodes.delete(path);
      this.#touch(dirname(path));
    });

  deleteDirectory: PushService['deleteDirectory'] = (_id, folder, signal) =>
    this.#run('deleteDirectory', [folder], signal, () => {
      const node = this.#nodes.get(folder);
      if (!node) return;
      if (node.content) throw refused('deleteDirectory', `Not a folder: "${folder}".`);
      for (const path of [...this.#nodes.keys()]) {
        if (path === folder || path.startsWith(`${folder}/`)) this.#nodes.delete(path);
      }
      this.#touch(dirname(folder));
    });

  pressKey: PushService['pressKey'] = (_id, { keys }, signal) => this.#run('pressKey', keys, signal, () => undefined);

  async #run<T>(
    operation: Operation,
    paths: readonly string[],
    signal: AbortSignal | undefined,
    act: () => T | Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    this.calls.push([operation, ...paths.map(shortPath)].join(' '));
    const fault = this.#faultOf(operation, paths);
    fault?.act?.();
    this.#inFlight += 1;
    try {
      // A request takes its way.
      await new Promise((resolve) => setImmediate(resolve));
      if (fault?.kind === 'slow') await this.#wait(fault.ms ?? 0, signal);
      if (fault?.kind === 'before') throw failureOf(operation, { mayHaveHappened: false, ...fault.error });
      const result = await act();
      if (fault?.kind === 'late') await this.#wait(fault.ms ?? 0, signal);
      if (fault?.kind === 'after') throw failureOf(operation, { mayHaveHappened: true, ...fault.error });
      signal?.throwIfAborted();
      return result;
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    this.#inFlight -= 1;
    try {
      await this.clock.delay(ms, { signal });
    } finally {
      this.#inFlight += 1;
    }
  }

  #faultOf(operation: Operation, paths: readonly string[]): ServiceFault | undefined {
    const fault = this.faults.find(
      ({ operation: name, path, times = 1 }) =>
        name === operation && times > 0 && (path === undefined || paths.some((one) => one.includes(path))),
    );
    if (fault) fault.times = (fault.times ?? 1) - 1;
    return fault;
  }

  #nodeAt(operation: Operation, path: string): Node {
    const node = this.#nodes.get(path);
    if (!node) throw notFound(operation, path);
    return node;
  }

  *#childrenOf(folder: string): Generator<string> {
    for (const path of this.#nodes.keys()) if (path !== '/' && dirname(path) === folder) yield path;
  }

  #write(path: string, content: Buffer): void {
    this.#makeFolder(dirname(path));
    if (!this.#nodes.has(path)) this.#touch(dirname(path));
    this.#nodes.set(path, { content, changed: this.#tick() });
  }

  #makeFolder(folder: string): void {
    if (this.#nodes.has(folder)) return;
    this.#makeFolder(dirname(folder));
    this.#nodes.set(folder, { content: undefined, changed: this.#tick() });
    this.#touch(dirname(folder));
  }

  #touch(folder: string): void {
    const node = this.#nodes.get(folder);
    if (node) node.changed = this.#tick();
  }

  #tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  #describe(path: string): FileInfo {
    const { content, changed } = this.#nodeAt('fileInfo', path);
    return {
      name: posix.basename(path),
      path,
      isFolder: content === undefined,
      sizeBytes: content?.length ?? 0,
      modifiedAt: new Date(changed).toISOString(),
      mode: content === undefined ? 'drwxr-xr-x' : '-rw-r--r--',
    };
  }
}

function bytesOf(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  throw new Error('Only whole zips are unpacked here.');
}

function shortPath(path: string): string {
  return path
    .replace(`${EXTENSIONS_ROOT}/`, '')
    .replace(EXTENSIONS_ROOT, '/')
    .replace(/^\.sideload-(\w+)-[^/]*/, '($1)');
}

function failureOf(
  operation: Operation,
  fields: Partial<ServiceErrorFields> & { mayHaveHappened: boolean },
): ServiceError {
  return new ServiceError({ kind: 'unreachable', operation, message: 'The connection broke.', ...fields });
}

function notFound(operation: Operation, path: string): ServiceError {
  const message = `No such file or folder: "${path}".`;
  return new ServiceError({ kind: 'notFound', operation, status: 404, message, mayHaveHappened: false });
}

function refused(operation: Operation, message: string): ServiceError {
  const details = [{ code: 'invalid_input', message }];
  return new ServiceError({ kind: 'badRequest', operation, status: 400, message, details, mayHaveHappened: false });
}
