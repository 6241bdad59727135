import type { FastifyInstance } from 'fastify';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { invalidInput } from '../../httpErrors';
import { objectOf, optionalText, requiredText, type JsonObject } from '../../requestFields';
import { randomId } from '../../randomId';
import { matching, page } from '../listPage';
import type { ById, ServerContext } from '../serverContext';

/** Profiles: create, list, get, rename, download, delete; each by id or name. */
export function profileRoutes(app: FastifyInstance, { profiles, sessions, spoolFolder }: ServerContext): void {
  app.post('/profiles', async (request, reply) => {
    const profile = await profiles.create(optionalText(objectOf(request.body), 'name'));
    return reply.code(201).send(profile);
  });

  app.get<ById>('/profiles', async (request, reply) => {
    const { query } = request;
    return reply.send(page(matching(await profiles.records.all(), query), query, reply));
  });

  app.get<ById>('/profiles/:id', async (request, reply) => reply.send(await profiles.records.get(request.params.id)));

  app.get<ById>('/profiles/:id/download', async (request, reply) => {
    const format = readFormat(request.query);
    const archive = path.join(spoolFolder, `${randomId()}.tar`);
    await mkdir(spoolFolder, { recursive: true });
    const remove = () => rm(archive, { force: true });
    const packed = await profiles.pack(request.params.id, archive).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    // The service responds with 202 when there is no state yet.
    if (!packed) return reply.code(202).send();
    const tar = createReadStream(archive);
    tar.once('close', () => void remove());
    return reply.type('application/octet-stream').send(format === 'tar' ? tar : compressed(tar));
  });

  app.patch<ById>('/profiles/:id', async (request, reply) =>
    reply.send(await profiles.rename(request.params.id, requiredText(objectOf(request.body), 'name'))),
  );

  app.delete<ById>('/profiles/:id', async (request, reply) => {
    await sessions.removeProfile(request.params.id);
    return reply.code(204).send();
  });
}

function readFormat(query: JsonObject): 'tar' | 'tar.zst' {
  const format = optionalText(query, 'format') ?? 'tar.zst';
  if (format !== 'tar' && format !== 'tar.zst') throw invalidInput('"format" must be tar or tar.zst.');
  if (format === 'tar.zst' && !('createZstdCompress' in zlib)) {
    throw invalidInput(`Node ${process.versions.node} cannot write tar.zst. Use format=tar, or Node 22.15.`);
  }
  return format;
}

function compressed(tar: ReadStream) {
  // `pipeline` destroys the result with an error, which its reader gets.
  return pipeline(tar, zlib.createZstdCompress(), () => undefined);
}
