import type { FastifyInstance } from 'fastify';
import { withParts } from '../multipart';
import { toMemory } from '../receiving';
import type { ServerContext } from '../serverContext';
import { groupParts } from '../uploadParts';

/** Upload of extensions to a running browser: 201 with an empty body when DevTools is ready again. */
export function sessionExtensionRoutes(app: FastifyInstance, { sessions, installer }: ServerContext): void {
  app.post<{ Params: { id: string } }>('/browsers/:id/extensions', async (request, reply) => {
    const session = sessions.get(request.params.id);
    const intake = { spoolFolder: session.spoolFolder, maxFileBytes: installer.maxArchiveBytes, receive: toMemory };
    await withParts(request, intake, async (parts) => {
      const uploads = groupParts(parts);
      await session.upload(() => installer.checkNames(uploads, session.extensionsFolder));
    });
    return reply.code(201).send();
  });
}
