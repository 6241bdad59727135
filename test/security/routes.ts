// Covers: src/local/http/routes
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths';

/** The routes that the sources of the service name. */
export function routesOfService(): { method: string; path: string }[] {
  const folder = join(ROOT, 'src', 'local', 'http', 'routes');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const found = texts.flatMap((text) => [
    ...text.matchAll(/app\s*\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g),
  ]);
  const actions = ['scroll', 'move_mouse', 'click_mouse', 'drag_mouse', 'press_key', 'type'];
  return (
    found
      .flatMap(([, method = '', path = '']) =>
        (path.includes('${') ? actions.map((action) => path.replace(/\$\{.*\}/, action)) : [path]).map((one) => ({
          method: method.toUpperCase(),
          path: one,
        })),
      )
      // Its answer has no end: it lasts as long as its client.
      .filter(({ path }) => path !== '/sideload/lease')
  );
}
