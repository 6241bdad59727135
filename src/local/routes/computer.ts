import type { FastifyInstance } from 'fastify';
import { DEFAULT_VIEWPORT, type ScreenRegion } from '../../service/model';
import type { PageSession } from '../chromium';
import { invalidInput } from '../errors';
import {
  fieldsOf,
  onlyFields,
  optionalFields,
  optionalInteger,
  optionalText,
  requiredInteger,
  textList,
  type Fields,
} from '../fields';
import { click, move, pressKeys, scroll, type MouseButton, type Point } from '../input';
import { onVisiblePage, screenshot } from '../screen';
import type { ServerContext } from '../serverContext';
import type { Session } from '../session';

interface ById {
  Params: { id: string };
}

const BUTTONS: readonly MouseButton[] = ['left', 'right', 'middle', 'back', 'forward'];
const CLICK_KINDS = ['click', 'down', 'up'] as const;

/** Screen, keyboard and mouse of a session; coordinates are pixels of its viewport. All answer 200, mostly empty. */
export function computerRoutes(app: FastifyInstance, { sessions }: ServerContext): void {
  app.post<ById>('/browsers/:id/computer/scroll', { config: { operation: 'scroll' } }, async (request, reply) => {
    const session = sessions.get(request.params.id);
    const fields = fieldsOf(request.body);
    onlyFields(fields, ['x', 'y', 'delta_x', 'delta_y', 'hold_keys']);
    const at = { x: requiredInteger(fields, 'x'), y: requiredInteger(fields, 'y') };
    const [ticksX, ticksY] = [optionalInteger(fields, 'delta_x') ?? 0, optionalInteger(fields, 'delta_y') ?? 0];
    const held = textList(fields, 'hold_keys');
    // The service's order of checks: no movement is told before a bad point.
    if (ticksX === 0 && ticksY === 0) throw invalidInput('at least one of delta_x and delta_y must not be 0');
    checkPoint(session, at);
    await onPage(session, (page) => scroll(page, at, ticksX, ticksY, held));
    return reply.code(200).send();
  });

  app.post<ById>(
    '/browsers/:id/computer/screenshot',
    { config: { operation: 'screenshot' } },
    async (request, reply) => {
      const session = sessions.get(request.params.id);
      const region = readRegion(session, optionalFields(fieldsOf(request.body), 'region'));
      const picture = await onPage(session, (page) => screenshot(page, region));
      return reply.type('image/png').send(picture);
    },
  );

  app.post<ById>(
    '/browsers/:id/computer/move_mouse',
    { config: { operation: 'moveMouse' } },
    async (request, reply) => {
      const session = sessions.get(request.params.id);
      const fields = fieldsOf(request.body);
      const at = readPoint(session, fields);
      await onPage(session, (page) => move(page, at, textList(fields, 'hold_keys')));
      return reply.code(200).send();
    },
  );

  app.post<ById>(
    '/browsers/:id/computer/click_mouse',
    { config: { operation: 'clickMouse' } },
    async (request, reply) => {
      const session = sessions.get(request.params.id);
      const fields = fieldsOf(request.body);
      const at = readPoint(session, fields);
      const button = oneOf(BUTTONS, optionalText(fields, 'button') ?? 'left', 'button');
      const kind = oneOf(CLICK_KINDS, optionalText(fields, 'click_type') ?? 'click', 'click_type');
      const times = optionalInteger(fields, 'num_clicks') ?? 1;
      if (times < 1) throw invalidInput('"num_clicks" must be at least 1.');
      await onPage(session, (page) => click(page, at, button, kind, times, textList(fields, 'hold_keys')));
      return reply.code(200).send();
    },
  );

  app.post<ById>('/browsers/:id/computer/press_key', { config: { operation: 'pressKey' } }, async (request, reply) => {
    const session = sessions.get(request.params.id);
    const fields = fieldsOf(request.body);
    const keys = textList(fields, 'keys');
    if (keys.length === 0) throw invalidInput('"keys" must name at least one key.');
    const duration = optionalInteger(fields, 'duration') ?? 0;
    if (duration < 0) throw invalidInput('"duration" must not be negative.');
    await onPage(session, (page) => pressKeys(page, keys, duration, textList(fields, 'hold_keys')));
    return reply.code(200).send();
  });
}

function onPage<T>(session: Session, work: (page: PageSession) => Promise<T>): Promise<T> {
  const screen = { viewport: viewportOf(session), headless: session.record.headless };
  return session.input((chromium) => onVisiblePage(chromium, screen, work));
}

function viewportOf(session: Session) {
  return session.record.viewport ?? DEFAULT_VIEWPORT;
}

function readPoint(session: Session, fields: Fields): Point {
  const at = { x: requiredInteger(fields, 'x'), y: requiredInteger(fields, 'y') };
  checkPoint(session, at);
  return at;
}

function checkPoint(session: Session, { x, y }: Point): void {
  const { width, height } = viewportOf(session);
  if (x < 0 || y < 0) throw invalidInput('coordinates must not be negative');
  if (x >= width || y >= height) {
    throw invalidInput(`coordinates are outside of the screen: the largest are x=${width - 1}, y=${height - 1}`);
  }
}

function readRegion(session: Session, fields: Fields | undefined): ScreenRegion {
  const screen = viewportOf(session);
  if (!fields) return { x: 0, y: 0, width: screen.width, height: screen.height };
  const region = {
    ...readPoint(session, fields),
    width: requiredInteger(fields, 'width'),
    height: requiredInteger(fields, 'height'),
  };
  const fits = region.x + region.width <= screen.width && region.y + region.height <= screen.height;
  if (region.width < 1 || region.height < 1 || !fits) {
    throw invalidInput(`"region" must lie inside of the screen of ${screen.width} × ${screen.height} pixels.`);
  }
  return region;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalidInput(`"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}
