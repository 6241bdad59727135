import type { FastifyInstance } from 'fastify';
import { createReadStream } from 'node:fs';
import { filePart, textPart, withParts } from '../multipart';
import { matching, page } from '../listPage';
import { toDisk } from '../receiving';
import type { ById, ServerContext } from '../serverContext';

/** Stored extensions: list, upload, record, download, delete; each by id or name. */
export function extensionRoutes(app: FastifyInstance, context: ServerContext): void {
  const { extensions, spoolFolder, installer } = context;

  app.get<ById>('/extensions', async (request, reply) => {
    const { query } = request;
    return reply.send(page(matching(await extensions.records.all(), query), query, reply));
  });

  app.post('/extensions', async (request, reply) => {
    const intake = { spoolFolder, maxFileBytes: installer.maxArchiveBytes, receive: toDisk };
    const stored = await withParts(request, intake, (parts) => {
      const name = textPart(parts, 'name')?.trim() ?? '';
      return extensions.add(filePart(parts, 'file'), name === '' ? undefined : name);
    });
    return reply.code(201).send(stored);
  });

  app.get<ById>('/extensions/:id/metadata', async (request, reply) =>
    reply.send(await extensions.records.get(request.params.id)),
  );

  app.get<ById>('/extensions/:id', async (request, reply) => {
    const { id, size_bytes } = await extensions.records.get(request.params.id);
    const archive = createReadStream(extensions.archive(id));
    return reply.type('application/zip').header('content-length', size_bytes).send(archive);
  });

  app.delete<ById>('/extensions/:id', async (request, reply) => {
    await extensions.remove(request.params.id);
    return reply.code(204).send();
  });
}
