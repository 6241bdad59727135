import type { Tab } from '../../devtools/pages/tabs';
import type { BrowserExtension, ScriptsIn } from './browserContents';

/** In which tabs extensions run content scripts: known of those whose rows are expanded, since only these are asked. */
export class TabScripts {
  /** By the id of the browser, and by that of the extension. */
  readonly #known = new Map<string, Map<string, { name: string; tabs: readonly string[] }>>();

  /** Notes what was read of an extension; returns whether that is new. */
  note({ browser, extension }: BrowserExtension, tabs: readonly Tab[]): boolean {
    const inBrowser = this.#known.get(browser.id) ?? new Map<string, { name: string; tabs: readonly string[] }>();
    this.#known.set(browser.id, inBrowser);
    const fresh = { name: extension.name, tabs: tabs.map(({ targetId }) => targetId).sort() };
    const isNew = JSON.stringify(inBrowser.get(extension.id) ?? { ...fresh, tabs: [] }) !== JSON.stringify(fresh);
    inBrowser.set(extension.id, fresh);
    return isNew;
  }

  /** Forgets what is not read any more: of one extension, or of all of a browser. Returns whether there was something. */
  forget(browserId: string, extensionId?: string): boolean {
    return extensionId === undefined
      ? this.#known.delete(browserId)
      : (this.#known.get(browserId)?.delete(extensionId) ?? false);
  }

  in(browserId: string): ScriptsIn {
    return (targetId) =>
      [...(this.#known.get(browserId)?.values() ?? [])].flatMap(({ name, tabs }) =>
        tabs.includes(targetId) ? [name] : [],
      );
  }
}
