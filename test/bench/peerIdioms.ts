import { OPTIONS_PAGE, PLAIN, PLAIN_PATHS, withScripts, type Idiom } from './peerProject';

/** The files and texts of a tool that takes an extension's plain ones. */
const PLAIN_SCRIPTS = { optionsPage: 'options.html', paths: PLAIN_PATHS, text: PLAIN.text };

/** For `vite build --watch` without any plugin: the manifest is copied as it is. */
export const VITE_BUILD_IDIOM: Idiom = {
  ...PLAIN_SCRIPTS,
  files: (manifest) => ({
    'public/manifest.json': JSON.stringify(withScripts(manifest)),
    'options.html': OPTIONS_PAGE,
    'vite.config.mjs': `export default {
      logLevel: 'warn',
      build: {
        emptyOutDir: false,
        minify: false,
        modulePreload: false,
        rollupOptions: {
          input: { background: 'background.js', content: 'content.js', options: 'options.html' },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
        },
      },
    };`,
  }),
};

export const CRXJS_IDIOM: Idiom = {
  ...PLAIN_SCRIPTS,
  files: (manifest) => ({
    'manifest.json': JSON.stringify(withScripts(manifest)),
    'options.html': OPTIONS_PAGE,
    'vite.config.mjs': `import { crx } from '@crxjs/vite-plugin';
      import { readFileSync } from 'node:fs';
      const manifest = JSON.parse(readFileSync('manifest.json', 'utf8'));
      export default {
        plugins: [crx({ manifest })],
        server: { cors: { origin: [/chrome-extension:/] } },
        legacy: { skipWebSocketTokenCheck: true },
      };`,
  }),
};

export const WXT_IDIOM: Idiom = {
  optionsPage: 'options.html',
  paths: {
    worker: 'entrypoints/background.js',
    content: 'entrypoints/content.js',
    page: 'entrypoints/options/main.js',
  },
  text: (script, statement) => {
    if (script === 'worker') return `export default defineBackground(() => {\n  ${statement}\n});\n`;
    if (script === 'page') return `${statement}\n`;
    return `export default defineContentScript({\n  matches: ['http://127.0.0.1/*'],\n  main() {\n    ${statement}\n  },\n});\n`;
  },
  files: ({ manifest_version: _, ...manifest }) => ({
    'entrypoints/options/index.html': OPTIONS_PAGE.replace('./options.js', './main.js'),
    'wxt.config.mjs': `export default { manifest: ${JSON.stringify(manifest)}, webExt: { disabled: true }, imports: {} };`,
    'package.json': JSON.stringify({ name: 'bench-wxt', private: true, type: 'module' }),
  }),
};

export const EXTENSION_JS_IDIOM: Idiom = {
  ...PLAIN,
  optionsPage: 'options/index.html',
  // Without one of its own, the tool takes the folder above for the project.
  files: (manifest) => ({ ...PLAIN.files(manifest), 'package.json': JSON.stringify({ name: 'bench', private: true }) }),
};
