import { EventEmitter } from 'node:events';
import { fieldOf, objectOf, textField } from '../base/fields';

/** The fields of a breakpoint that make it another one. */
const FIELDS = ['url', 'urlRegex', 'scriptHash', 'lineNumber', 'columnNumber'];

/** The id of a breakpoint in the made-up page, by the parameters of `Debugger.setBreakpointByUrl`: the same for the same place. */
export function breakpointIdOf(params: unknown): string {
  return `sideload:${JSON.stringify(FIELDS.map((name) => fieldOf(params, name) ?? null))}`;
}

interface UrlBreakpointsEvents {
  /** One was set: its id, and the parameters of `Debugger.setBreakpointByUrl`. */
  set: [id: string, params: object];
  /** The one with this id was removed. */
  removed: [id: string];
}

/**
 * The breakpoints by address that the debugger has set in the made-up page, where it sets all of them (seen with js-debug 1.117): those that
 * any page of the extension gets before its first statement.
 */
export class UrlBreakpoints {
  readonly events = new EventEmitter<UrlBreakpointsEvents>();
  readonly #all = new Map<string, object>();

  /** The parameters of those that are set, by id. */
  get all(): ReadonlyMap<string, object> {
    return this.#all;
  }

  /** To be called with each command to the made-up page. */
  onCommand(method: string, params: unknown): void {
    if (method === 'Debugger.setBreakpointByUrl') {
      const id = breakpointIdOf(params);
      const known = { ...objectOf(params) };
      this.#all.set(id, known);
      this.events.emit('set', id, known);
    } else if (method === 'Debugger.removeBreakpoint') {
      const id = textField(params, 'breakpointId');
      if (this.#all.delete(id)) this.events.emit('removed', id);
    }
  }
}
