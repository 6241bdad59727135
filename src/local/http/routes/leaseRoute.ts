import type { FastifyInstance } from 'fastify';
import { isAlive } from '../../processes';
import { optionalText } from '../../requestFields';
import type { ServerContext } from '../serverContext';

interface Lease {
  Querystring: Record<string, unknown>;
}

/** Intermediaries may close an idle connection; periodic comments keep it open. */
const COMMENT_MS = 15_000;

/**
 * `GET /sideload/lease`: a response that stays open (`text/event-stream`, only comments). A shared service runs while one is open.
 * With `?editor=`, the id of the process that its window is part of, browsers wait longer for the window to come back while that process runs: it
 * may be reloading. With `?browser=` it says which executable browsers are started with from now on; empty for one that the service finds.
 * `GET /sideload/health` shows a second starter that this service is running.
 * `POST /sideload/end` ends a shared service with its browsers, whoever has a lease; 404 for one that is not shared.
 */
export function leaseRoutes(app: FastifyInstance, { leases, sessions }: ServerContext): void {
  app.get<Lease>('/sideload/lease', (request, reply) => {
    const browser = optionalText(request.query, 'browser');
    if (browser !== undefined) sessions.useBrowser(browser);
    const editor = Number(optionalText(request.query, 'editor') ?? 0);
    const release = leases?.take(() => isAlive(editor) && sessions.all().some(({ active }) => active));
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    raw.write(': held\n\n');
    const comments = setInterval(() => raw.write(': still held\n\n'), COMMENT_MS);
    raw.once('close', () => {
      clearInterval(comments);
      release?.();
    });
    raw.on('error', () => raw.destroy());
  });

  app.get('/sideload/health', (_request, reply) => reply.send({ ok: true }));

  app.post('/sideload/end', (_request, reply) => {
    // The answer goes out first.
    if (leases) reply.raw.once('close', () => leases.end());
    return reply.code(leases ? 204 : 404).send();
  });
}
