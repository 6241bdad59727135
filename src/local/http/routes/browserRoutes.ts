import type { FastifyInstance } from 'fastify';
import { invalidInput, notFound } from '../../httpErrors';
import { objectOf, optionalObject, optionalText } from '../../requestFields';
import {
  readCreateRequest,
  readProfileChoice,
  readStartUrl,
  readTags,
  readUploadRestart,
  readViewport,
} from '../../sessions/sessionRequest';
import { page } from '../listPage';
import type { ById, ServerContext } from '../serverContext';
import { withParts } from '../multipart';
import { toMemory } from '../receiving';
import { groupParts } from '../uploadParts';

/** Browser sessions: create, list, get, update, delete. */
export function browserRoutes(app: FastifyInstance, { sessions }: ServerContext): void {
  app.post('/browsers', async (request, reply) => {
    const session = await sessions.create(readCreateRequest(objectOf(request.body)));
    return reply.code(201).send(session.record);
  });

  app.get<ById>('/browsers', (request, reply) => {
    const { query } = request;
    const wanted = query['status'] ?? (query['include_deleted'] === 'true' ? 'all' : 'active');
    if (wanted !== 'active' && wanted !== 'deleted' && wanted !== 'all') {
      throw invalidInput('"status" must be active, deleted or all.');
    }
    const text = optionalText(query, 'query')?.toLowerCase() ?? '';
    const found = sessions
      .all()
      .filter((session) => wanted === 'all' || session.active === (wanted === 'active'))
      .map((session) => session.record)
      .filter((record) => `${record.session_id} ${record.name ?? ''}`.toLowerCase().includes(text))
      .filter((record) => tagsOf(query).every(([key, value]) => record.tags?.[key] === value));
    return reply.send(page(found, query, reply));
  });

  app.get<ById>('/browsers/:id', (request, reply) => {
    const { id } = request.params;
    const session = request.query['include_deleted'] === 'true' ? sessions.find(id) : sessions.get(id);
    if (!session) throw notFound('browser', id);
    return reply.send(session.record);
  });

  app.patch<ById>('/browsers/:id', async (request, reply) => {
    const session = sessions.get(request.params.id);
    const fields = objectOf(request.body);
    const name = optionalText(fields, 'name');
    const tags = readTags(fields);
    const viewport = readViewport(fields);
    const startUrl = readStartUrl(fields);
    const profile = optionalObject(fields, 'profile');
    const choice = profile && readProfileChoice(profile);
    if (name !== undefined) sessions.rename(session, name);
    if (tags) session.record.tags = tags;
    if (startUrl !== undefined) session.record.start_url = startUrl;
    if (viewport) await session.resize(viewport);
    if (choice) await sessions.setProfile(session, choice);
    return reply.send(session.record);
  });

  app.delete<ById>('/browsers/:id', async (request, reply) => {
    await sessions.end(sessions.get(request.params.id));
    return reply.code(204).send();
  });
}

/** `tags[key]=value` pairs of a query. */
function tagsOf(query: Record<string, unknown>): [string, unknown][] {
  return Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    const key = /^tags\[(.+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value]];
  });
}

/** Upload of extensions to a running browser, which restarts with them unless the caller loads them: 201 with an empty body when DevTools is ready again. */
export function sessionExtensionRoutes(app: FastifyInstance, { sessions, installer }: ServerContext): void {
  app.post<{ Params: { id: string } }>('/browsers/:id/extensions', async (request, reply) => {
    const session = sessions.get(request.params.id);
    const intake = { spoolFolder: session.spoolFolder, maxFileBytes: installer.maxArchiveBytes, receive: toMemory };
    await withParts(request, intake, async (parts) => {
      const uploads = groupParts(parts);
      const restart = installer.isRestartOptional ? readUploadRestart(objectOf(request.query)) : undefined;
      await session.upload(() => installer.checkNames(uploads, session.extensionsFolder), restart);
    });
    return reply.code(201).send();
  });
}
