import { fieldOf, numberField, textField } from '../base/fields';
import { messageText, type RelayMessage } from './relayMessage';

/** An address that the debugger takes for a script of its own, without a source. */
const OWN_ADDRESS = 'left.cdp';

/**
 * The scripts that the debugger knows of a page. Their ids begin again when the page moves to another process (C-MOVE-IDS). The debugger keeps the
 * scripts of all documents by their ids, and takes a new one for that which it knows by its id: then it stops nowhere in its sources, or shows another
 * file (seen in js-debug of VS Code 1.139).
 */
export class LeftScripts {
  readonly #ids = new Set<string>();
  #lastContext = 0;

  constructor(private readonly sessionId: string) {}

  /** To be called with each event of the page. Gives the events that the debugger gets before it, by which it no longer has what was left. */
  before({ method, params }: RelayMessage): string[] {
    if (method === 'Debugger.scriptParsed') this.#ids.add(textField(params, 'scriptId'));
    if (method !== 'Runtime.executionContextCreated') return [];
    const context = numberField(fieldOf(params, 'context'), 'id');
    const isElsewhere = context <= this.#lastContext;
    this.#lastContext = context;
    if (!isElsewhere) return [];
    const left = [...this.#ids];
    this.#ids.clear();
    return left.map((scriptId) => this.#ofDebugger(scriptId));
  }

  #ofDebugger(scriptId: string): string {
    const place = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };
    const params = { scriptId, url: OWN_ADDRESS, ...place, executionContextId: 0, hash: '', buildId: '' };
    return messageText({ method: 'Debugger.scriptParsed', params, sessionId: this.sessionId });
  }
}
