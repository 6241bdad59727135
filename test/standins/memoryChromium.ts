import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { fieldOf } from '../../src/base/fields';
import { pauseErrorsOf } from '../../src/devtools/inPage/errorCalls';
import {
  allowedOf,
  changeConfiguration,
  loadsOf,
  reloadExtension,
  setExtensionEnabled,
  switchOnDeveloperMode,
} from '../../src/devtools/inPage/extensionsPageCalls';
import { extensionPageState } from '../../src/devtools/inPage/pageCalls';
import { decidedState } from '../../src/devtools/inPage/workerCalls';
import { argumentsOf, isCallOf } from '../support/calledInPage';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { jsonOf } from '../support/json';
import type { MemoryService } from './memoryService';
import { type Received, type Reply, ScriptedBrowser } from './scriptedBrowser';

/** An extension as this Chromium has it. */
interface Loaded {
  id: string;
  name: string;
  version: string;
  path: string;
  enabled: boolean;
}

/** A script of a worker. */
interface Script {
  url: string;
  text: string;
}

/** A Chromium in memory that loads extensions from the files of a service, and starts their workers. */
export class MemoryChromium extends ScriptedBrowser {
  readonly extensions: Loaded[] = [];
  /** How many times each extension was loaded, by id. */
  readonly loads = new Map<string, number>();
  /** What Chromium says against the next loads and reloads. */
  readonly refusals: string[] = [];
  /** What the next worker is: as the files say, or one that does not come, has other scripts or none, throws, or cannot call the API. */
  readonly workers: ('absent' | 'other' | 'noScript' | 'throws' | 'apiRefused')[] = [];
  /** Commands and expressions that count, in their order. */
  readonly acts: string[] = [];
  /** The extensions that may read files of this machine, by id: all that are new, until that is taken from them. */
  readonly fileAccess = new Set<string>();
  #count = 0;
  #isAutoAttaching = false;
  readonly #states = new Map<string, string>();

  constructor(private readonly service: MemoryService) {
    super();
    this.onEvaluate((expression, { target = '' }) => this.#valueOf(expression, target));
  }

  /** The id of the extension in a folder, whatever the folder has. */
  static idOf(path: string): string {
    const hex = createHash('sha256').update(path).digest('hex').slice(0, 32);
    return [...hex].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
  }

  /** Loads a folder as somebody else may do. */
  load(path: string): string {
    const id = MemoryChromium.idOf(path);
    const manifest = jsonOf(this.#text(path, 'manifest.json') ?? '{}');
    const [name, version] = [String(fieldOf(manifest, 'name')), String(fieldOf(manifest, 'version'))];
    if (!this.loads.has(id)) this.fileAccess.add(id);
    this.#keepOnly((one) => one.id !== id);
    this.extensions.push({ id, name, version, path, enabled: true });
    this.#start(id, path, fieldOf(fieldOf(manifest, 'background'), 'service_worker'));
    return id;
  }

  protected override usual(command: Received): Reply {
    const { method, params, target } = command;
    switch (method) {
      case 'Extensions.getExtensions':
        return { extensions: this.extensions };
      case 'Extensions.loadUnpacked': {
        const path = String(params['path']);
        this.acts.push(`load ${posix.basename(path)}`);
        const refusal = this.refusals.shift();
        return refusal === undefined ? { id: this.load(path) } : new Error(refusal);
      }
      case 'Extensions.uninstall':
        this.#keepOnly(({ id }) => id !== params['id']);
        return {};
      case 'Target.setAutoAttach':
        this.#isAutoAttaching = params['autoAttach'] === true && params['waitForDebuggerOnStart'] === true;
        return {};
      case 'Runtime.runIfWaitingForDebugger':
        if (target !== undefined) this.#run(target);
        return {};
      case 'Debugger.getScriptSource':
        return { scriptSource: this.#scripts.get(target ?? '')?.[Number(params['scriptId']) - 1]?.text ?? '' };
      case 'Page.navigate':
        if (target !== undefined) this.navigate(target, String(params['url']));
        return {};
      default:
        return super.usual(command);
    }
  }

  /** Shows an address in a target. */
  navigate(target: string, url: string): void {
    if (this.target(target)?.type === 'page') this.acts.push(`show ${url} in ${target}`);
    this.event('Page.frameNavigated', { frame: { id: target, url } }, target);
    this.show(target, url);
  }

  #valueOf(expression: string, target: string): unknown {
    const reloading = argumentsOf(expression, reloadExtension);
    if (reloading) {
      this.acts.push('reload');
      const refusal = this.refusals.shift();
      const loaded = this.extensions.find((one) => one.id === reloading[0]);
      if (refusal !== undefined && loaded) loaded.enabled = false;
      if (refusal !== undefined) return refusal;
      return loaded ? this.load(loaded.path) !== '' : false;
    }
    const enabling = argumentsOf(expression, setExtensionEnabled);
    if (enabling) {
      const [id, isEnabled] = enabling;
      this.acts.push(`enable ${String(isEnabled)}`);
      for (const one of this.extensions) if (one.id === id) one.enabled = isEnabled === true;
      return true;
    }
    const asked = argumentsOf(expression, allowedOf);
    if (asked) return { fileAccess: { isOn: this.fileAccess.has(String(asked[0])) } };
    const [change] = argumentsOf(expression, changeConfiguration) ?? [];
    if (fieldOf(change, 'fileAccess') === false) {
      const changed = String(fieldOf(change, 'extensionId'));
      // Chromium loads the extension again for it.
      this.loads.set(changed, (this.loads.get(changed) ?? 0) + 1);
      return this.fileAccess.delete(changed);
    }
    const counted = argumentsOf(expression, loadsOf);
    if (counted) return this.loads.get(String(counted[0])) ?? 0;
    if (isCallOf(expression, pauseErrorsOf)) this.acts.push('pause errors');
    if (isCallOf(expression, switchOnDeveloperMode)) return 'on';
    if (isCallOf(expression, extensionPageState)) return 'there';
    const isDeciding = isCallOf(expression, decidedState);
    const state = this.#states.get(target) ?? 'activated';
    // That of a worker without a script is never decided.
    if (isDeciding && state === 'parsed') return undefined;
    if (isDeciding || expression === 'self.serviceWorker.state') return state;
    return null;
  }

  #keepOnly(isKept: (one: Loaded) => boolean): void {
    this.extensions.splice(0, this.extensions.length, ...this.extensions.filter(isKept));
  }

  #start(id: string, path: string, script: unknown): void {
    this.loads.set(id, (this.loads.get(id) ?? 0) + 1);
    this.remove(`worker-${id}-${this.#count}`);
    const kind = this.workers.shift();
    if (typeof script !== 'string' || kind === 'absent') return;
    this.#count += 1;
    const targetId = `worker-${id}-${this.#count}`;
    const url = `chrome-extension://${id}/${script}`;
    const text = `${this.#text(path, script) ?? ''}${kind === 'other' ? '// other' : ''}`;
    const imported = [...text.matchAll(/importScripts\('(.+?)'\)/g)].map(([, file = '']) => ({
      url: `chrome-extension://${id}/${file}`,
      text: this.#text(path, file) ?? '',
    }));
    this.#scripts.set(targetId, kind === 'noScript' ? [] : [{ url, text }, ...imported]);
    const state = { throws: 'redundant', apiRefused: 'apiRefused', other: 'activated', noScript: 'parsed' };
    this.#states.set(targetId, kind === undefined ? 'activated' : state[kind]);
    if (this.#isAutoAttaching) this.attach(targetId, url, 'service_worker', true);
    else this.show(targetId, url, 'service_worker');
  }

  readonly #scripts = new Map<string, Script[]>();

  /** A worker executes its script. */
  #run(target: string): void {
    const scripts = this.#scripts.get(target) ?? [];
    for (const [at, { url, text }] of scripts.entries()) {
      this.event('Debugger.scriptParsed', { scriptId: String(at + 1), url, hash: digestOf(text) }, target);
    }
    if (this.#states.get(target) !== 'redundant') return;
    const exceptionDetails = {
      exceptionId: 1,
      text: 'Uncaught',
      lineNumber: 1,
      columnNumber: 2,
      url: scripts[0]?.url ?? '',
      exception: { type: 'object', description: 'Error: at the start\n    at worker.js:2:3' },
    };
    this.event('Runtime.exceptionThrown', { timestamp: 0, exceptionDetails }, target);
  }

  #text(path: string, file: string): string | undefined {
    return this.service.tree()[`${path.slice(EXTENSIONS_ROOT.length + 1)}/${file}`];
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
