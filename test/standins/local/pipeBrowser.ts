import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A program that answers on Chromium's DevTools pipe as a browser with one page, which does not list the extensions that it loads. */
const PROGRAM = `
const { spawn } = require('node:child_process');
const { appendFileSync, createReadStream, existsSync, readFileSync, rmSync, writeSync } = require('node:fs');
const { basename } = require('node:path');
const [held, crashing, log] = ['held', 'crashing', 'log'].map((name) => __dirname + '/' + name);
const results = { 'Target.getTargets': { targetInfos: [{ targetId: 'page', type: 'page' }] }, 'Extensions.getExtensions': { extensions: [] } };
let loads = 0;
let unread = '';
appendFileSync(log, 'started\\n');
const [, folders] = process.argv.map((text) => text.split('=')).find(([name]) => name === '--load-extension') ?? [];
if (folders) appendFileSync(log, 'loads ' + folders.split(',').map((folder) => basename(folder)) + '\\n');
function answer({ id, method, params }) {
  if (method === 'Browser.close') process.exit();
  if (method === 'Browser.getVersion' && existsSync(held)) return void setTimeout(answer, 10, { id, method, params });
  if (method === 'Extensions.loadUnpacked' && (loads += 1) === 2 && existsSync(crashing)) {
    const seconds = readFileSync(crashing, 'utf8');
    rmSync(crashing);
    if (seconds !== '') spawn('sleep', [seconds], { stdio: ['ignore', 'ignore', 'ignore', 'ignore', 4] });
    process.exit(1);
  }
  if (method === 'Browser.setContentsSize') appendFileSync(log, params.width + 'x' + params.height + '\\n');
  writeSync(4, JSON.stringify({ id, result: results[method] ?? {} }) + '\\0');
}
createReadStream('', { fd: 3, encoding: 'utf8' })
  .on('data', (text) => {
    const commands = (unread + text).split('\\0');
    unread = commands.pop();
    for (const command of commands) answer(JSON.parse(command));
  })
  .on('close', () => process.exit());
`;

/** An executable in the place of a browser, without a window. Not on Windows, which runs no scripts. */
export class PipeBrowser {
  private constructor(
    private readonly folder: string,
    readonly executable: string,
  ) {}

  /** Writes the executable into a folder. */
  static async in(folder: string): Promise<PipeBrowser> {
    const executable = path.join(folder, 'browser.cjs');
    await writeFile(executable, `#!${process.execPath}\n${PROGRAM}`, { mode: 0o755 });
    return new PipeBrowser(folder, executable);
  }

  /** While the file exists, browsers do not come up. */
  get held(): string {
    return path.join(this.folder, 'held');
  }

  /**
   * When the file exists, the next browser that is asked for the second time to load an extension crashes, and the file is gone. If it has a number, a
   * child of the browser has the pipe open for so many seconds more.
   */
  get crashing(): string {
    return path.join(this.folder, 'crashing');
  }

  /** What its browsers did, in order: `started`, the extensions of their command line, as `loads a,b`, and the sizes that their page got, as `800x600`. */
  async log(): Promise<string[]> {
    return (await readFile(path.join(this.folder, 'log'), 'utf8')).trimEnd().split('\n');
  }
}
