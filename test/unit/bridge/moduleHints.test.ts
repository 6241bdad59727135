import assert from 'node:assert/strict';
import { ModuleHints } from '../../../src/bridge/moduleHints';

const ORIGIN = 'http://localhost:5173';
const PAGE = new URL(`${ORIGIN}/app/`);

describe('what a page of a development server is going to import', () => {
  let hints: ModuleHints;
  const answered = async (modules: Record<string, string>): Promise<void> => {
    for (const [path, code] of Object.entries(modules)) await hints.note(new URL(path, ORIGIN), code);
  };
  const pathsOf = (page: string): string[] => hints.of(PAGE, page).map((address) => address.slice(ORIGIN.length));

  beforeEach(() => {
    hints = new ModuleHints();
  });

  it('is each module on the way from the scripts that it names, those that it names first', async () => {
    await answered({
      '/src/main.ts': `import App from '/src/App.tsx?t=1';\nexport * from './text.js';`,
      '/src/App.tsx?t=1': `import "../node_modules/.vite/deps/react.js?v=1a2b";import('/src/later.ts');import './text.js'`,
      '/src/text.js': `export { a } from "./main.ts"`,
      '/node_modules/.vite/deps/react.js?v=1a2b': `import.meta.hot`,
      '/src/later.ts': ``,
      '/src/unused.ts': `import '/src/main.ts'`,
    });
    assert.deepEqual(pathsOf(`<script type="module" src="/src/main.ts"></script>`), [
      '/src/main.ts',
      '/src/App.tsx?t=1',
      '/src/text.js',
    ]);
    assert.deepEqual(pathsOf(`<script type=module>import { x } from '../src/text.js'</script>`), [
      '/src/text.js',
      '/src/main.ts',
      '/src/App.tsx?t=1',
    ]);
  });

  it('is nothing that no server has answered, and nothing of a script that it does not name', async () => {
    assert.deepEqual(pathsOf(`<script type="module" src="/src/main.ts"></script>`), []);
    await answered({ '/src/main.ts': `import 'react'; import 'https://cdn.example/x.js'; import './new.ts'` });
    assert.deepEqual(pathsOf(`<script type="module" src="/src/main.ts"></script>`), ['/src/main.ts']);
    assert.deepEqual(pathsOf(`<p>src main.ts</p><img src="/src/main.png">`), []);
  });

  it('is what the answer of now imports, not that of before', async () => {
    const page = `<script type="module" src="/a.js"></script>`;
    await answered({ '/b.js': '', '/c.js': '', '/a.js': `import '/b.js'` });
    await answered({ '/a.js': `import '/c.js'` });
    assert.deepEqual(pathsOf(page), ['/a.js', '/c.js']);
    await answered({ '/a.js': `import '/c.js'; \`` });
    assert.deepEqual(pathsOf(page), ['/a.js'], 'A script with an error imports nothing.');
  });

  it('is what an edited module imports, also where its new address is not named', async () => {
    await answered({
      '/old.js': '',
      '/new.js': '',
      '/a.js?v=1': '',
      '/main.js': `import '/old.js'; import '/a.js?v=1'`,
    });
    await answered({ '/main.js?t=1764000000000': `import '/new.js'; import '/a.js?v=1'` });
    assert.deepEqual(pathsOf(`<script type="module" src="/main.js"></script>`), ['/main.js', '/new.js']);
  });

  it('is bounded, whatever servers answer', async () => {
    const many = Array.from({ length: 1500 }, (_, at) => `/m${at}.js`);
    await answered(Object.fromEntries(many.map((path) => [path, ''])));
    await answered({
      '/all.js': many.map((path) => `import '${path}';`).join('\n'),
      '/bundle.js': `import '/m1.js';${' '.repeat(2 * 1024 * 1024)}`,
    });
    assert.equal(pathsOf(`<script src="/all.js">`).length, 1000);
    assert.deepEqual(pathsOf(`<script src="/bundle.js">`), ['/bundle.js']);
    await answered(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`/other${at}.js`, ''])));
    assert.deepEqual(pathsOf(`<script src="/all.js">`), []);
  });
});
