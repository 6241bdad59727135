import type { FastifyInstance } from 'fastify';
import { fieldsOf, optionalText, requiredText } from '../fields';
import { page } from '../paging';
import type { ServerContext } from '../serverContext';

interface ById {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

/** Profiles: create, list, get, rename, delete; each by id or name. */
export function profileRoutes(app: FastifyInstance, { profiles, sessions }: ServerContext): void {
  app.post('/profiles', { config: { operation: 'createProfile' } }, async (request, reply) => {
    const profile = await profiles.create(optionalText(fieldsOf(request.body), 'name'));
    return reply.code(201).send(profile);
  });

  app.get<ById>('/profiles', { config: { operation: 'listProfiles' } }, async (request, reply) => {
    const { query } = request;
    const name = optionalText(query, 'name');
    const text = optionalText(query, 'query')?.toLowerCase() ?? '';
    const found = (await profiles.list()).filter(
      (profile) =>
        (name === undefined || profile.name === name) &&
        `${profile.id} ${profile.name ?? ''}`.toLowerCase().includes(text),
    );
    return reply.send(page(found, query, reply));
  });

  app.get<ById>('/profiles/:id', { config: { operation: 'getProfile' } }, async (request, reply) =>
    reply.send(await profiles.get(request.params.id)),
  );

  app.patch<ById>('/profiles/:id', { config: { operation: 'updateProfile' } }, async (request, reply) =>
    reply.send(await profiles.rename(request.params.id, requiredText(fieldsOf(request.body), 'name'))),
  );

  app.delete<ById>('/profiles/:id', { config: { operation: 'deleteProfile' } }, async (request, reply) => {
    await sessions.removeProfile(request.params.id);
    return reply.code(204).send();
  });
}
