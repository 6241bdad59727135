import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../serverContext';

/** Intermediaries may close an idle connection; periodic comments keep it open. */
const COMMENT_MS = 15_000;

/**
 * `GET /sideload/lease`: a response that stays open (`text/event-stream`, only comments). A shared service runs while one is open.
 * `GET /sideload/health` shows a second starter that this service is running.
 */
export function leaseRoutes(app: FastifyInstance, { leases }: ServerContext): void {
  app.get('/sideload/lease', { config: { operation: 'lease' } }, (_request, reply) => {
    const release = leases?.take();
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

  app.get('/sideload/health', { config: { operation: 'health' } }, (_request, reply) => reply.send({ ok: true }));
}
