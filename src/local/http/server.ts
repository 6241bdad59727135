import multipart from '@fastify/multipart';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { ApiError, isFileError, messageOf } from '../httpErrors';
import type { Sessions } from '../sessions/sessions';
import { authorize } from './guard';
import { browserRoutes, sessionExtensionRoutes } from './routes/browserRoutes';
import { computerRoutes } from './routes/computerRoutes';
import { extensionRoutes } from './routes/extensionRoutes';
import { fileRoutes } from './routes/fileRoutes';
import { leaseRoutes } from './routes/leaseRoute';
import { profileRoutes } from './routes/profileRoutes';
import type { ServerContext } from './serverContext';

declare module 'fastify' {
  interface FastifyRequest {
    release: (() => void) | undefined;
  }
}

const COMPUTER_ROUTES = '/browsers/:id/computer/';
const MAX_JSON_BYTES = 8 * 1024 * 1024;
/** Time limit to receive a request, including uploads over slow connections. */
const REQUEST_LIMIT_MS = 600_000;

/**
 * The HTTP server of the interface, not yet listening. It does not log requests, since URLs contain secrets. `extend` is called once those
 * who ask are known, before the routes are added.
 */
export async function buildServer(
  context: ServerContext,
  extend: (app: FastifyInstance) => void,
): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: REQUEST_LIMIT_MS,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024 },
  });
  app.decorateRequest('release', undefined);
  acceptEmptyJson(app);
  guard(app, context);
  extend(app);
  trackActivity(app, context.sessions);
  handleErrors(app, context);
  // `withParts` reports files that are too large, with the name of the part.
  await app.register(multipart, { throwFileSizeLimit: false });
  browserRoutes(app, context);
  sessionExtensionRoutes(app, context);
  computerRoutes(app, context);
  profileRoutes(app, context);
  extensionRoutes(app, context);
  leaseRoutes(app, context);
  await app.register(fileRoutes, context);
  return app;
}

/** Accepts an empty body with a JSON content type, which many clients send. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (typeof body === 'string' && body.trim() !== '') void parse(request, body, done);
    else done(null, undefined);
  });
}

function guard(app: FastifyInstance, context: ServerContext): void {
  app.addHook('onRequest', (request, _reply, done) => {
    authorize(request.raw, context.token);
    context.leases?.touch();
    done();
  });
}

/**
 * A call of the `computer` group is a use of the session, from the begin of the request to the end of the response. The service's
 * documentation does not say whether calls for files and uploads are. A client that works with this service must work with that one, so
 * these only keep the session alive during the call.
 */
function trackActivity(app: FastifyInstance, sessions: Sessions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { params } = request;
    const route = request.routeOptions.url ?? '';
    if (route.startsWith('/browsers/:id') && hasId(params)) {
      const session = sessions.find(params.id);
      if (session?.active) {
        const release = route.startsWith(COMPUTER_ROUTES) ? session.activity.beginUse() : session.activity.keepAlive();
        request.raw.socket.once('close', release);
        request.release = release;
      }
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.release) {
      request.raw.socket.off('close', request.release);
      request.release();
    }
    done();
  });
}

function handleErrors(app: FastifyInstance, context: ServerContext): void {
  app.setNotFoundHandler((request) => {
    throw new ApiError(404, 'not_found', `There is no operation ${request.method} ${request.url.split('?')[0] ?? ''}.`);
  });
  app.setErrorHandler(async (error: FastifyError | Error, _request, reply) => {
    const seen = error instanceof ApiError ? error : translate(error);
    // The client is gone, which is no fault of the service.
    const isCut = isFileError(error, 'ECONNRESET');
    if (seen.status === 500 && !(error instanceof ApiError) && !isCut)
      context.warn(`Unexpected error: ${error.stack ?? error.message}`);
    if (seen.retryAfterSeconds !== undefined) void reply.header('Retry-After', String(seen.retryAfterSeconds));
    return reply.code(seen.status).type('application/json').send(seen.body());
  });
}

/** Errors of the HTTP layer (broken JSON, wrong content type) are errors of the client, all others are errors of the service. */
function translate(error: Error): ApiError {
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return new ApiError(413, 'too_large', 'The request body is too large.');
  if (status >= 400 && status < 500) return new ApiError(400, 'bad_request', messageOf(error));
  return new ApiError(500, 'internal_error', 'The local service failed. See its output.');
}

function hasId(params: unknown): params is { id: string } {
  return typeof params === 'object' && params !== null && 'id' in params && typeof params.id === 'string';
}
