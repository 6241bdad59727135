import type { Answering } from '../standins/devServer';

/** The modules of a page: so many levels, each of so many, which import two of the next level each. */
const LEVELS = 8;
const OF_LEVEL = 50;

/** Some code of each module, in characters. */
const CODE = `/*${'x'.repeat(1000)}*/`;

/** Answers with the page, or with a module, whose addresses are others in each folder. */
export const answerWithModules: Answering = ({ path }, response) => {
  const [, folder = '', name = ''] = /^\/(\d+)\/(page|\d+-\d+\.js)$/.exec(path) ?? [];
  const importOf = (level: number, at: number): string => `import '/${folder}/${level}-${at % OF_LEVEL}.js';`;
  if (name === 'page') {
    const imports = Array.from({ length: OF_LEVEL }, (_, at) => importOf(0, at)).join('');
    const script = `<script type="module">${imports} globalThis.loadedMs = performance.now();</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Modules</title>${script}`);
    return true;
  }
  if (name === '') return false;
  const [level = 0, at = 0] = name.split(/\D/).map(Number);
  const imports = level + 1 < LEVELS ? importOf(level + 1, at) + importOf(level + 1, at + 1) : '';
  response.setHeader('content-type', 'text/javascript').end(imports + CODE);
  return true;
};
