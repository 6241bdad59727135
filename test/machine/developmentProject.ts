// Covers: media/icon.png
import { transform } from 'esbuild';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Child, startChild } from '../support/child';
import { freePort } from '../support/freePort';
import { eventually } from '../support/eventually';
import { ROOT } from '../support/paths';
import { PeerInstall } from './peerInstall';

/** How long a development server may take until it has built, in milliseconds. */
const BUILT_LIMIT_MS = 120_000;

/** How many of the last lines of a server are kept. */
const KEPT_LINES = 40;

const REACT = ['react@19.3.1', 'react-dom@19.3.1'];

const HTML = '<!doctype html><meta charset="utf-8"><title>Options</title><div id="root"></div>';

/** A page that shows the label, and a field for a text that has to survive. */
const REACT_PAGE = {
  'main.tsx': `import { createRoot } from 'react-dom/client';\nimport App from './App';\ncreateRoot(document.getElementById('root')!).render(<App />);\n`,
  'App.tsx': `import { label } from './label';\nexport default function App() { return <main><p id="mark">{label}</p><input id="typed" /></main>; }\n`,
  'index.html': `${HTML}<script type="module" src="./main.tsx"></script>`,
};

const under = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** A tool with a development server, and a small project of it with a page that is updated in place. */
export interface DevelopmentTool {
  /** What is installed from npm, `name@version`. */
  packages: readonly string[];
  /** The program of the server below the installed packages, and its arguments. */
  command: (port: number) => readonly [program: readonly string[], args: readonly string[]];
  /** What the server prints once it has built, where it listens before. */
  built?: RegExp;
  /** What it prints where a build of its own has failed; it builds all again then, and may reload the extension. */
  failed?: RegExp;
  /**
   * The path at the server of a script that the tool writes for the page, where that may be wrong: CRXJS 3.0.0 writes what a page needs twice when
   * two requests for it come at once, and keeps that until the server starts again.
   */
  pageScript?: string;
  /** Files of the project, by path. */
  files: (port: number) => Readonly<Record<string, string>>;
  /** The module whose label the page shows. */
  label: string;
  /** The page: a path in the extension, or of the server. */
  page: string;
  /** Undefined of a web app. */
  extension?: {
    /** The folder of the build. */
    output: string;
    /** A path in the extension. */
    popup: string;
    /** The file of the service worker that runs a statement, and its text. */
    worker: (statement: string) => readonly [path: string, text: string];
    /** The same of a content script for pages of localhost. */
    content: (statement: string) => readonly [path: string, text: string];
  };
}

const NAME = 'Development Project';

/** The pages that the content script runs in: of every port, since match patterns here name none. */
const MATCHED = 'http://localhost/*';

const POPUP = '<!doctype html><meta charset="utf-8"><title>Popup</title><p id="popup">popup</p>';

export const DEVELOPMENT_TOOLS: Readonly<Record<string, DevelopmentTool>> = {
  wxt: {
    packages: ['wxt@0.21.4', '@wxt-dev/module-react@1.2.2', ...REACT],
    command: () => [['wxt', 'bin', 'wxt.mjs'], []],
    files: (port) => ({
      'wxt.config.ts': `import { defineConfig } from 'wxt';\nexport default defineConfig({ modules: ['@wxt-dev/module-react'], webExt: { disabled: true }, dev: { server: { port: ${port} } }, manifest: { name: '${NAME}' } });\n`,
      ...under('entrypoints/options', REACT_PAGE),
      'entrypoints/popup/index.html': POPUP,
    }),
    label: 'entrypoints/options/label.ts',
    page: 'options.html',
    extension: {
      output: '.output/chrome-mv3-dev',
      popup: 'popup.html',
      worker: (statement) => [
        'entrypoints/background.ts',
        `export default defineBackground(() => { ${statement} });\n`,
      ],
      content: (statement) => [
        'entrypoints/mark.content.ts',
        `export default defineContentScript({ matches: ['${MATCHED}'], main() { ${statement} } });\n`,
      ],
    },
  },
  crxjs: {
    packages: ['@crxjs/vite-plugin@3.0.0', '@vitejs/plugin-react@6.3.0', 'vite@8.3.8', ...REACT],
    command: () => [['vite', 'bin', 'vite.js'], []],
    files: (port) => ({
      'vite.config.ts': `import { defineConfig } from 'vite';\nimport react from '@vitejs/plugin-react';\nimport { crx } from '@crxjs/vite-plugin';\nimport manifest from './manifest.json';\nexport default defineConfig({ plugins: [react(), crx({ manifest })], server: { port: ${port}, strictPort: true, cors: { origin: [/chrome-extension:\\/\\//] } } });\n`,
      'manifest.json': JSON.stringify({
        manifest_version: 3,
        name: NAME,
        version: '1.0',
        options_page: 'src/options/index.html',
        action: { default_popup: 'src/popup/index.html' },
        background: { service_worker: 'src/background.ts', type: 'module' },
        content_scripts: [{ matches: [MATCHED], js: ['src/mark.ts'] }],
      }),
      ...under('src/options', REACT_PAGE),
      'src/popup/index.html': POPUP,
    }),
    pageScript: 'src/options/@crx/inline-script/src/options/index',
    label: 'src/options/label.ts',
    page: 'src/options/index.html',
    extension: {
      output: 'dist',
      popup: 'src/popup/index.html',
      worker: (statement) => ['src/background.ts', `${statement}\nexport {};\n`],
      content: (statement) => ['src/mark.ts', `${statement}\nexport {};\n`],
    },
  },
  plasmo: {
    packages: ['plasmo@0.90.5', 'react@18.3.1', 'react-dom@18.3.1', '@types/react@18.3.32', 'typescript@5.9.3'],
    command: (port) => [
      ['plasmo', 'bin', 'index.mjs'],
      ['dev', `--hmr-port=${port}`],
    ],
    built: /re-packaged/,
    failed: /Build failed/,
    files: () => ({
      'options.tsx': `import { label } from "./label"\nexport default function Options() { return <main><p id="mark">{label}</p><input id="typed" /></main> }\n`,
      'popup.tsx': `export default function Popup() { return <p id="popup">popup</p> }\n`,
      'tsconfig.json': '{"extends":"plasmo/templates/tsconfig.base","include":["./**/*.ts","./**/*.tsx"]}',
    }),
    label: 'label.ts',
    page: 'options.html',
    extension: {
      output: 'build/chrome-mv3-dev',
      popup: 'popup.html',
      worker: (statement) => ['background.ts', `${statement}\nexport {}\n`],
      content: (statement) => ['contents/mark.ts', `export const config = { matches: ['${MATCHED}'] }\n${statement}\n`],
    },
  },
  vite: {
    packages: ['vite@8.3.8'],
    command: (port) => [
      ['vite', 'bin', 'vite.js'],
      ['--port', String(port), '--strictPort', '--host', 'localhost'],
    ],
    files: () => ({
      'main.ts': `import { label } from './label';\nconst show = (text: string): void => { document.getElementById('mark')!.textContent = text; };\nshow(label);\nimport.meta.hot?.accept('./label', (changed) => { if (changed) show(changed.label); });\n`,
      'index.html': '<!doctype html><title>First</title><a href="second/index.html">second</a>',
      'second/index.html': `<!doctype html><meta charset="utf-8"><title>Second</title><p id="mark"></p><input id="typed"><script type="module" src="../main.ts"></script>`,
    }),
    label: 'label.ts',
    page: 'second/index.html',
  },
};

/** A project whose development server runs. It ends with the program. */
export class DevelopmentProject {
  #edits = 0;
  #failedBuilds = 0;
  /** What the servers printed last, and how they ended. */
  readonly #lines: string[] = [];
  /** What was written last. */
  #written = { path: '', text: '' };
  #server: Child | undefined;

  private constructor(
    readonly tool: DevelopmentTool,
    readonly folder: string,
    private readonly install: PeerInstall,
    /** Where the server listens. */
    readonly port: number,
  ) {}

  /** Installs a tool, starts the server of a new project, and waits for its first build; rejects with what the server printed. */
  static async start(tool: DevelopmentTool, report: (line: string) => void): Promise<DevelopmentProject> {
    const install = await PeerInstall.of(tool.packages, report);
    const project = new DevelopmentProject(tool, await install.project(), install, await freePort());
    const dependencies = Object.fromEntries(tool.packages.map(nameAndVersion));
    const own = { private: true, name: 'development-project', displayName: NAME, version: '1.0.0', dependencies };
    await project.#write('package.json', JSON.stringify(own));
    for (const [path, text] of Object.entries(tool.files(project.port))) await project.#write(path, text);
    await project.runInWorker('');
    await project.runInContent('');
    // Plasmo builds nothing without an icon.
    await cp(join(ROOT, 'media', 'icon.png'), join(project.folder, 'assets', 'icon.png'));
    await project.edit();
    await project.startServer();
    return project;
  }

  /** Starts the server, which listens and has built when this resolves. */
  async startServer(): Promise<void> {
    const [program, args] = this.tool.command(this.port);
    let saysBuilt = this.tool.built === undefined;
    const output = {
      line: (line: string) => {
        saysBuilt ||= this.tool.built?.test(line) === true;
        if (this.tool.failed?.test(line) === true) this.#failedBuilds++;
        this.#keep(line);
      },
    };
    const command = [this.install.file(...program), ...args];
    const server = await startChild(process.execPath, command, { cwd: this.folder, output });
    this.#server = server;
    void server.exited.then(({ code, signal }) => {
      this.#keep(`(the server has ended at ${new Date().toISOString()}: ${signal ?? `exit code ${String(code)}`})`);
    });
    const isBuilt = async (): Promise<boolean> => saysBuilt && (await this.#isBuilt());
    const what = (): string => `the development server has built\n${this.lastLines}`;
    await eventually(what, isBuilt, BUILT_LIMIT_MS);
  }

  /** What the servers printed last, and how they ended. */
  get lastLines(): string {
    return this.#lines.join('\n');
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
  }

  /** Ends the server. */
  async stopServer(): Promise<void> {
    await this.#server?.stop();
  }

  /** Ends the server and starts it again at the same port. */
  async restartServer(): Promise<void> {
    await this.stopServer();
    await this.startServer();
  }

  /** The folder with the built extension; undefined of a web app. */
  get extension(): string | undefined {
    return this.tool.extension && join(this.folder, this.tool.extension.output);
  }

  /** Has the service worker run a statement; nothing of a web app. */
  async runInWorker(statement: string): Promise<void> {
    if (this.tool.extension) await this.#write(...this.tool.extension.worker(statement));
  }

  /** Has the content script run a statement; nothing of a web app. */
  async runInContent(statement: string): Promise<void> {
    if (this.tool.extension) await this.#write(...this.tool.extension.content(statement));
  }

  /** How many builds of the tool have failed, as it says. */
  get failedBuilds(): number {
    return this.#failedBuilds;
  }

  /** What the page shows. */
  get label(): string {
    return `label ${this.#edits}`;
  }

  /** What it will show after the next edit. */
  get nextLabel(): string {
    return `label ${this.#edits + 1}`;
  }

  /** Writes the next label. */
  async edit(): Promise<void> {
    this.#edits++;
    await this.#write(this.tool.label, `export const label = '${this.label}';\n`);
  }

  /** Whether the tool has taken notice of the file that was written last: the server gives this text of it, or a file of the build has it. */
  async hasSeen(text: string): Promise<boolean> {
    const address = `http://localhost:${this.port}/${this.#written.path}?t=${Date.now()}`;
    const answer = await fetch(address)
      .then((response) => response.text())
      .catch(() => '');
    if (answer.includes(text) || this.extension === undefined) return answer.includes(text);
    const files = await readdir(this.extension, { recursive: true, withFileTypes: true });
    const scripts = files.filter((file) => file.isFile() && file.name.endsWith('.js'));
    const texts = await Promise.all(scripts.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
    return texts.some((code) => code.includes(text));
  }

  /** Whether the server gives a script of its own for the page that no browser can run. */
  async hasBrokenScript(): Promise<boolean> {
    const { pageScript } = this.tool;
    if (pageScript === undefined) return false;
    const answer = await fetch(`http://localhost:${this.port}/${pageScript}`);
    if (!answer.ok) return false;
    const code = await answer.text();
    return await transform(code, { logLevel: 'silent' }).then(
      () => false,
      () => true,
    );
  }

  /** Writes the last file once more. */
  async writeAgain(): Promise<void> {
    await this.#write(this.#written.path, this.#written.text);
  }

  async #isBuilt(): Promise<boolean> {
    const isThere = await fetch(`http://localhost:${this.port}/`).then(
      () => true,
      // A server of websockets alone answers otherwise.
      (error: unknown) => !String(error instanceof Error ? error.cause : '').includes('ECONNREFUSED'),
    );
    if (!isThere || this.extension === undefined) return isThere;
    const { holdsExtension } = await import('../../src/archive/locate');
    return await holdsExtension(this.extension);
  }

  async #write(path: string, text: string): Promise<void> {
    this.#written = { path, text };
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Of `@types/react@18.3.32`: `@types/react` and `18.3.32`. */
function nameAndVersion(written: string): [name: string, version: string] {
  const at = written.lastIndexOf('@');
  return [written.slice(0, at), written.slice(at + 1)];
}
