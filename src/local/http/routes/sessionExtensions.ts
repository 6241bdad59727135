import type { FastifyInstance } from 'fastify';
import { checkNames } from '../../sessions/installation';
import { MAX_ARCHIVE_BYTES, MAX_FILE_BYTES, withParts } from '../multipart';
import { toMemory } from '../receiving';
import type { ServerContext } from '../serverContext';
import { groupParts } from '../uploadParts';

/** Upload of extensions to a running browser: 201 with an empty body when DevTools is ready again. */
export function sessionExtensionRoutes(app: FastifyInstance, { sessions, behaviour }: ServerContext): void {
  const limit = behaviour === 'current' ? MAX_ARCHIVE_BYTES : MAX_FILE_BYTES;
  app.post<{ Params: { id: string } }>(
    '/browsers/:id/extensions',
    { config: { operation: 'uploadExtensionsToBrowser' } },
    async (request, reply) => {
      const session = sessions.get(request.params.id);
      const intake = { spoolFolder: session.spoolFolder, maxFileBytes: limit, receive: toMemory };
      await withParts(request, intake, async (parts) => {
        const uploads = groupParts(parts);
        await session.upload(() => checkNames(uploads, session.extensionsFolder, behaviour));
      });
      return reply.code(201).send();
    },
  );
}
