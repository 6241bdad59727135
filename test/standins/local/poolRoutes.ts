import type { FastifyInstance } from 'fastify';
import { objectOf, optionalFlag, optionalText } from '../../../src/local/requestFields';
import type { Pools } from './pools';
import { readAcquire, readPoolConfig, readPoolUpdate, readRelease } from './poolRequest';
import { page } from '../../../src/local/http/listPage';

interface ById {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

/** The default wait of an acquire. The service computes it from its fill rate; here a start takes seconds. */
const ACQUIRE_MS = 30_000;

/** The events of a connection that the client closes: `end` comes first in an orderly close. */
const CLOSE_EVENTS = ['end', 'close'] as const;

/** Pools of browsers: create, list, get, update, delete, acquire, release, flush; each by id or name. */
export function poolRoutes(app: FastifyInstance, pools: Pools): void {
  app.post('/browser_pools', async (request, reply) => {
    const pool = await pools.create(readPoolConfig(objectOf(request.body)));
    return reply.code(201).send(pool.record);
  });

  app.get<ById>('/browser_pools', (request, reply) => {
    const text = optionalText(request.query, 'query')?.toLowerCase() ?? '';
    const found = pools.all().filter(({ id, name }) => `${id} ${name ?? ''}`.toLowerCase().includes(text));
    return reply.send(
      page(
        found.map(({ record }) => record),
        request.query,
        reply,
      ),
    );
  });

  app.get<ById>('/browser_pools/:id', (request, reply) => reply.send(pools.get(request.params.id).record));

  app.patch<ById>('/browser_pools/:id', async (request, reply) => {
    const pool = pools.get(request.params.id);
    const fields = objectOf(request.body);
    await pools.update(pool, readPoolUpdate(fields, pool.settings), optionalFlag(fields, 'discard_all_idle') ?? false);
    return reply.send(pool.record);
  });

  app.delete<ById>('/browser_pools/:id', async (request, reply) => {
    await pools.delete(pools.get(request.params.id), optionalFlag(objectOf(request.body), 'force') ?? false);
    return reply.code(204).send();
  });

  app.post<ById>('/browser_pools/:id/acquire', async (request, reply) => {
    const pool = pools.get(request.params.id);
    const wanted = readAcquire(objectOf(request.body));
    const seconds = wanted.acquire_timeout_seconds;
    const clientGone = new AbortController();
    const onClose = () => clientGone.abort();
    const { socket } = request.raw;
    for (const event of CLOSE_EVENTS) socket.once(event, onClose);
    try {
      const limitMs = seconds === undefined ? ACQUIRE_MS : seconds * 1000;
      const session = await pool.acquire(wanted, limitMs, clientGone.signal);
      return session ? await reply.send(session.record) : await reply.code(204).send();
    } finally {
      for (const event of CLOSE_EVENTS) socket.off(event, onClose);
    }
  });

  app.post<ById>('/browser_pools/:id/release', async (request, reply) => {
    const { session_id: id, reuse } = readRelease(objectOf(request.body));
    await pools.get(request.params.id).release(id, reuse);
    return reply.code(204).send();
  });

  app.post<ById>('/browser_pools/:id/flush', async (request, reply) => {
    await pools.get(request.params.id).flush();
    return reply.code(204).send();
  });
}
