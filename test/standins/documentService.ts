import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorBody } from '../../src/service/interface';

/** The largest archive that it takes, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** How a service may differ that keeps to the interface document. */
export interface DocumentOptions {
  token?: string;
  /** The ids of its browsers. */
  browsers?: readonly string[];
  /** The status of success. */
  success?: 200 | 201 | 202 | 204;
  /** How long an upload takes, in milliseconds. */
  uploadMs?: number;
  /** Whether it lists and describes browsers, each by a record that has nothing but an identifier, under this name. */
  records?: 'id' | 'session_id';
  /** What it says of an operation that it does not have; `{path}` stands for its method and path. */
  missing?: string;
  /** Whether profiles are described by their id and name alone. */
  bareProfiles?: boolean;
}

/** An answer instead of what an operation does: an Error body, or anything else. */
export interface DocumentFault {
  status: number;
  body?: ErrorBody | string;
  type?: string;
  headers?: Record<string, string>;
  /** The connection is closed within the body. */
  isCut?: boolean;
}

/** One extension of an upload. */
export interface ReceivedExtension {
  name: string;
  zip: Buffer;
}

/** A scroll that was asked for. */
export type ReceivedScroll = Record<string, unknown>;

/**
 * A service that has the five operations of the interface document and nothing else: everything else is answered by 404 with an Error body.
 * It drives no browser; it keeps what it was given.
 */
export class DocumentService {
  readonly #app: FastifyInstance;
  readonly #browsers: Set<string>;
  readonly token: string;
  options: DocumentOptions;
  /** Answers by operation, such as `uploadExtensionsToBrowser`, or of all requests under `*`. */
  readonly faults = new Map<string, DocumentFault>();
  /** All requests that had a token: method and path. */
  readonly requests: string[] = [];
  /** The extensions of each upload, in order. */
  readonly uploads: ReceivedExtension[][] = [];
  readonly profiles = new Map<string, { id: string; name?: string; created_at?: string }>();
  readonly stored = new Set<string>();
  readonly scrolls: ReceivedScroll[] = [];

  private constructor(options: DocumentOptions) {
    this.options = options;
    this.token = options.token ?? 'token-of-the-document';
    this.#browsers = new Set(options.browsers ?? ['brw-1']);
    this.#app = fastify({ forceCloseConnections: true, bodyLimit: MOST_BYTES });
  }

  /** Starts one on a free port of this machine. */
  static async start(options: DocumentOptions = {}): Promise<DocumentService> {
    const service = new DocumentService(options);
    await service.#listen();
    return service;
  }

  get baseUrl(): string {
    const address = this.#app.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The service does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** How many requests there were whose method and path match. */
  count(pattern: RegExp): number {
    return this.requests.filter((request) => pattern.test(request)).length;
  }

  /** Forgets the requests so far. */
  clear(): void {
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    await this.#app.close();
  }

  async #listen(): Promise<void> {
    const app = this.#app;
    await app.register(multipart, { limits: { fileSize: MOST_BYTES } });
    app.addHook('onRequest', async (request, reply) => {
      if (request.headers.authorization === undefined) {
        await refuse(reply, 401, 'unauthorized', 'There is no token.');
        return;
      }
      this.requests.push(`${request.method} ${request.url}`);
      if (request.headers.authorization !== `Bearer ${this.token}`) {
        await refuse(reply, 401, 'unauthorized', 'The token is not valid.');
        return;
      }
      const fault = this.faults.get('*');
      if (fault) await answerFault(reply, fault);
    });
    app.setNotFoundHandler(async ({ method, url }, reply) => {
      const { missing = 'this operation is not shown' } = this.options;
      await refuse(reply, 404, 'not_found', missing.replace('{path}', `${method} ${url}`));
    });
    this.#addBrowsers(app);
    this.#addRecords(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
  }

  #addBrowsers(app: FastifyInstance): void {
    app.post<{ Params: { id: string } }>('/browsers/:id/extensions', async (request, reply) => {
      const fault = this.faults.get('uploadExtensionsToBrowser');
      const extensions = new Map<string, Partial<ReceivedExtension>>();
      for await (const part of request.parts()) {
        const [, index = '', field] = /^extensions\[(\d+)\]\[(name|zip_file)\]$/.exec(part.fieldname) ?? [];
        const extension = extensions.get(index) ?? {};
        extensions.set(index, extension);
        if (part.type === 'file') extension.zip = await part.toBuffer();
        else if (field === 'name') extension.name = String(part.value);
      }
      if (fault) return await answerFault(reply, fault);
      if (!this.#browsers.has(request.params.id)) {
        return await refuse(reply, 404, 'not_found', `There is no browser ${request.params.id}.`);
      }
      const all = [...extensions.values()].flatMap(({ name, zip }) => (name && zip ? [{ name, zip }] : []));
      if (all.length !== extensions.size || all.length === 0) {
        return await refuse(reply, 400, 'bad_request', 'Each extension needs a name and a zip_file.');
      }
      await delay(this.options.uploadMs ?? 0);
      this.uploads.push(all);
      return await this.#succeed(reply);
    });
    app.post<{ Params: { id: string }; Body: ReceivedScroll }>(
      '/browsers/:id/computer/scroll',
      async (request, reply) => {
        const fault = this.faults.get('scroll');
        if (fault) return await answerFault(reply, fault);
        if (!this.#browsers.has(request.params.id)) {
          return await refuse(reply, 404, 'not_found', `There is no browser ${request.params.id}.`);
        }
        this.scrolls.push(request.body);
        return await this.#succeed(reply);
      },
    );
    const field = this.options.records;
    if (field === undefined) return;
    app.get('/browsers', () => Promise.resolve([...this.#browsers].map((id) => ({ [field]: id }))));
    app.get<{ Params: { id: string } }>('/browsers/:id', async (request, reply) => {
      const { id } = request.params;
      return this.#browsers.has(id)
        ? { [field]: id }
        : await refuse(reply, 404, 'not_found', `There is no browser ${id}.`);
    });
  }

  #addRecords(app: FastifyInstance): void {
    app.post<{ Body: { name?: string } }>('/profiles', async (request, reply) => {
      const fault = this.faults.get('createProfile');
      if (fault) return await answerFault(reply, fault);
      const { name } = request.body;
      if ([...this.profiles.values()].some((profile) => profile.name !== undefined && profile.name === name)) {
        return await refuse(reply, 409, 'conflict', 'the name exists');
      }
      const profile = {
        id: `prf-${this.profiles.size + 1}`,
        ...(name !== undefined && { name }),
        ...(this.options.bareProfiles !== true && { created_at: new Date().toISOString() }),
      };
      this.profiles.set(profile.id, profile);
      return await reply.code(this.options.success ?? 201).send(profile);
    });
    app.get<{ Params: { key: string } }>('/profiles/:key', async (request, reply) => {
      const fault = this.faults.get('getProfile');
      if (fault) return await answerFault(reply, fault);
      const { key } = request.params;
      const found = [...this.profiles.values()].find(({ id, name }) => id === key || name === key);
      return found ?? (await refuse(reply, 404, 'not_found', `There is no profile ${key}.`));
    });
    app.delete<{ Params: { key: string } }>('/extensions/:key', async (request, reply) => {
      const fault = this.faults.get('deleteExtension');
      if (fault) return await answerFault(reply, fault);
      if (!this.stored.delete(request.params.key)) {
        return await refuse(reply, 404, 'not_found', `There is no extension ${request.params.key}.`);
      }
      return await reply.code(204).send();
    });
  }

  async #succeed(reply: FastifyReply): Promise<FastifyReply> {
    return await reply.code(this.options.success ?? 201).send();
  }
}

async function refuse(reply: FastifyReply, status: number, code: string, message: string): Promise<FastifyReply> {
  return await reply.code(status).send({ code, message });
}

async function answerFault(reply: FastifyReply, fault: DocumentFault): Promise<FastifyReply> {
  const { status, body = '', type, headers = {}, isCut = false } = fault;
  if (isCut) {
    reply.hijack();
    reply.raw.writeHead(status, { 'content-type': 'application/json', 'content-length': 1000 });
    // Once it has left, or nothing of the answer would arrive.
    reply.raw.write('{"code":', () => reply.raw.destroy());
    return reply;
  }
  return await reply
    .code(status)
    .headers(headers)
    .type(type ?? 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}
