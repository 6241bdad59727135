import type { FastifyInstance } from 'fastify';
import type { ScreenRegion } from '../../../service/interface';
import { screenshot } from '../../chromium/screen';
import { invalidInput } from '../../httpErrors';
import { objectOf, optionalObject, requiredInteger, type JsonObject } from '../../requestFields';
import type { Session } from '../../sessions/session';
import { ACTIONS, onPage, readPoint, viewportOf } from '../inputActions';
import { runBatch } from '../batch';
import type { ById, ServerContext } from '../serverContext';

/** The last segment of each action's path, and its name in a batch. */
const ROUTES = [
  ['scroll', 'scroll'],
  ['move_mouse', 'move_mouse'],
  ['click_mouse', 'click_mouse'],
  ['drag_mouse', 'drag_mouse'],
  ['press_key', 'press_key'],
  ['type', 'type_text'],
] as const;

/** Screen, keyboard and mouse of a session; coordinates are pixels of its viewport. Responses are 200, mostly empty. */
export function computerRoutes(app: FastifyInstance, { sessions }: ServerContext): void {
  for (const [path, name] of ROUTES) {
    const read = ACTIONS[name];
    app.post<ById>(`/browsers/:id/computer/${path}`, async (request, reply) => {
      const session = sessions.get(request.params.id);
      await session.input(read(session, objectOf(request.body)));
      return reply.code(200).send();
    });
  }

  app.post<ById>('/browsers/:id/computer/batch', async (request, reply) => {
    await runBatch(sessions.get(request.params.id), objectOf(request.body));
    return reply.code(200).send();
  });

  app.post<ById>('/browsers/:id/computer/get_mouse_position', (request, reply) =>
    reply.send(sessions.get(request.params.id).pointer),
  );

  app.post<ById>('/browsers/:id/computer/screenshot', async (request, reply) => {
    const session = sessions.get(request.params.id);
    const region = readRegion(session, optionalObject(objectOf(request.body), 'region'));
    const picture = await session.input((chromium) => onPage(session, chromium, (page) => screenshot(page, region)));
    return reply.type('image/png').send(picture);
  });
}

function readRegion(session: Session, fields: JsonObject | undefined): ScreenRegion {
  const screen = viewportOf(session);
  if (!fields) return { x: 0, y: 0, width: screen.width, height: screen.height };
  const region = {
    ...readPoint(session, fields),
    width: requiredInteger(fields, 'width'),
    height: requiredInteger(fields, 'height'),
  };
  const fits = region.x + region.width <= screen.width && region.y + region.height <= screen.height;
  if (region.width < 1 || region.height < 1 || !fits) {
    throw invalidInput(`"region" must be inside the screen of ${screen.width} × ${screen.height} pixels.`);
  }
  return region;
}
